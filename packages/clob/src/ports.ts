import type { ActionResult, ContractAction, GenesisMarket, RecordWrite, VerifiedAction } from '@prime/codec';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';
import type { RecordProof } from './records/recordTrie.ts';

/** Wei that leave escrow for an EVM account. */
export interface EvmCredit {
  readonly to: Address;
  readonly amount: bigint;
}

/** What the boundary phase found out about an action that brings wei in, before the order book sees it. */
export interface DepositFunding {
  /** Place of the action among the block's actions. */
  readonly actionIndex: number;
  /** Whether the wei are in escrow now. */
  readonly funded: boolean;
  /** How much of it the faucet paid. */
  readonly faucetAmount: bigint;
}

/** A validator of the set, as the oracle and votes know it. */
export interface PriceReporter {
  /** Its owner. */
  readonly validator: Address;
  /** Who may sign its reports: its signer, and the key that its owner chose. */
  readonly keys: readonly Address[];
  /** Voting power. */
  readonly power: bigint;
}

/** Who reports prices, and how far their clocks may be ahead of a block. */
export interface OracleSet {
  readonly reporters: readonly PriceReporter[];
  readonly precisionMs: number;
}

/** A block as the order book executes it, with what the boundary phase found out about its actions. */
export interface ClobBlock {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
  /** What contracts asked for in the block before, in the order of their logs; they come before the block's actions. */
  readonly contractActions?: readonly ContractAction[];
  readonly actions: readonly VerifiedAction[];
  /** One entry for every action that brings wei in (deposit, enqueueEvmToOrders), in order. */
  readonly deposits: readonly DepositFunding[];
  /** Places of the actions whose signer holds nothing outside of the order book; only where genesis has `ownersOnly`. */
  readonly outsiders?: readonly number[];
  /** Only where genesis has `clob.oracle`, and in blocks with proposals or votes. */
  readonly oracle?: OracleSet;
}

/** Results, events and writes are made when they are asked for first, which has to be before the next block is executed. */
export interface ClobOutcome {
  /** Root over all records of the domain after the block. */
  readonly ordersRoot: Hash;
  /** One result per action, in proposed order. */
  readonly results: readonly ActionResult[];
  /** The same, encoded: decodeResultFrames reads them. */
  readonly resultFrames: Uint8Array;
  /** In execution order, encoded: decodeEventFrames reads them. */
  readonly events: Uint8Array;
  /** Records that changed, sorted by key, each key once: they are persisted and feed the read models. */
  readonly writes: readonly RecordWrite[];
  /** What leaves escrow for EVM accounts at the end of the block, in order. */
  readonly credits: readonly EvmCredit[];
  /** Wei that escrow must hold for the order book after the block, at least: somebody may have sent it more. */
  readonly escrow: bigint;
  /** By how much the block changed that: what actions brought in, less what {@link credits} take out. */
  readonly escrowChange: bigint;
  /** How long the order book stays as it is when nobody asks it for anything; null where the next block may do something by itself. */
  readonly rest: ClobRest | null;
}

/** An outcome for whoever is in another thread: all of it made, and its results and records encoded, see resultFrames.ts and recordFrames.ts of the codec. */
export interface EncodedOutcome extends Omit<ClobOutcome, 'results' | 'resultFrames' | 'writes'> {
  readonly results: Uint8Array;
  readonly writes: Uint8Array;
}

/** What ends a rest of the order book, see rest.ts. Infinity where time, or height, ends nothing. */
export interface ClobRest {
  /** The first time of a block that may do something by itself, ms. */
  readonly untilMs: number;
  /** The first height of such a block. */
  readonly untilHeight: number;
}

/**
 * The order book domain as a deterministic state machine. One block at a time is open: {@link execute} leaves it pending until
 * {@link commit} or {@link rollback}.
 */
export interface ClobEngine {
  /** Loads the state that earlier blocks' writes add up to. Before the first block only. */
  restore(records: Iterable<readonly [key: Uint8Array, value: Uint8Array]>): void;
  /** Writes of the genesis state (markets). For an engine that restored nothing; leaves a pending block. */
  genesis(markets: readonly GenesisMarket[]): ClobOutcome;
  ordersRoot(): Hash;
  /** Proof of a record, or of its absence, under the orders root of the committed state; a pending block does not show. */
  prove(key: Uint8Array): RecordProof;
  /** @throws InvariantError when a block is pending */
  execute(block: ClobBlock): ClobOutcome;
  commit(): void;
  /** The state is exactly that before {@link execute}. */
  rollback(): void;
}
