import type { Fill } from '../streams/types.ts';
import type { Order } from './order.ts';
import type { Address, Hash, Hex, Size, Wei } from './primitives.ts';

/** A page of a list of an account's history. */
export interface HistoryPage<entry> {
  /** The last first. May be short, or empty, on any page. */
  readonly entries: readonly entry[];
  /** The `cursor` of the next page; null on the last one. It stays right while blocks come and old ones are deleted. */
  readonly next: Hex | null;
  /** Oldest block that the node can tell of; 1 where it keeps all. */
  readonly oldestBlock: bigint;
  /** Its time, ms since 1970. */
  readonly oldestMs: number;
}

/** Where and when an entry of a history came to be. */
export interface HistoryPlace {
  readonly blockNumber: bigint;
  /** Of the block, ms since 1970. */
  readonly timeMs: number;
}

/** The same with what caused it. */
export interface CausedPlace extends HistoryPlace {
  /** Action or transaction; null for what the block does by itself. */
  readonly transactionHash: Hash | null;
  /** Place of its event among those of the block, from 0: with the block it names the entry. */
  readonly eventIndex: number;
}

/** What changed a position of an account, as `watchFills` tells it. */
export interface HistoryFill extends Omit<Fill, 'blockNumber' | 'blockHash'>, CausedPlace {}

/** An order that ended. */
export interface EndedOrder extends Order {
  readonly closedBlock: bigint;
  /** Time of the block in which it ended, ms since 1970. */
  readonly timeMs: number;
}

/** Funding of a position that was settled into collateral. */
export interface SettledFunding extends CausedPlace {
  readonly marketId: number;
  /** The position that it was for; negative is short. */
  readonly size: Size;
  /** Negative was paid. */
  readonly amount: Wei;
  /** Of the market, up to which the position is settled: 10^-9 wei for one base unit. */
  readonly index: bigint;
}

/** Wei that came to the collateral of an account or left it, or a step of a transfer of the bridge that names the account. */
export interface TransferEntry extends CausedPlace {
  readonly kind: 'deposit' | 'withdrawal' | 'transfer' | 'queued' | 'completed' | 'failed';
  readonly amount: Wei;
  /** What it did to the collateral: 0 for steps of the bridge. */
  readonly change: Wei;
  /** Afterwards; null where the entry does not tell it. */
  readonly collateral: Wei | null;
  /** null for deposit and withdrawal. */
  readonly from: Address | null;
  readonly to: Address | null;
  /** null but for steps of the bridge. */
  readonly transferId: number | null;
  readonly direction: 'evm_to_orders' | 'orders_to_evm' | null;
  /** Why a transfer of the bridge failed. */
  readonly reason: string | null;
}

/** What a liquidation, or the settling of a loss, did to an account; fields that a kind has not are null. */
export interface AccountLiquidation extends CausedPlace {
  /**
   * liquidation: one of its positions was closed. deleveraging: a part of its position was closed against that of `counterparty`. debt_covered: the insurance
   * fund paid what it owed. bad_debt: nobody did. loss_settled: a part of an open loss was realized at the index, because winners were unpaid.
   */
  readonly kind: 'liquidation' | 'deleveraging' | 'debt_covered' | 'bad_debt' | 'loss_settled';
  readonly marketId: number | null;
  /** Under which its trades are told; null where the other account was in liquidation. */
  readonly orderId: number | null;
  /** The account's position that was closed, or whose loss was settled; negative is short. */
  readonly size: Size | null;
  /** What deleveraging closed it for; of loss_settled, what it counts as opened for from then on. */
  readonly value: Wei | null;
  /** What the account paid to the insurance fund. */
  readonly fee: Wei | null;
  readonly insurancePaid: Wei | null;
  readonly counterparty: Address | null;
  /** Debt, or the loss that was settled. */
  readonly amount: Wei | null;
}
