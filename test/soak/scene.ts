import { setTimeout as delay } from 'node:timers/promises';
import type { Asked } from '@prime/audit';
import type { Prng } from '@prime/primitives';
import { parseSamples } from '@prime/telemetry';
import { type Clients, hex } from './clients.ts';
import { allValidators, SoakFault, type SoakNetwork } from './soakNetwork.ts';
import type { StreamRecorder } from './streamRecorder.ts';

type Call = readonly [method: string, params: readonly unknown[]];

/** A pattern of use: what clients do, at which sizes. What came of it is judged from the blocks. */
export interface Shape {
  readonly name: string;
  /** Takes so long that it comes once for three of the others. */
  readonly isLong?: true;
  readonly run: (scene: Scene) => Promise<void>;
}

/** Whom the plan is about: an address for each name. */
export const named = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(40, '0')}`;

/** Fields of an order as the methods take them. */
export interface WireOrder {
  readonly market_id: number;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
  readonly tif: 'gtc' | 'ioc' | 'fok';
  readonly post_only?: boolean;
  readonly reduce_only?: boolean;
  readonly stp?: 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement';
  readonly client_id?: string;
  readonly expires_at?: number;
}

export const limit = (
  market: number,
  side: 'buy' | 'sell',
  price: number | bigint,
  size: number | bigint,
  more: Partial<WireOrder> = {},
): WireOrder => ({ market_id: market, side, price: hex(price), size: hex(size), tif: 'gtc', ...more });

const pollMs = 50;
/** Requests of one shape that are under way at once, unless it says otherwise. */
const width = 16;
/** Items of one batch action. */
const batchItems = 100;

/** What shapes work with. */
export class Scene {
  readonly random: Prng;
  readonly clients: Clients;
  readonly network: SoakNetwork;
  readonly #recorder: StreamRecorder;
  #lock: Promise<void> = Promise.resolve();

  constructor(of: {
    readonly random: Prng;
    readonly clients: Clients;
    readonly network: SoakNetwork;
    readonly recorder: StreamRecorder;
  }) {
    this.random = of.random;
    this.clients = of.clients;
    this.network = of.network;
    this.#recorder = of.recorder;
  }

  pick<T>(of: readonly T[]): T {
    return of[this.random.below(of.length)]!;
  }

  order(owner: string, order: WireOrder): Promise<Asked> {
    return this.clients.ask('primeorders_submitOrder', [{ owner, ...order }]);
  }

  /** Any number of items, as batches of as many as one may hold. */
  async batches(owner: string, items: readonly object[], size = batchItems): Promise<void> {
    const calls: Call[] = [];
    for (let from = 0; from < items.length; from += size)
      calls.push(['primeorders_batch', [owner, items.slice(from, from + size)]]);
    await this.clients.all(calls, width);
  }

  place(owner: string, orders: readonly WireOrder[], size = batchItems): Promise<void> {
    return this.batches(
      owner,
      orders.map((order) => ({ type: 'order', ...order })),
      size,
    );
  }

  /** Collateral for each of them. */
  async fund(owners: readonly string[], wei: bigint): Promise<void> {
    await this.clients.all(
      owners.map((owner) => ['primeorders_depositCollateral', [owner, hex(wei)]] as const),
      width,
    );
  }

  cancelAll(owner: string): Promise<Asked> {
    return this.clients.ask('primeorders_cancelAll', [owner]);
  }

  /** Ids of an account's open orders, as one of the nodes knows them. */
  async open(owner: string): Promise<string[]> {
    const orders = await this.clients.read<{ order_id: string }[]>('primeorders_getOpenOrders', [owner]);
    return orders.map((order) => order.order_id);
  }

  /** Waits until something holds; asks again and again. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + untilMs;
    while (!(await holds())) {
      if (Date.now() > end) throw new SoakFault(`${what}: not within ${untilMs} ms`);
      await this.network.guarded(delay(pollMs));
    }
  }

  /**
   * Calls that come into as few blocks as they can: two of the four stand still until the requests wait in the mempool of a third one.
   */
  together(calls: readonly Call[]): Promise<Asked[]> {
    return this.#alone(async () => {
      const [asked, , ...rest] = allValidators;
      const { testnet } = this.network;
      const before = await this.#waiting(asked!);
      for (const index of rest) testnet.pause(index);
      try {
        let answered = 0;
        const answers = calls.map(([method, params]) =>
          this.clients.ask(method, params, asked).finally(() => answered++),
        );
        await this.until('the requests wait', async () => {
          const waiting = (await this.#waiting(asked!)) - before;
          return waiting + answered >= calls.length * mostOfThem || answered === calls.length;
        });
        for (const index of rest) testnet.resume(index);
        return await Promise.all(answers);
      } finally {
        for (const index of rest) testnet.resume(index);
      }
    });
  }

  /** Stops a random validator the hard or the graceful way, lets the others go on, and starts it again. */
  disturb(): Promise<void> {
    const victim = this.pick(allValidators);
    const how = this.pick(['SIGKILL', 'SIGTERM'] as const);
    return this.#alone(async () => {
      this.#recorder.end(victim);
      await this.network.stop(victim, how);
      const before = await this.#height();
      await this.until('the others go on', async () => (await this.#height()) > before);
      await this.network.back(victim);
      await this.#recorder.begin(victim);
    });
  }

  async #height(): Promise<number> {
    return Number(await this.clients.read<string>('eth_blockNumber'));
  }

  /** Actions and transactions in a validator's mempool. */
  async #waiting(node: number): Promise<number> {
    const metrics = await (await fetch(`${this.network.testnet.adminUrl(node)}/metrics`)).text();
    return parseSamples(metrics).sum('prime_mempool_items');
  }

  /** One at a time: a process that stands still can not be asked to end. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lock.then(work);
    this.#lock = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }
}

/** As long as the network may take for anything. */
const untilMs = 240_000;
/** Part of the requests that has to wait: some are refused at once, and one block may be on its way. */
const mostOfThem = 0.95;
