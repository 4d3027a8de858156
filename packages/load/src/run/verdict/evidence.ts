import type { Finding, LedgerStart, readBlocksByRpc } from '@prime/audit';
import type { Address } from '@prime/primitives';
import type { Scenario } from '../../scenario/schema.ts';
import type { WatchedBlock } from '../observation/blockWatcher.ts';
import type { Ledger } from './ledger.ts';
import type { NodeSampler } from '../observation/nodeSampler.ts';
import type { Refusals } from './refusals.ts';

/** What a run leaves behind to be judged, beside what the nodes tell of it. */
export interface Evidence {
  readonly urls: readonly string[];
  readonly scenario: Scenario;
  /** Operations by hash; the verdict tells it which of them failed in their blocks. */
  readonly ledger: Ledger;
  /** What was refused at admission; the verdict adds what blocks refused. */
  readonly refusals: Refusals;
  /** First height that belongs to the run. */
  readonly from: number;
  /** Blocks as they were seen while the run went on, and the time in which somebody broke something. */
  readonly seen: readonly WatchedBlock[];
  /** From the first operation to the last block of one, ms of this process. */
  readonly span: { readonly fromMs: number; readonly toMs: number };
  readonly faults: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** Accounts that nobody but the run uses, as they were before block `from`; the last one deploys the tokens. */
  readonly accounts: readonly LedgerStart[];
  readonly tokens: readonly Address[];
  readonly sampler: NodeSampler;
  readonly bounds: {
    /** Longest time without a block, ms. */
    readonly gapMs: number;
    /** Most that the memory of a validator may grow for a million operations, bytes. */
    readonly memoryBytes: number;
    readonly diskBytes: number;
  };
  /** Whether the order book is replayed in the model, from genesis on. */
  readonly withModel: boolean;
  /** Else of the run alone. */
  readonly readBlocks: typeof readBlocksByRpc;
  /** Findings of others: readers of streams, a replay. */
  readonly more: readonly Finding[];
  /** Most that is waited for nodes that are behind, or do not answer. */
  readonly settleMs: number;
  readonly say: (line: string) => void;
}
