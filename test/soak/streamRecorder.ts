import { SocketCalls } from '@prime/load';
import { socketUrlOf } from './clients.ts';
import type { SoakNetwork } from './soakNetwork.ts';

/** A notification, and what it was subscribed to. */
export interface Heard {
  readonly kind: 'newHeads' | 'orderBook' | 'trades' | 'fills' | 'orders' | 'domainEvents';
  /** Market id or address; empty where the kind has none. */
  readonly of: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** One connection to one validator from its subscriptions to its end. */
export interface Recording {
  readonly node: number;
  /** Newest block when all subscriptions were answered: what comes after it is heard whole. */
  readonly after: number;
  readonly heard: readonly Heard[];
}

interface Notification {
  readonly params: { readonly subscription: string; readonly result: Heard['result'] };
}

/** Subscribes to every kind of stream on each validator that runs, and writes down what is heard until it ends. */
export class StreamRecorder {
  readonly #network: SoakNetwork;
  readonly #markets: readonly number[];
  readonly #accounts: readonly string[];
  readonly #open = new Map<number, { readonly socket: SocketCalls; readonly recording: Recording }>();
  #done: Recording[] = [];

  constructor(network: SoakNetwork, markets: readonly number[], accounts: readonly string[]) {
    this.#network = network;
    this.#markets = markets;
    this.#accounts = accounts;
  }

  /** Begins on a validator that has just begun to serve. */
  async begin(node: number): Promise<void> {
    const heard: Heard[] = [];
    const topics = new Map<string, Pick<Heard, 'kind' | 'of'>>();
    const onNotification = (message: Buffer): void => {
      const { subscription, result } = (JSON.parse(message.toString()) as Notification).params;
      const topic = topics.get(subscription)!;
      heard.push({ ...topic, result });
      if (topic.kind === 'newHeads') this.#network.reached(Number(result['number']));
    };
    const socket = await SocketCalls.open({ url: socketUrlOf(this.#network.testnet.url(node)), onNotification });
    const subscribe = async (kind: Heard['kind'], of: string, options?: object): Promise<void> => {
      const params = options === undefined ? [kind] : [kind, options];
      // In the turn of the answer: the first message may come in the same packet.
      await this.#network.guarded(
        socket.call('eth_subscribe', params, (id) => void topics.set(String(id), { kind, of })),
      );
    };
    await subscribe('newHeads', '');
    await subscribe('domainEvents', '');
    for (const market of this.#markets)
      for (const kind of ['orderBook', 'trades'] as const) await subscribe(kind, String(market), { market_id: market });
    for (const account of this.#accounts)
      for (const kind of ['fills', 'orders'] as const) await subscribe(kind, account, { address: account });
    const head = await this.#network.guarded(socket.call('eth_blockNumber', []));
    this.#open.set(node, { socket, recording: { node, after: Number(head), heard } });
  }

  /** Ends on a validator that is about to stop, or was stopped: what it said until then counts. */
  end(node: number): void {
    const open = this.#open.get(node);
    if (open === undefined) return;
    this.#open.delete(node);
    open.socket.close();
    this.#done.push(open.recording);
  }

  /** Whether all of them have heard of a block. */
  haveHeard(height: number): boolean {
    return [...this.#open.values()].every(({ recording: { heard, after } }) => {
      const last = heard.findLast(({ kind }) => kind === 'newHeads');
      return Math.max(after, Number(last?.result['number'] ?? 0)) >= height;
    });
  }

  /** Whether one ended that nobody has stopped. @returns the validators */
  get broken(): readonly number[] {
    return [...this.#open].flatMap(([node, { socket }]) => (socket.isOver ? [node] : []));
  }

  /** Ends all, and gives what they heard. */
  take(): Recording[] {
    for (const node of this.#open.keys()) this.end(node);
    const done = this.#done;
    this.#done = [];
    return done;
  }
}
