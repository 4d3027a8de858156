import type { Block, Genesis, ProtocolSchedule, RegisteredValidator, ValidatorSet, Vote } from '@prime/codec';
import type { TimeoutConfig } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Address, Height, Round } from '@prime/primitives';
import type { EngineLog } from './log.ts';
import type { DoubleSignGuard, SigningStanding } from './signingPermit.ts';
import type {
  AccountReader,
  BlockStore,
  EvidenceStore,
  Execution,
  HotKey,
  Peer,
  PeerNetwork,
  SignerReader,
  SignStateStore,
  SnapshotShelf,
  ThreadClock,
  Verifier,
  Wal,
} from './ports.ts';
import type { UpgradeStatus } from './protocol.ts';
import type { SentryOptions } from './sentryPaths.ts';
import type { EngineStages } from './stages.ts';

export interface EngineOptions extends SentryOptions {
  readonly genesis: Genesis;
  /** Default: what genesis says, as far as this program knows. */
  readonly protocol?: ProtocolSchedule;
  /** The engine ends with `ENGINE_HALT_HEIGHT` once this block is decided. */
  readonly haltHeight?: Height;
  readonly timeouts: TimeoutConfig;
  /**
   * Hot keys of this node, the newest first; none on a follower. At each height it is the validator that one of them is registered
   * for, so that a key may be exchanged and a validator may join while the node runs.
   */
  readonly signers: readonly HotKey[];
  /** Default {@link defaultDoubleSignGuard}. */
  readonly doubleSign?: DoubleSignGuard;
  readonly provider: CryptoProvider;
  readonly mempool: Mempool;
  readonly ports: EnginePorts;
  readonly log: EngineLog;
  readonly metrics: EngineMetrics;
  readonly stages: EngineStages;
  /** The engine can not go on: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export interface EnginePorts {
  readonly wal: Wal;
  readonly signState: SignStateStore;
  readonly blocks: BlockStore;
  readonly execution: Execution;
  readonly evidence: EvidenceStore;
  readonly accounts: AccountReader;
  readonly signers: SignerReader;
  readonly verifier: Verifier;
  readonly network: PeerNetwork;
  /** Nothing is offered without it. */
  readonly snapshots?: SnapshotShelf;
  readonly clock: ThreadClock;
}

/** What the engine counts; fed to shared memory by the host. */
export interface EngineMetrics {
  /** A block was decided here and is committed. */
  committed(block: Block, round: Round): void;
  /** A block is committed, whether it was decided here or fetched. */
  executed(block: Block): void;
  round(height: Height, round: Round): void;
  /** A vote of this node was signed: the step before it is over. */
  voted(vote: Pick<Vote, 'type' | 'blockHash'>): void;
  /** A vote came for a block that is decided and durable here. */
  lateVote(): void;
  /** Items came to be checked: so many signatures had to be recovered, and so many were known or under way already. */
  recovered(kind: 'transactions' | 'actions', recovered: number, known: number): void;
}

export interface NetworkStatus {
  readonly head: Height;
  /** What this node has to catch up with; null when it is not behind, or nobody says so. */
  readonly syncing: {
    readonly startingBlock: Height;
    readonly currentBlock: Height;
    readonly highestBlock: Height;
  } | null;
  /** Whether it is at the head, and enough of the others have said where they stand to know. */
  readonly isCurrent: boolean;
  /** Blocks that a peer claims and this node lacks. */
  readonly lag: number;
  /** Why nobody can bring this node further, and what to do; null where somebody can. */
  readonly obstacle: string | null;
  readonly peers: readonly Peer[];
  readonly validators: ValidatorSet;
  readonly height: Height;
  readonly round: Round;
  readonly self: Address | null;
  readonly active: boolean;
  /** Whether the own validator signs already; null on a node that is none. */
  readonly signing: SigningStanding | null;
  /** Everyone who is registered, in the set or not; null where the validators never change. */
  readonly registered: readonly RegisteredValidator[] | null;
  readonly upgrade: UpgradeStatus;
  /** Other validators that are connected, or heard of through other nodes. */
  readonly reachable: readonly Address[];
}
