import type { Address, Hash } from './primitives.ts';

/** How a block was decided. */
export interface CommitSummary {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  readonly timestampMs: number;
  readonly proposer: Address;
  readonly round: number;
  /** Whose precommits are in the certificate. */
  readonly signers: readonly Address[];
  /** Whose turn the rounds before it were, from round 0 on: they failed. */
  readonly missedTurns: readonly Address[];
}

/** Who gave one kind of vote in a round. */
export interface VotesStanding {
  /** Voted for a block. */
  readonly block: readonly Address[];
  /** Voted for no block. */
  readonly nil: readonly Address[];
  /** Whose vote the node has not heard of. */
  readonly missing: readonly Address[];
  /** Power of those who voted. */
  readonly votingPower: bigint;
}

/** The height that is being decided, as one node sees it. */
export interface ConsensusStatus {
  readonly height: bigint;
  /**
   * What the next block waits for: `work` is a transaction, or the time of an empty block; `execution` that of a block which is decided; `blocks`
   * are those that others have and this node lacks.
   */
  readonly waitsFor: 'work' | 'proposal' | 'prevotes' | 'precommits' | 'execution' | 'blocks';
  /** When this round began, or the wait for it, by the node's clock; null where that was before the node was started. */
  readonly sinceMs: number | null;
  /** The node's clock. */
  readonly nowMs: number;
  readonly totalPower: bigint;
  /** Null before the first round. */
  readonly currentRound: {
    readonly round: number;
    readonly proposer: Address;
    readonly hasProposal: boolean;
    readonly prevotes: VotesStanding;
    readonly precommits: VotesStanding;
  } | null;
}

/** What a node knows of the network. */
export interface NetworkNodes {
  readonly protocol: {
    /** Of the rules in force for the next block. */
    readonly version: number;
    /** Newest one that the node knows. */
    readonly knownVersion: number;
    /** Null where no upgrade is planned. */
    readonly next: {
      readonly version: number;
      /** First block by the new rules. */
      readonly height: bigint;
      /** Whether the node knows them: if not, it stops there. */
      readonly isKnown: boolean;
      readonly readyPower: bigint;
      readonly totalPower: bigint;
    } | null;
  };
  readonly validators: readonly {
    readonly address: Address;
    readonly moniker: string;
    readonly votingPower: bigint;
    /** Connected to the node, or heard of through others lately. */
    readonly isPresent: boolean;
    /** Null where it tells the node nothing. */
    readonly head: bigint | null;
    readonly knownVersion: number | null;
  }[];
  /** Other nodes that are connected. */
  readonly others: readonly { readonly role: string; readonly head: bigint; readonly knownVersion: number | null }[];
}
