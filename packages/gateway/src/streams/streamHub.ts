import type { Hex } from '@prime/primitives';
import {
  type BlockRecord,
  candleMessage,
  type Format,
  formatTransaction,
  isHiddenTopic,
  limitExceeded,
  type NetworkStatus,
  type NodeInfo,
  type Subscriptions,
  type Surface,
  syncingMessage,
  type Topic,
} from '@prime/rpc';
import { newId } from '../newId.ts';
import type { PendingListener, PendingTransactions } from '../services/pendingTransactions.ts';
import type { CandleModel } from '../readModel/candles.ts';
import type { OrderBookChanges } from '../readModel/books/bookChanges.ts';
import type { OrderBookModel } from '../readModel/orderBooks.ts';
import type { RecentBlock } from '../readModel/recentBlocks.ts';
import { blockResults } from './blockResults.ts';
import { StateSnapshot } from './stateSnapshot.ts';
import { isStateTopic, type StateStream, stateStream } from './stateStreams.ts';

/** Where the notifications of a connection go. */
export interface Sink {
  readonly surface: Surface;
  send(text: string): void;
  /** Whether the reader is slow, so that what it can do without should be left out. */
  isBehind(): boolean;
  /** Says goodbye with a code of RFC 6455 and a reason. */
  end(code: number, reason: string): void;
}

/** Codes with which the node closes a WebSocket (RFC 6455 section 7.4.1, and 1013 of its registry). */
export const closeCode = { goingAway: 1001, policy: 1008, tryAgainLater: 1013 } as const;

/** What is streamed, from where, and how many subscriptions one connection may have. */
export interface StreamHubOptions {
  readonly info: Pick<NodeInfo, 'privacyForkBlock'>;
  readonly subscriptionsMax: number;
  readonly books: OrderBookModel;
  readonly candles: CandleModel;
  readonly pending: PendingTransactions;
  readonly networkStatus: () => Promise<NetworkStatus>;
  readonly head: BlockRecord;
  /** Entries of one message of a snapshot; tests take fewer. */
  readonly partEntriesMax?: number;
}

interface Subscription {
  readonly id: Hex;
  readonly source: Source;
  readonly sink: Sink;
  /** Of what tells how something stands: what the reader has is not the state before the next change. */
  needsSnapshot: boolean;
  /** A snapshot that the reader is not through with, and which of its messages comes next. */
  copy: { readonly snapshot: StateSnapshot; at: number } | null;
}

/** Everything that is the same for all subscriptions to one thing; its messages are made once. */
interface Source {
  readonly key: string;
  readonly topic: Topic;
  readonly format: Format;
  readonly surface: Surface;
  readonly subscriptions: Set<Subscription>;
  /** Subscriptions, also those that have not begun. */
  uses: number;
  ready: Promise<void>;
  pendingListener: PendingListener | null;
  wasSyncing: boolean;
  /** Of what tells how something stands, else null. */
  readonly state: StateStream | null;
  snapshot: StateSnapshot | null;
}

/** The streams of one connection. */
export interface ConnectionStreams {
  /** For one request: subscriptions that it opens begin with `begin`, after its answer. */
  request(): { readonly subscriptions: Subscriptions; begin(): void };
  /** The reader is no longer behind. */
  resume(): void;
  /** Ends all subscriptions. */
  close(): void;
}

const notification = (id: Hex, result: string): string =>
  `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`;

/**
 * Tells connections what they subscribed to. It is called after the read models took a block, so that whoever hears of a block can
 * ask for all of it.
 */
export class StreamHub {
  private readonly options: StreamHubOptions;
  private readonly sources = new Map<string, Source>();
  private head: BlockRecord;

  constructor(options: StreamHubOptions) {
    this.options = options;
    this.head = options.head;
  }

  attach(sink: Sink): ConnectionStreams {
    const own = new Map<Hex, Subscription>();
    let opening = 0;
    let closed = false;
    const open = async (topic: Topic, format: Format): Promise<Subscription> => {
      const { subscriptionsMax } = this.options;
      if (own.size + opening >= subscriptionsMax)
        throw limitExceeded('subscriptions', subscriptionsMax, `the connection has ${own.size} subscriptions`);
      const source = this.use(topic, format, sink.surface);
      opening++;
      try {
        await source.ready;
      } catch (error) {
        this.release(source);
        throw error;
      } finally {
        opening--;
      }
      const subscription: Subscription = { id: newId(), source, sink, needsSnapshot: true, copy: null };
      if (closed) this.release(source);
      else own.set(subscription.id, subscription);
      return subscription;
    };
    const end = (subscription: Subscription): void => {
      own.delete(subscription.id);
      leaveSnapshot(subscription);
      subscription.source.subscriptions.delete(subscription);
      this.release(subscription.source);
    };
    const close = (id: Hex): boolean => {
      const subscription = own.get(id);
      if (subscription !== undefined) end(subscription);
      return subscription !== undefined;
    };
    return {
      request: () => {
        const opened: Subscription[] = [];
        const remember = async (topic: Topic, format: Format): Promise<Hex> => {
          const subscription = await open(topic, format);
          opened.push(subscription);
          return subscription.id;
        };
        return {
          subscriptions: { open: remember, close },
          begin: () => {
            for (const subscription of opened) if (own.has(subscription.id)) this.begin(subscription);
          },
        };
      },
      resume: () => {
        for (const subscription of own.values())
          if (!isActive(subscription)) continue;
          else if (subscription.copy !== null) goOn(subscription);
          else if (subscription.needsSnapshot) this.sendSnapshot(subscription);
      },
      close: () => {
        closed = true;
        for (const subscription of own.values()) end(subscription);
      },
    };
  }

  /** A block is committed, and the read models show it. */
  onBlock(block: RecentBlock, changes: OrderBookChanges): void {
    this.head = block;
    for (const source of this.sources.values()) {
      // Also while its first subscription is about to begin: it has to follow all blocks.
      const told = source.state?.onBlock(block, changes) ?? null;
      if (source.subscriptions.size === 0) continue;
      const { topic } = source;
      const hide = this.hides(source, block.height);
      if (hide && isHiddenTopic(topic.kind, topic.kind === 'newPendingTransactions' && topic.full)) this.forbid(source);
      else if (isStateTopic(topic)) this.tellState(source, told);
      else if (topic.kind === 'syncing') this.tellSyncing(source);
      else if (topic.kind === 'candles') this.tellCandle(source, topic, block);
      else if (topic.kind !== 'newPendingTransactions')
        for (const result of blockResults(topic, source.format, block, changes.orders, hide)) tell(source, result);
    }
  }

  private hides({ surface }: Source, height: number): boolean {
    const { privacyForkBlock } = this.options.info;
    return privacyForkBlock !== null && surface === 'public' && height >= privacyForkBlock;
  }

  private forbid(source: Source): void {
    const reason = `${source.topic.kind} is disabled on the public surface after the privacy fork`;
    for (const { sink } of source.subscriptions) sink.end(closeCode.policy, reason);
  }

  private use(topic: Topic, format: Format, surface: Surface): Source {
    const key = JSON.stringify([topic, format, surface]);
    const source = this.sources.get(key) ?? this.createSource(key, topic, format, surface);
    source.uses++;
    return source;
  }

  private createSource(key: string, topic: Topic, format: Format, surface: Surface): Source {
    const { books, partEntriesMax } = this.options;
    const source: Source = {
      key,
      topic,
      format,
      surface,
      subscriptions: new Set(),
      uses: 0,
      ready: Promise.resolve(),
      pendingListener: null,
      wasSyncing: false,
      state: isStateTopic(topic) ? stateStream(topic, books, this.head, partEntriesMax) : null,
      snapshot: null,
    };
    this.sources.set(key, source);
    if (topic.kind === 'newPendingTransactions') {
      source.pendingListener = pendingListener(source, topic.full);
      source.ready = this.options.pending.subscribe(source.pendingListener);
    } else if (topic.kind === 'syncing') source.ready = this.refreshSyncing(source);
    return source;
  }

  private release(source: Source): void {
    source.uses--;
    if (source.uses > 0) return;
    this.sources.delete(source.key);
    if (source.pendingListener !== null) this.options.pending.unsubscribe(source.pendingListener);
  }

  private begin(subscription: Subscription): void {
    subscription.source.subscriptions.add(subscription);
    this.sendSnapshot(subscription);
  }

  private sendSnapshot(subscription: Subscription): void {
    const { source } = subscription;
    if (source.state === null) return;
    const { snapshot } = source;
    // One that somebody is not through with is followed up to the newest block.
    if (snapshot === null || (snapshot.readers === 0 && snapshot.head !== this.head))
      source.snapshot = new StateSnapshot(this.head, source.state.snapshot(this.head));
    subscription.needsSnapshot = false;
    subscription.copy = { snapshot: source.snapshot!, at: 0 };
    source.snapshot!.readers++;
    sendNext(subscription);
    // Whoever is slow is told anew what is one message; many wait for their reader.
    if (source.snapshot!.isOneMessage) leaveSnapshot(subscription);
    else goOn(subscription);
  }

  private tellState(source: Source, told: (() => unknown) | null): void {
    let made: string | null = null;
    const text = (): string => (made ??= JSON.stringify(told!()));
    if (told !== null) follow(source, text);
    for (const subscription of source.subscriptions) {
      const { sink, id } = subscription;
      if (subscription.copy !== null) goOn(subscription);
      // Many small changes make one snapshot, so a slow reader loses nothing but time.
      else if (told !== null && sink.isBehind()) subscription.needsSnapshot = true;
      else if (subscription.needsSnapshot) {
        if (!sink.isBehind()) this.sendSnapshot(subscription);
      } else if (told !== null) sink.send(notification(id, text()));
    }
  }

  private tellCandle(source: Source, topic: Extract<Topic, { kind: 'candles' }>, block: RecentBlock): void {
    const candle = this.options.candles.changedBy(block.height, topic.marketId, topic.interval);
    if (candle !== null) tell(source, candleMessage(block, topic, candle));
  }

  private tellSyncing(source: Source): void {
    const previous = source.wasSyncing;
    this.refreshSyncing(source).then(
      () => undefined,
      // Consensus is busy or stopping: the next block asks again.
      () => {
        source.wasSyncing = previous;
      },
    );
  }

  /** Asks consensus; who subscribed already is told of a change. */
  private async refreshSyncing(source: Source): Promise<void> {
    const { syncing } = await this.options.networkStatus();
    if ((syncing !== null) === source.wasSyncing) return;
    source.wasSyncing = syncing !== null;
    tell(source, syncingMessage(syncing));
  }
}

/** Keeps what a block changed for those who are not through with the snapshot before it. */
function follow(source: Source, text: () => string): void {
  const { snapshot, subscriptions } = source;
  if (snapshot === null) return;
  if (snapshot.readers > 0 && snapshot.add(text())) return;
  source.snapshot = null;
  for (const subscription of subscriptions) {
    if (subscription.copy === null) continue;
    leaveSnapshot(subscription);
    subscription.needsSnapshot = true;
  }
}

/** Sends of a snapshot as much as the reader takes. */
function goOn(subscription: Subscription): void {
  while (subscription.copy !== null && !subscription.sink.isBehind()) sendNext(subscription);
}

function sendNext(subscription: Subscription): void {
  const { copy, id, sink } = subscription;
  if (copy === null) return;
  const text = copy.snapshot.text(copy.at++);
  if (text === undefined) leaveSnapshot(subscription);
  else sink.send(notification(id, text));
}

function leaveSnapshot(subscription: Subscription): void {
  if (subscription.copy === null) return;
  subscription.copy.snapshot.readers--;
  subscription.copy = null;
}

const isActive = (subscription: Subscription): boolean => subscription.source.subscriptions.has(subscription);

function tell({ subscriptions }: Source, result: unknown): void {
  const text = JSON.stringify(result);
  for (const { id, sink } of subscriptions) sink.send(notification(id, text));
}

const pendingListener = (source: Source, full: boolean): PendingListener => ({
  detail: full ? 'full' : 'hashes',
  onPending: (transactions) => {
    for (const { hash, transaction } of transactions) {
      if (!full) tell(source, hash);
      // Without its bytes it was on its way before somebody wanted them.
      else if (transaction !== null) tell(source, formatTransaction(transaction.raw, hash, transaction.sender, null));
    }
  },
  onMissed: (count) => {
    for (const { sink } of source.subscriptions)
      sink.end(closeCode.tryAgainLater, `${count} pending transactions were missed`);
  },
});
