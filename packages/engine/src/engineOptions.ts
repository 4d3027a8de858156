import type { Genesis, ProtocolSchedule } from '@prime/codec';
import type { TimeoutConfig } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import type { Mempool } from '@prime/mempool';
import type { Height } from '@prime/primitives';
import type { EngineLog } from './log.ts';
import type { EngineMetrics } from './metrics.ts';
import type { DoubleSignGuard } from './signing/signingPermit.ts';
import type {
  AccountReader,
  BlockStore,
  EvidenceStore,
  Execution,
  HotKey,
  PeerNetwork,
  SignerReader,
  SignStateStore,
  SnapshotShelf,
  Clock,
  Verifier,
  Wal,
} from './ports.ts';
import type { SentryOptions } from './peers/sentryPaths.ts';
import type { EngineStages } from './stages.ts';

/** What an engine is made from. It has no I/O of its own: {@link EnginePorts} do it. */
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

/** Disk, network, execution and time as the engine uses them; tests put simulated ones in their place. */
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
  readonly clock: Clock;
}
