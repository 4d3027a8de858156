import { type Block, type CommitOutcome, type Genesis, nativeTransactionBytesMax } from '@prime/codec';
import type { TimeoutConfig } from '@prime/consensus';
import type { EngineLog } from '../log.ts';
import type { Clock } from '../ports.ts';

/** Bounds of what this validator proposes, and for how long others may wait until it is executed. */
export interface BlockRoomOptions {
  /** Most bytes of actions that a block may have. */
  readonly bytesMax: number;
  /** Most gas that a block may have. */
  readonly gasLimit: bigint;
  /** How long validators may wait for the execution of a decided block, ms: always, and where all the rest of a block takes long. */
  readonly leastMs: number;
  readonly mostMs: number;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Pick<EngineLog, 'debug'>;
}

/** What a block held, and how long this node waited for its execution after it was decided. */
export interface ExecutedBlock {
  readonly actionBytes: number;
  readonly gasUsed: bigint;
  readonly waitedMs: number;
  /** What else the block took: from the commit of the one before it to its decision, with the time in which nothing waited. */
  readonly besidesMs: number;
}

/**
 * How much this validator proposes in a block: bytes of actions, and gas that transactions are expected to use.
 *
 * What genesis allows says little about what takes how long, and how much a machine can do is no rule of the chain. So proposers learn it: where
 * execution made validators wait too long, blocks become as small as would have taken the target, and they grow again while they are full and
 * quick. Without it one block takes what came in while the one before it ran, and each is larger than the last. Where the rest of a block takes long, execution
 * may take half as long: smaller ones would spend most of their time on what each block costs. What a large block makes lives until it is written, so
 * large blocks cost more for each item, not less: objects grow old, and memory with them.
 */
export class BlockRoom {
  readonly #options: BlockRoomOptions;
  readonly #bytes: Room;
  readonly #gas: Room;
  #committedMs: number | null = null;

  constructor(options: BlockRoomOptions) {
    this.#options = options;
    this.#bytes = new Room(options.bytesMax, nativeTransactionBytesMax);
    this.#gas = new Room(Number(options.gasLimit), Math.min(leastGas, Number(options.gasLimit)));
  }

  /** Of actions; at least the largest one, so that none waits for ever. */
  get bytes(): number {
    return this.#bytes.size;
  }

  /** Expected to be used by transactions. */
  get gas(): number {
    return this.#gas.size;
  }

  /** Commits a decided block, and learns from how long that takes. */
  async watch(block: Block, commit: () => Promise<CommitOutcome>): Promise<void> {
    const { clock, log } = this.#options;
    const decidedMs = clock.monotonicMs();
    const { height, roots } = await commit();
    const nowMs = clock.monotonicMs();
    const waitedMs = nowMs - decidedMs;
    const besidesMs = decidedMs - (this.#committedMs ?? decidedMs);
    this.#committedMs = nowMs;
    const actionBytes = block.actions.reduce((bytes, raw) => bytes + raw.length, 0);
    this.onExecuted({ actionBytes, gasUsed: roots.gasUsed, waitedMs, besidesMs });
    log.debug('block executed', { height, actionBytes, waitedMs, room: this.bytes, gas: this.gas });
  }

  onExecuted({ actionBytes, gasUsed, waitedMs, besidesMs }: ExecutedBlock): void {
    const { bytesMax, gasLimit } = this.#options;
    const { leastMs, mostMs } = this.#options;
    const targetMs = Math.min(Math.max(leastMs, besidesMs * besidesShare), mostMs);
    const used = Number(gasUsed);
    if (actionBytes === 0 && used === 0) return;
    // Nobody knows which part took the time: each is given as much of it as it filled the block.
    const actions = actionBytes / bytesMax;
    const share = actions / (actions + used / Number(gasLimit));
    this.#bytes.learn(actionBytes, waitedMs * share, targetMs);
    this.#gas.learn(used, waitedMs * (1 - share), targetMs);
  }
}

/** What was learnt of one kind. */
class Room {
  readonly #max: number;
  readonly #min: number;
  size: number;

  constructor(max: number, min: number) {
    this.#max = max;
    this.#min = min;
    this.size = Math.max(min, Math.floor(max * startsAt));
  }

  /** @param held in a block @param ms that it took */
  learn(held: number, ms: number, targetMs: number): void {
    if (held === 0) return;
    const fitting = Math.floor(held * Math.min(growthMax, targetMs / ms));
    const size = ms > targetMs ? Math.min(this.size, fitting) : Math.max(this.size, fitting);
    this.size = Math.min(this.#max, Math.max(size, this.#min));
  }
}

/** For this network; who is done first waits `proposeMs` for the proposal of one who is done last. */
export const blockRoomOf = (
  { consensus, evm }: Genesis,
  { proposeMs }: Pick<TimeoutConfig, 'proposeMs'>,
  sides: Pick<BlockRoomOptions, 'clock' | 'log'>,
): BlockRoom =>
  new BlockRoom({
    bytesMax: consensus.maxBlockBytes,
    gasLimit: evm.gasLimit,
    leastMs: proposeMs / 4,
    mostMs: proposeMs,
    ...sides,
  });

/** Of the time that the rest of a block takes. */
const besidesShare = 0.5;
/** Of what a block may have, before anything was learnt: a node that has just begun is slower than it will be. */
const startsAt = 0.25;
/** A block that was quick says little of one that is many times larger. */
const growthMax = 2;
/** A block of some fifty payments is made however slow the machine is: what comes with every block would be most of its time. */
const leastGas = 1_000_000;
