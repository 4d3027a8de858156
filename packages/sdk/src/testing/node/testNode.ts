import { once } from 'node:events';
import { type EventEntry, eventsMessage, fillsMessage, fillsOf, tradesMessage } from '@prime/rpc';
import { type WebSocket, WebSocketServer } from 'ws';
import { bookText, type TestBlock, type TestChain } from './testChain.ts';

/** A node of a {@link TestChain} that serves WebSockets in this process, and goes wrong where a test wants it to. */

type Json = Readonly<Record<string, unknown>>;
type Method = (params: readonly unknown[], node: TestNode) => unknown;

export class RpcFault extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Subscription {
  readonly id: string;
  readonly kind: string;
  readonly options: Json;
  /** Of a book that the reader has. */
  sequence: number;
}

interface Client {
  readonly socket: WebSocket;
  readonly subscriptions: Subscription[];
}

const hex = (value: number): string => `0x${value.toString(16)}`;
const accountFields = ['owner', 'maker', 'taker', 'address', 'counterparty', 'account', 'agent', 'from', 'to'];

/** As the node selects events. */
function selects(event: EventEntry, { domain, kind, address }: Json): boolean {
  const accounts = address === undefined ? [] : [address].flat();
  const named = accountFields.map((name) => event.data[name]);
  return (
    (domain === undefined || domain === event.domain) &&
    (kind === undefined || kind === event.kind) &&
    (accounts.length === 0 || accounts.some((account) => named.includes(account as never)))
  );
}

export class TestNode {
  readonly chain: TestChain;
  /** Height that this node is at. */
  head: number;
  /** Oldest block that it keeps. */
  oldest = 0;
  blockRangeMax = 100_000;
  eventCountMax = 20_000;
  /** Takes messages and answers nothing: a half-open connection. */
  isMute = false;
  /** Changes what is sent; null sends nothing. */
  tamper: (text: string) => string | null = (text) => text;
  readonly methods: Record<string, Method> = {};
  /** What streams of other kinds say of a block, and at their beginning; null is nothing. */
  stateOf: (kind: string, block: TestBlock, isFirst: boolean) => unknown = () => null;
  /** Requests that came, by method. */
  readonly asked: string[] = [];
  readonly #server: WebSocketServer;
  readonly #clients = new Set<Client>();
  #nextId = 1;
  #told = 0;

  static async start(chain: TestChain, head = chain.height): Promise<TestNode> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return new TestNode(chain, head, server);
  }

  private constructor(chain: TestChain, head: number, server: WebSocketServer) {
    this.chain = chain;
    this.head = head;
    this.#told = head;
    this.#server = server;
    server.on('connection', (socket) => this.#serve(socket));
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  get connections(): number {
    return this.#clients.size;
  }

  get subscriptions(): number {
    return [...this.#clients].reduce((sum, { subscriptions }) => sum + subscriptions.length, 0);
  }

  /** Goes on to a height, and tells of each block on the way. */
  show(height = this.chain.height): void {
    while (this.#told < height) {
      this.#told++;
      this.head = this.#told;
      const block = this.chain.blocks[this.head]!;
      for (const client of this.#clients)
        for (const subscription of client.subscriptions) this.#tell(client, subscription, block);
    }
  }

  /** Ends all connections, as a node that crashes. */
  drop(): void {
    for (const { socket } of this.#clients) socket.terminate();
  }

  /** Ends all connections with a word. */
  end(code: number, reason: string): void {
    for (const { socket } of this.#clients) socket.close(code, reason);
  }

  /** Sends a text to everybody. */
  say(text: string): void {
    for (const { socket } of this.#clients) socket.send(text);
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: WebSocket): void {
    const client: Client = { socket, subscriptions: [] };
    this.#clients.add(client);
    socket.on('message', (data) => {
      if (!this.isMute) this.#answer(client, JSON.parse((data as Buffer).toString('utf8')) as Json | Json[]);
    });
    socket.on('close', () => this.#clients.delete(client));
    socket.on('error', () => undefined);
  }

  #answer(client: Client, body: Json | readonly Json[]): void {
    const begun: Subscription[] = [];
    const one = (request: Json): Json => {
      const { id, method } = request as { id: unknown; method: string };
      this.asked.push(method);
      try {
        const params = (request['params'] ?? []) as readonly unknown[];
        if (/^(?:eth|prime)_subscribe$/.test(method) && this.methods[method] === undefined) {
          const subscription = this.#open(method === 'prime_subscribe' ? [nativeHeads] : params);
          begun.push(subscription);
          return { jsonrpc: '2.0', id, result: subscription.id };
        }
        if (method === 'eth_unsubscribe') return { jsonrpc: '2.0', id, result: this.#close(client, params[0]) };
        return { jsonrpc: '2.0', id, result: this.#call(method, params) };
      } catch (error) {
        const { code, message, data } = error as RpcFault;
        if (!(error instanceof RpcFault)) throw error;
        return { jsonrpc: '2.0', id, error: { code, message, data } };
      }
    };
    const answer = Array.isArray(body) ? body.map(one) : one(body as Json);
    this.#send(client, JSON.stringify(answer));
    for (const subscription of begun) {
      client.subscriptions.push(subscription);
      const block = this.chain.blocks[this.head]!;
      if (subscription.kind === 'orderBook') this.#sendBook(client, subscription, block, true);
      else this.#tellState(client, subscription, block, true);
    }
  }

  #open([kind, options = {}]: readonly unknown[]): Subscription {
    return { id: hex(this.#nextId++), kind: kind as string, options: options as Json, sequence: -1 };
  }

  #close({ subscriptions }: Client, id: unknown): boolean {
    const at = subscriptions.findIndex((subscription) => subscription.id === id);
    if (at >= 0) subscriptions.splice(at, 1);
    return at >= 0;
  }

  #call(method: string, params: readonly unknown[]): unknown {
    const own = this.methods[method];
    if (own !== undefined) return own(params, this);
    switch (method) {
      case 'eth_chainId':
      case 'net_version':
        return '0x1eef';
      case 'eth_blockNumber':
        return hex(this.head);
      case 'eth_getBlockByNumber': {
        const height = params[0] === 'latest' ? this.head : Number(params[0]);
        if (height < this.oldest && height !== this.head) throw this.#pruned();
        return height > this.head ? null : this.#headOf(this.chain.blocks[height]!);
      }
      case 'prime_getBlockByNumber':
        return { domain_events: this.#format(this.chain.blocks[Number(params[0])]!.events) };
      case 'prime_getParameters':
        return { clob: {} };
      case 'prime_getDomainEvents':
        return this.#events(params[0] as Json);
      default:
        throw new RpcFault(-32601, `the method ${method} does not exist`);
    }
  }

  #headOf({ height, hash, parentHash }: TestBlock): Json {
    return { number: hex(height), hash, parentHash };
  }

  #pruned(): RpcFault {
    return new RpcFault(4444, 'pruned history unavailable', { oldest: hex(this.oldest) });
  }

  #format(events: readonly EventEntry[]): unknown {
    const [first] = events;
    if (first === undefined) return [];
    return eventsMessage(this.chain.blocks[first.height]!.record, events)['events'];
  }

  #events(filter: Json): unknown {
    const [from, to] = [Number(filter['fromBlock']), Math.min(Number(filter['toBlock']), this.head)];
    if (to - from >= this.blockRangeMax)
      throw new RpcFault(-32005, 'too wide', { limit: 'blockRange', maximum: this.blockRangeMax });
    if (from < this.oldest) throw this.#pruned();
    const found = this.chain.blocks
      .slice(from, to + 1)
      .flatMap(({ events }) => events.filter((event) => selects(event, filter)));
    if (found.length > this.eventCountMax)
      throw new RpcFault(-32005, 'too many', { limit: 'eventCount', maximum: this.eventCountMax });
    return found.flatMap((event) => this.#format([event]));
  }

  #tell(client: Client, subscription: Subscription, block: TestBlock): void {
    const { kind, options } = subscription;
    const { events, record } = block;
    if (kind === 'newHeads') this.#notify(client, subscription, this.#headOf(block));
    else if (kind === nativeHeads) this.#notify(client, subscription, nativeHeadOf(block));
    else if (kind === 'domainEvents') {
      const wanted = events.filter((event) => selects(event, options));
      if (wanted.length > 0) this.#notify(client, subscription, eventsMessage(record, wanted));
    } else if (kind === 'trades') {
      const id = options['market_id'];
      const trades = events.filter((event) => event.kind === 'trade' && event.data['market_id'] === id);
      if (trades.length > 0) this.#notify(client, subscription, tradesMessage(record, id as never, trades, false));
    } else if (kind === 'fills') {
      const fills = fillsOf(options['address'] as never, events);
      if (fills.length > 0)
        this.#notify(client, subscription, fillsMessage(record, options['address'] as never, fills));
    } else if (kind === 'orderBook' && block.change !== null) this.#sendBook(client, subscription, block, false);
    else this.#tellState(client, subscription, block, false);
  }

  #tellState(client: Client, subscription: Subscription, block: TestBlock, isFirst: boolean): void {
    const state = stateKinds.has(subscription.kind) ? this.stateOf(subscription.kind, block, isFirst) : null;
    if (state !== null) this.#notify(client, subscription, state);
  }

  #sendBook(client: Client, subscription: Subscription, block: TestBlock, isFirst: boolean): void {
    const type = isFirst ? 'snapshot' : 'update';
    this.#notify(client, subscription, bookText(block, type, subscription.sequence));
    subscription.sequence = block.book.sequence;
  }

  #notify(client: Client, { id }: Subscription, result: unknown): void {
    const params = { subscription: id, result };
    this.#send(client, JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params }));
  }

  #send({ socket }: Client, text: string): void {
    if (this.isMute) return;
    const sent = this.tamper(text);
    if (sent !== null) socket.send(sent);
  }
}

/** Streams of which a test says what they tell. */
const stateKinds: ReadonlySet<string> = new Set(['bookOrders', 'bbo', 'ticker', 'account', 'candles']);

/** Address of the one validator of the chain. */
export const testValidator = `0x${'a1'.repeat(20)}`;

/** Kind of the subscription to heads in the native format. */
const nativeHeads = 'native newHeads';

/** A head in the native format: decided in the round of its height modulo two, a second after the one before. */
const nativeHeadOf = ({ height, hash, parentHash }: TestBlock): Json => ({
  number: hex(height),
  hash,
  parent_hash: parentHash,
  proposer: testValidator,
  timestamp_ms: hex(height * 1_000),
  gas_limit: hex(30_000_000),
  gas_used: hex(21_000),
  base_fee: '0x7',
  state_root: hash,
  receipts_root: hash,
  events_root: hash,
  validators_hash: hash,
  next_validators_hash: hash,
  commit: { round: hex(height % 2), signature_count: '0x1', signers: [testValidator] },
  last_commit_round: null,
  transaction_count: '0x1',
  action_count: '0x2',
});
