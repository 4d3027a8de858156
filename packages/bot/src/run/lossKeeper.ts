import type { HaltReason } from '../botState.ts';
import { BotError } from '../errors.ts';
import type { BotLog, Clock, StateFile } from '../ports.ts';
import { checkScope, decodeLossRecord, encodeLossRecord, type LossRecord, type LossScope } from '../risk/lossRecord.ts';

/** Blocks without a fill are noted so often: what a restart asks the chain for stays short, ms. */
const quietMs = 60_000;

/** Keeps a bot's loss in a file, so that a process that dies takes nothing of it along. */
export class LossKeeper {
  readonly #file: StateFile;
  readonly #scope: LossScope;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Pick<BotLog, 'error'>;
  #kept: LossRecord | null;
  #keptMs: number;
  #failed: HaltReason | null = null;

  /** @throws BotError `BOT_STATE_DAMAGED`, `BOT_STATE_FOREIGN`; what the file throws where it can not be read */
  constructor(file: StateFile, scope: LossScope, ports: { readonly clock: Pick<Clock, 'now'>; readonly log: BotLog }) {
    this.#file = file;
    this.#scope = scope;
    this.#clock = ports.clock;
    this.#log = ports.log;
    this.#kept = this.#read();
    this.#keptMs = ports.clock.now();
  }

  /** What was kept last; null where nothing was. */
  get record(): LossRecord | null {
    return this.#kept;
  }

  /**
   * Notes how far the loss has come. What changes it is on disk when this returns.
   *
   * @returns why the bot must not go on: the limit was passed, or a restart would not know the loss
   */
  keep(record: LossRecord): HaltReason | null {
    const nowMs = this.#clock.now();
    const isQuiet = this.#kept !== null && isSame(this.#kept, record) && nowMs - this.#keptMs < quietMs;
    if (this.#failed !== null || isQuiet) return this.#failed;
    try {
      const found = this.#read();
      if (found?.since !== this.#kept?.since)
        return this.#fail('state_changed', 'the file was reset, or another process keeps its own loss there');
      const isReached = record.isReached || (found?.isReached ?? false);
      this.#kept = { ...record, isReached };
      this.#keptMs = nowMs;
      this.#file.write(encodeLossRecord(this.#scope, this.#kept));
      return isReached ? 'loss_limit' : null;
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return this.#fail(thrown instanceof BotError ? 'state_changed' : 'state_unwritable', reason);
    }
  }

  #fail(why: HaltReason, reason: string): HaltReason {
    this.#log.error({ state: this.#file.path, reason }, 'loss not kept');
    this.#failed = why;
    return why;
  }

  #read(): LossRecord | null {
    const text = this.#file.read();
    if (text === null) return null;
    const { scope, record } = decodeLossRecord(text, this.#file.path);
    checkScope(scope, this.#scope, this.#file.path);
    return record;
  }
}

/** But for blocks that brought nothing. */
const isSame = (a: LossRecord, b: LossRecord): boolean =>
  a.since === b.since && a.position === b.position && a.cash === b.cash && a.isReached === b.isReached;
