import type { Scenario } from '../scenario/schema.ts';
import type { Finding, readBlocksByRpc } from '@prime/audit';
import type { StagedNode } from '../stages/stageReader.ts';
import type { Funder } from './funding.ts';
import type { Assignment, Pace } from './worker/messages.ts';
import type { Progress } from './observation/progress.ts';
import type { SearchBounds } from './searchKnee.ts';

/** What makes a rate hold, when the knee is looked for. */
export interface HoldBounds {
  /** From due to acknowledged. */
  readonly p99Ms: number;
  /** Of all operations: refused, unknown or failed. */
  readonly errorShare: number;
}

/** How fast operations are sent: at one pace, or at paces that a search for the knee tries. */
export type Asked =
  | Pace
  | {
      readonly kind: 'search';
      readonly bounds: SearchBounds;
      readonly holds: HoldBounds;
      /** Of one trial. */
      readonly seconds: number;
    };

/** What somebody does to the network while the load is sent. */
export interface Meanwhile {
  /** Ends what is still going on, and waits until the network is as it was. */
  end(): Promise<MeanwhileOutcome>;
}

/** What was done to the network while the run went on. */
export interface MeanwhileOutcome {
  /** Faults with the times of this process (`performance.now()`). */
  readonly faults: readonly {
    readonly name: string;
    readonly fromMs: number;
    readonly toMs: number;
    /** From the end of the fault until all validators had a new block; null when they never had. */
    readonly recoveryMs: number | null;
  }[];
  readonly findings: readonly Finding[];
}

/** A run: what it sends, from where, to whom, and what is watched meanwhile. */
export interface LoadOptions
  extends Pick<
    Assignment,
    'work' | 'seed' | 'secret' | 'urls' | 'transport' | 'connections' | 'aheadMax' | 'answerMs'
  > {
  readonly scenario: Scenario;
  /** As the file has it, for the report. */
  readonly toml: string;
  /** The line that does the same again, for the report. */
  readonly command: string;
  /** Admin addresses of the nodes, for what they tell of themselves; none is allowed. */
  readonly adminUrls: readonly string[];
  /** Nodes whose stamps of stages are read, in the order of `urls`; none at all leaves stages out. */
  readonly stageNodes: readonly StagedNode[];
  readonly workers: number;
  /** `host:port` of workers elsewhere, in place of those of this machine. */
  readonly workersAt: readonly string[];
  readonly token: string | null;
  readonly asked: Asked;
  readonly funder: Funder;
  /** Most that is waited at the end for the next acknowledged operation to get into a block, and then for nodes that are behind. */
  readonly drainMs: number;
  /** Whether the verdict replays the order book from genesis on. */
  readonly withModel: boolean;
  /** How the blocks of the run are read where the model is left out: runs that load one network at once may share them. */
  readonly readBlocks?: typeof readBlocksByRpc;
  /** What is left is not given back. */
  readonly keepsFunds: boolean;
  /** Begun with the first operation; null leaves the network alone. */
  readonly meanwhile: (() => Meanwhile) | null;
  /** Ends the run early; what has been is judged. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly onProgress: (progress: Progress) => void;
}
