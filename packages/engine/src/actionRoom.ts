import { type Block, type CommitOutcome, type Genesis, nativeTransactionBytesMax } from '@prime/codec';
import type { TimeoutConfig } from '@prime/consensus';
import type { EngineLog } from './log.ts';
import type { Clock } from './ports.ts';

export interface ActionRoomOptions {
  /** Most bytes of actions that a block may have. */
  readonly bytesMax: number;
  /** Most gas that a block may have. */
  readonly gasLimit: bigint;
  /** How long validators shall wait for the execution of a decided block, ms. */
  readonly targetMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<EngineLog, 'debug'>;
}

/** What a block held, and how long this node waited for its execution after it was decided. */
export interface ExecutedBlock {
  readonly actionBytes: number;
  readonly gasUsed: bigint;
  readonly waitedMs: number;
}

/**
 * How many bytes of actions this validator proposes in a block.
 *
 * Gas bounds what transactions cost; the bytes of actions say little about theirs, and how much a machine can do is no rule of the chain.
 * So proposers learn it: where execution made validators wait too long, blocks become as small as would have taken the target, and they
 * grow again while they are full and quick. Without it one block takes what came in while the one before it ran, and each is larger than the last.
 */
export class ActionRoom {
  readonly #options: ActionRoomOptions;
  #bytes: number;

  constructor(options: ActionRoomOptions) {
    this.#options = options;
    this.#bytes = options.bytesMax;
  }

  /** At least the largest action, so that none waits for ever. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Commits a decided block, and learns from how long that takes. */
  async watch(block: Block, commit: () => Promise<CommitOutcome>): Promise<void> {
    const { clock, log } = this.#options;
    const decidedMs = clock.monotonicMs();
    const { height, roots } = await commit();
    const waitedMs = clock.monotonicMs() - decidedMs;
    const actionBytes = block.actions.reduce((bytes, raw) => bytes + raw.length, 0);
    this.onExecuted({ actionBytes, gasUsed: roots.gasUsed, waitedMs });
    log.debug('block executed', { height, actionBytes, waitedMs, room: this.#bytes });
  }

  onExecuted({ actionBytes, gasUsed, waitedMs }: ExecutedBlock): void {
    const { bytesMax, gasLimit, targetMs } = this.#options;
    if (actionBytes === 0) return;
    // Nobody knows which part took the time: each is given as much of it as it filled the block.
    const actions = actionBytes / bytesMax;
    const ms = (waitedMs * actions) / (actions + Number(gasUsed) / Number(gasLimit));
    const fitting = Math.floor(actionBytes * Math.min(growthMax, targetMs / ms));
    const bytes = ms > targetMs ? Math.min(this.#bytes, fitting) : Math.max(this.#bytes, fitting);
    this.#bytes = Math.min(bytesMax, Math.max(bytes, nativeTransactionBytesMax));
  }
}

/** For this network; who is done first waits `proposeMs` for the proposal of one who is done last. */
export const actionRoomOf = (
  { consensus, evm }: Genesis,
  { proposeMs }: Pick<TimeoutConfig, 'proposeMs'>,
  sides: Pick<ActionRoomOptions, 'clock' | 'log'>,
): ActionRoom =>
  new ActionRoom({ bytesMax: consensus.maxBlockBytes, gasLimit: evm.gasLimit, targetMs: proposeMs, ...sides });

/** A block that was quick says little of one that is many times larger. */
const growthMax = 2;
