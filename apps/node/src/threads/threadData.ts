import type { LinkDescriptor } from '@prime/bus';
import type { Genesis } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import type { UnlockedKeys } from '../keys/hotKeys.ts';
import type { LinkName } from './topology.ts';

/** What every thread is given when it is spawned. */
export interface ThreadData {
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly home: HomePaths;
  /** Of the consensus thread alone: nobody else is given any. */
  readonly keys: UnlockedKeys;
  /** The thread's ends of its links. */
  readonly links: Partial<Record<LinkName, LinkDescriptor>>;
  /** Metrics of the process, in shared memory. */
  readonly metrics: SharedArrayBuffer;
  /** Where log lines of the process are counted. */
  readonly logLines: SharedArrayBuffer;
  /** What stages are stamped into from the begin; null is nothing. */
  readonly stages: SharedArrayBuffer | null;
  /** Added to the wall clock; 0 but in tests of clock skew. */
  readonly clockOffsetMs: number;
  /** Number of the crash point at which the process ends itself with SIGKILL; null but in tests of crashes. */
  readonly crashAt: number | null;
  /** Height of the block that this node executes differently from all others; null but in tests of divergence. */
  readonly divergeAt: number | null;
}
