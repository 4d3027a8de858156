/**
 * Work that waits for one of a few slots, in two lanes. Light jobs go first, but every fifth job is a heavy one if one waits, and
 * heavy jobs never hold all slots (where there is more than one): a flood of calls must not keep a balance from being read, nor the
 * other way round. A job that waited too long is refused and not begun, as nobody would wait for its end.
 */
export type Lane = 'light' | 'heavy';

/** Room of the queue, and what becomes of jobs beyond it. */
export interface JobQueueOptions {
  /** Jobs that run at once, at least 1. */
  readonly slots: number;
  /** Jobs that may wait; heavy ones half as many. */
  readonly waitingMax: number;
  /** How long a job may wait, ms; asked for each job. */
  readonly waitMs: () => number;
  /** The refusal of a job that does not get its turn. */
  readonly refuse: () => Error;
}

interface Waiting {
  begin(): void;
  refuse(): void;
}

/** Light jobs in a row while a heavy one waits. */
const lightInRowMax = 4;

/** Gives each job a slot in its turn, or refuses it when too many wait or it waited too long. */
export class JobQueue {
  private readonly options: JobQueueOptions;
  private readonly heavyRunningMax: number;
  /** Sets keep the order of arrival, and let a job that gave up leave from the middle. */
  private readonly waiting: Readonly<Record<Lane, Set<Waiting>>> = { light: new Set(), heavy: new Set() };
  private readonly running: Record<Lane, number> = { light: 0, heavy: 0 };
  private lightInRow = 0;

  constructor(options: JobQueueOptions) {
    this.options = options;
    this.heavyRunningMax = Math.max(1, options.slots - 1);
  }

  /** Jobs that wait for a slot. */
  get waitingCount(): number {
    return this.waiting.light.size + this.waiting.heavy.size;
  }

  /**
   * Runs a job when its turn comes.
   *
   * @param queued told how to take the job back as long as it waits; the promise stays open then
   * @throws what the job throws, or the refusal
   */
  async run<T>(lane: Lane, job: () => Promise<T>, queued?: (leave: () => void) => void): Promise<T> {
    await this.turn(lane, queued);
    try {
      return await job();
    } finally {
      this.running[lane]--;
      this.beginNext();
    }
  }

  /** Refuses everybody who waits. */
  close(): void {
    for (const lane of ['light', 'heavy'] as const) for (const entry of this.waiting[lane]) entry.refuse();
  }

  /** Resolves when the job may run, and counts it as running. */
  private turn(lane: Lane, queued?: (leave: () => void) => void): Promise<void> {
    const { waitingMax, waitMs, refuse } = this.options;
    if (this.waitingCount === 0 && this.isFree(lane)) {
      this.running[lane]++;
      return Promise.resolve();
    }
    if (this.waiting[lane].size >= (lane === 'heavy' ? Math.ceil(waitingMax / 2) : waitingMax))
      return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        this.waiting[lane].delete(entry);
      };
      const entry: Waiting = {
        begin: () => {
          leave();
          this.running[lane]++;
          resolve();
        },
        refuse: () => {
          leave();
          reject(refuse());
        },
      };
      const timer = setTimeout(entry.refuse, waitMs());
      this.waiting[lane].add(entry);
      queued?.(leave);
      this.beginNext();
    });
  }

  private isFree(lane: Lane): boolean {
    const { light, heavy } = this.running;
    return light + heavy < this.options.slots && (lane === 'light' || heavy < this.heavyRunningMax);
  }

  private beginNext(): void {
    for (let lane = this.nextLane(); lane !== null; lane = this.nextLane()) {
      this.lightInRow = lane === 'light' ? this.lightInRow + 1 : 0;
      const [entry] = this.waiting[lane];
      entry?.begin();
    }
  }

  private nextLane(): Lane | null {
    const canHeavy = this.waiting.heavy.size > 0 && this.isFree('heavy');
    const canLight = this.waiting.light.size > 0 && this.isFree('light');
    if (canHeavy && (!canLight || this.lightInRow >= lightInRowMax)) return 'heavy';
    return canLight ? 'light' : null;
  }
}
