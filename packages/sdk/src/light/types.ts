import type { GetOrdersProofParameters } from '../actions/public/chain.ts';
import type { RpcGenesis } from '../generated/methods.ts';
import type { MarketStatus } from '../types/market.ts';
import type { Commit, Validator } from '../types/chain.ts';
import type { OpenOrder } from '../types/order.ts';
import type { Address, Hash, Hex, Price, SelfTradeMode, Side, Size, Wei } from '../types/primitives.ts';

/** genesis.json, read with `JSON.parse`, from a source that you trust. */
export type Genesis = RpcGenesis & Readonly<Record<string, unknown>>;

/** What a certificate is checked with. */
export interface TrustedValidator {
  readonly address: Address;
  /** Compressed, 33 bytes. */
  readonly publicKey: Hex;
  /** Voting power, a hex quantity. */
  readonly power: Hex;
}

/**
 * A block that is believed, and all that is needed to believe later ones. Plain JSON: keep it with `JSON.stringify`, and go on from it after a
 * restart. Keep it where nobody else can write.
 */
export interface LightTrust {
  readonly format: 1;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** How long validators answer with their stake for what they signed, ms; null where validators never change. */
  readonly trustingPeriodMs: number | null;
  /** Whether price levels can be proven on this network. */
  readonly levelProofs: boolean;
  /** 0 is genesis. */
  readonly blockNumber: number;
  /** Of genesis: its hash, which is that of block 0. */
  readonly blockHash: Hash;
  readonly timestampMs: number;
  /** Who decided the block; those of genesis decide block 1. */
  readonly validators: readonly TrustedValidator[];
  /** Of those who decide the next block. */
  readonly nextValidatorsHash: Hash;
}

/** A block as a node shows it to who trusts nobody: answers of `getCommit` and of `getValidators` for one block. */
export interface LightBlock {
  readonly commit: Commit;
  /** In the order of their set. */
  readonly validators: readonly Pick<Validator, 'address' | 'publicKey' | 'votingPower'>[];
}

/** A block that was decided: its validators signed it, and the way to them is checked. */
export interface VerifiedBlock {
  readonly number: bigint;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly timestampMs: number;
  readonly proposer: Address;
  /** Version of the protocol that it was made under. */
  readonly version: number;
  /** Round in which it was decided. */
  readonly round: number;
  /** Voting power that signed it, of how much. */
  readonly power: { readonly signed: bigint; readonly total: bigint };
  /** Merkle Patricia root of the state after the block before: records of that block are proven under it. */
  readonly parentStateRoot: Hash;
  /** Blocks that were needed after the trusted one, ascending, this one last: `verifyBlock` with them shows it again without a node. */
  readonly path: readonly LightBlock[];
  /** Where later verifications go on from. */
  readonly trust: LightTrust;
}

/** What happens once the trusted block is older than the trusting period. */
export type ExpiredTrust =
  /** It is an error: a more recent block has to be trusted. */
  | 'refuse'
  /** More than 2/3 of the power known then has to have signed; who bought the keys of so many former validators could still deceive you. */
  | 'quorum';

/** When a block is judged, and what happens to trust that is too old. */
export interface VerifyBlockOptions {
  /** Default refuse. */
  readonly expiredTrust?: ExpiredTrust | undefined;
  /** Time to judge by, ms since 1970. Default: the clock of this machine. */
  readonly nowMs?: number | undefined;
}

/** Which record of the order book: an order, a price level, a market, an account, or the totals. */
export type RecordReference = GetOrdersProofParameters;

/** An order that rests. */
export interface OrderRecord extends OpenOrder {
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
}

/** All that rests at a price. */
export interface LevelRecord {
  readonly marketId: number;
  readonly side: Side;
  readonly price: Price;
  readonly size: Size;
}

/** A market as a proof of the order book shows it: prices in wei of the quote for one base unit. */
export interface MarketRecord {
  readonly marketId: number;
  readonly symbol: string;
  readonly tickSize: Price;
  readonly lotSize: Size;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly status: MarketStatus;
  /** Of the latest trade; null before the first. */
  readonly lastPrice: Price | null;
  /** What margin is judged by; null before there is one. */
  readonly markPrice: Price | null;
}

/** An account that has collateral or a position, or is locked. */
export interface AccountRecord {
  readonly address: Address;
  /** Negative is a debt. */
  readonly collateral: Wei;
  /** Whether only signed actions count for it. */
  readonly locked: boolean;
  /** By market ascending; negative sizes are short. */
  readonly positions: readonly { readonly marketId: number; readonly size: Size; readonly entry: Wei }[];
}

/** Totals of the order book. */
export interface TotalsRecord {
  readonly nextOrderId: number;
  readonly nextTradeId: number;
  readonly nextMarketId: number;
  /** Insurance fund. */
  readonly insurance: Wei;
  /** All collateral that ever came in, and that ever went out. */
  readonly totalDeposits: Wei;
  readonly totalWithdrawals: Wei;
}

/** What a reference names. */
export type RecordOf<reference extends RecordReference> = reference extends { readonly orderId: number }
  ? OrderRecord
  : reference extends { readonly address: Address }
    ? AccountRecord
    : reference extends { readonly global: true }
      ? TotalsRecord
      : reference extends { readonly price: Price }
        ? LevelRecord
        : MarketRecord;

/** A record as it stood after a block, or the proof that there was none. */
export type VerifiedRecord<reference extends RecordReference = RecordReference> = {
  /** The block after which it stood so. */
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
} & (
  | { readonly present: true; readonly record: RecordOf<reference> }
  /** The order does not rest, nobody rests at the price, the account has nothing. */
  | { readonly present: false; readonly record: null }
);
