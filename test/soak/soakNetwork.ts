import { setTimeout as delay } from 'node:timers/promises';
import { createTestnet, type Testnet } from '@prime/testkit';

/** What the run found to be wrong: ends it, and stands in the report. */
export class SoakFault extends Error {}

export type Stop = 'SIGKILL' | 'SIGTERM';

const validators = 4;
export const allValidators: readonly number[] = Array.from({ length: validators }, (_, index) => index);

/** Longest that a network with a quorum may stand still, or a node may take to be ready, on a machine that is busy with other things. ms */
const patienceMs = 300_000;
const watchMs = 250;

/** Markets by what uses them, so that shapes do not trade with each other; the grid of the second one is coarse. */
export const markets = {
  cancels: 1,
  grid: 2,
  sweeps: 3,
  expiries: 4,
  many: 5,
  risk: 6,
  contracts: 7,
  mixed: 8,
  changes: 9,
} as const;

/** Margin that depends on size, fees and rebates: the rules that other networks leave out are on. */
function editGenesis(genesis: Record<string, unknown>): void {
  genesis['markets'] = Object.keys(markets).map((name) => ({
    symbol: `${name.toUpperCase()}/USD`,
    tickSize: name === 'grid' ? '5' : '1',
    lotSize: name === 'grid' ? '10' : '1',
  }));
  // Orders that ended are remembered; the model copies all of them for each action. Who is liquidated is left to the shapes.
  Object.assign(genesis['clob'] as object, { orderMemoryBlocks: 32, autoLiquidatePerBlock: 0 });
}

/** Four validators as processes; whoever ends without being told to is a fault. */
export class SoakNetwork {
  readonly testnet: Testnet;
  /** Rejects with the first fault of a process. */
  readonly failed: Promise<never>;
  readonly stops: Record<Stop, number> = { SIGKILL: 0, SIGTERM: 0 };
  readonly #stoppedOnes = new Set<number>();
  readonly #up = new Set<number>();
  readonly #watch: NodeJS.Timeout;
  #fail: (fault: SoakFault) => void = () => undefined;
  #moved = { height: -1, atMs: Date.now() };

  private constructor(testnet: Testnet) {
    this.testnet = testnet;
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
    this.#watch = setInterval(() => this.#look(), watchMs);
  }

  /** @param program of another build, null for this one */
  static async start(program: string | null): Promise<SoakNetwork> {
    const testnet = await createTestnet({
      validators,
      idlePace: 'preset',
      // What is judged is not how fast a machine is that has other things to do: threads that stand back get no turn there for long.
      environment: {
        PRIME_THREADS_HANG_MS: '600000',
        PRIME_THREADS_GATEWAY_NICE: '0',
        PRIME_THREADS_READER_NICE: '0',
      },
      genesis: editGenesis,
      ...(program === null ? {} : { program }),
    });
    const network = new SoakNetwork(testnet);
    try {
      await network.#patient(
        'four validators get ready',
        Promise.all(allValidators.map((index) => testnet.start(index))),
      );
    } catch (error) {
      await network.destroy();
      throw error;
    }
    for (const index of allValidators) network.#up.add(index);
    network.rested();
    return network;
  }

  /** Validators that run, by index. */
  get up(): readonly number[] {
    return [...this.#up].sort((a, b) => a - b);
  }

  /** Those that were stopped at least once. */
  get stoppedOnes(): number {
    return this.#stoppedOnes.size;
  }

  async stop(index: number, how: Stop): Promise<void> {
    this.#up.delete(index);
    const code = await this.testnet.kill(index, how);
    if (how === 'SIGTERM' && code !== 0)
      throw new SoakFault(`validator${index} ended with ${code} on SIGTERM\n${this.testnet.tail(index)}`);
    this.stops[how]++;
    this.#stoppedOnes.add(index);
  }

  async back(index: number): Promise<void> {
    await this.#patient(`validator${index} gets ready again`, this.testnet.start(index));
    this.#up.add(index);
  }

  /** Told by whoever hears of blocks; a chain that stands still is a fault. */
  reached(height: number): void {
    if (height > this.#moved.height) this.#moved = { height, atMs: Date.now() };
  }

  /** Nobody has listened for a while: that the chain stood still meanwhile is not known. */
  rested(): void {
    this.#moved = { ...this.#moved, atMs: Date.now() };
  }

  /** Of work that waits for the network: rejects when a process ends or the chain stands still. */
  guarded<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.failed]);
  }

  async destroy(): Promise<void> {
    clearInterval(this.#watch);
    this.#up.clear();
    await this.testnet.destroy();
  }

  #look(): void {
    for (const index of this.#up)
      if (!this.testnet.running(index)) {
        this.#up.delete(index);
        void this.#ended(index);
      }
    if (Date.now() - this.#moved.atMs > patienceMs && this.#up.size === validators)
      this.#fail(new SoakFault(`no block after ${this.#moved.height} for ${patienceMs} ms`));
  }

  async #ended(index: number): Promise<void> {
    const code = await this.testnet.kill(index, 'SIGKILL');
    // What it said last may still be on its way.
    await delay(watchMs);
    this.#fail(new SoakFault(`validator${index} ended by itself with ${code}:\n${this.testnet.tail(index)}`));
  }

  async #patient<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new SoakFault(`${what}: not within ${patienceMs} ms`)), patienceMs);
    });
    try {
      return await Promise.race([work, late, this.failed]);
    } catch (error) {
      throw error instanceof SoakFault ? error : new SoakFault(`${what}: ${String(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}
