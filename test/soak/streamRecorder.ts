import { JsonSocket } from './jsonSocket.ts';
import type { SoakNetwork } from './soakNetwork.ts';
import { SoakFault } from './soakNetwork.ts';

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

/** Subscribes to every kind of stream on each validator that runs, and writes down what is heard until it ends. */
export class StreamRecorder {
  readonly #network: SoakNetwork;
  readonly #markets: readonly number[];
  readonly #accounts: readonly string[];
  readonly #open = new Map<number, { readonly socket: JsonSocket; readonly recording: Recording }>();
  #done: Recording[] = [];

  constructor(network: SoakNetwork, markets: readonly number[], accounts: readonly string[]) {
    this.#network = network;
    this.#markets = markets;
    this.#accounts = accounts;
  }

  /** Begins on a validator that has just begun to serve. */
  async begin(node: number): Promise<void> {
    const socket = await JsonSocket.open(this.#network.testnet.url(node));
    const heard: Heard[] = [];
    const topics = new Map<string, Pick<Heard, 'kind' | 'of'>>();
    // The first one may come in the same packet as the answer that tells its id.
    const early = new Map<string, unknown[]>();
    socket.onNotification = (subscription, result) => {
      const topic = topics.get(subscription);
      if (topic === undefined) {
        early.set(subscription, [...(early.get(subscription) ?? []), result]);
        return;
      }
      heard.push({ ...topic, result: result as Heard['result'] });
      if (topic.kind === 'newHeads') this.#network.reached(Number((result as { number: string }).number));
    };
    const subscribe = async (kind: Heard['kind'], of: string, options?: object): Promise<void> => {
      const answer = await this.#network.guarded(
        socket.call('eth_subscribe', options === undefined ? [kind] : [kind, options]),
      );
      if (answer.error !== undefined) throw new SoakFault(`eth_subscribe ${kind}: ${answer.error.message}`);
      const id = String(answer.result);
      topics.set(id, { kind, of });
      for (const result of early.get(id) ?? []) socket.onNotification(id, result);
      early.delete(id);
    };
    await subscribe('newHeads', '');
    await subscribe('domainEvents', '');
    for (const market of this.#markets)
      for (const kind of ['orderBook', 'trades'] as const) await subscribe(kind, String(market), { market_id: market });
    for (const account of this.#accounts)
      for (const kind of ['fills', 'orders'] as const) await subscribe(kind, account, { address: account });
    const { result } = await this.#network.guarded(socket.call('eth_blockNumber', []));
    this.#open.set(node, { socket, recording: { node, after: Number(result), heard } });
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
    return [...this.#open].flatMap(([node, { socket }]) => (socket.closed ? [node] : []));
  }

  /** Ends all, and gives what they heard. */
  take(): Recording[] {
    for (const node of this.#open.keys()) this.end(node);
    const done = this.#done;
    this.#done = [];
    return done;
  }
}
