import { computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  createStreams,
  getGenesis,
  getMarkets,
  getValidators,
  type Market,
  type SessionStatus,
  type StreamError,
  type Streams,
  type Validator,
  watchBlocks,
} from '@prime/sdk';
import { createLiveChain, type LiveChain } from '../live/chain.ts';
import type { RequestFrame } from '../live/frames.ts';
import { createPoll, type Poll } from '../live/poll.ts';
import { createTradeFeed, type TradeFeed } from '../live/trades.ts';
import { type Connection, connectionAt, type ConnectionFacts } from './connection.ts';
import { intervalMsDefault, type NetworkFacts, networkOf } from './network.ts';
import { createRpcClient, type EndedCall, type RpcClient } from './rpcClient.ts';

/** The node that the page reads, and all that is followed of it. Another node, or another network at the same URL, is another value. */
export interface ExplorerNode {
  readonly url: string;
  readonly client: RpcClient;
  /** For the watchers of the SDK. */
  readonly streams: Streams;
  readonly connection: ReadonlySignal<Connection>;
  /** What genesis says of the network; null until it was read. */
  readonly network: ReadonlySignal<NetworkFacts | null>;
  readonly chain: LiveChain;
  readonly markets: Poll<readonly Market[]>;
  readonly validators: Poll<readonly Validator[]>;
  readonly trades: TradeFeed;
  close(): void;
}

/** The node that a page reads, and the clock that it shows times by. */
export interface NodeOptions {
  readonly url: string;
  readonly requestFrame: RequestFrame;
  /** Time, ms since 1970, that goes on at least every second: what is shown of ages follows it. */
  readonly clock: ReadonlySignal<number>;
  readonly onCall?: (call: EndedCall) => void;
}

const marketsEveryMs = 3_000;
const validatorsEveryMs = 5_000;

/** Opens the streams of a node and begins to follow it, until it is closed. */
export function openNode({ url, requestFrame, clock, onCall }: NodeOptions): ExplorerNode {
  const client = createRpcClient({ url, fetch: (...parameters) => fetch(...parameters), ...(onCall && { onCall }) });
  const streams = createStreams({ urls: [url] });
  const chain = createLiveChain(client.sdk, requestFrame);
  const markets = createPoll(() => getMarkets(client.sdk), marketsEveryMs);
  const validators = createPoll(() => getValidators(client.sdk), validatorsEveryMs);
  const network = signal<NetworkFacts | null>(null);
  const facts = signal<ConnectionFacts>({
    session: streams.status,
    sessionSinceMs: Date.now(),
    failed: false,
    ended: null,
    headMs: null,
    intervalMs: intervalMsDefault,
  });
  const note = (more: Partial<ConnectionFacts>): void => {
    facts.value = { ...facts.value, ...more };
  };
  /** A block counts from when it came; the first one that is read may be old, which its own time tells. */
  const noteHead = (atMs: number): void => note({ headMs: Math.min(Date.now(), atMs) });
  const catchUp = async (): Promise<void> => {
    if (network.value === null) network.value = networkOf(await getGenesis(client.sdk));
    note({ intervalMs: network.value.emptyBlockIntervalMs });
    await chain.catchUp();
    if (chain.head.value !== null) noteHead(Math.max(chain.head.value.timestampMs, facts.value.headMs ?? 0));
    for (const poll of [markets, validators]) poll.reload();
  };
  const endStatus = streams.onStatus((session) => note(afterStatus(facts.value, session)));
  const endBlocks = watchBlocks(streams, {
    onBlock: (block) => {
      chain.take(block);
      noteHead(Infinity);
    },
    onStatus: (status) => {
      if (status === 'live') keepTrying(catchUp, () => facts.value.session.status === 'connected');
    },
    onError: (error) => note(afterError(facts.value, error)),
  });
  return {
    url,
    client,
    streams,
    connection: computed(() => connectionAt(facts.value, Math.max(clock.value, facts.value.sessionSinceMs))),
    network,
    chain,
    markets,
    validators,
    trades: createTradeFeed({ client: client.sdk, streams, markets: markets.value, requestFrame }),
    close() {
      endStatus();
      endBlocks();
      streams.close();
    },
  };
}

const retryMs = 2_000;

/** Tries again while that makes sense. What a connection that ended would have brought is asked for when it is back. */
function keepTrying(attempt: () => Promise<void>, isWanted: () => boolean): void {
  attempt().catch(() => {
    setTimeout(() => {
      if (isWanted()) keepTrying(attempt, isWanted);
    }, retryMs);
  });
}

const afterStatus = ({ failed }: ConnectionFacts, session: SessionStatus): Partial<ConnectionFacts> => ({
  session,
  sessionSinceMs: Date.now(),
  failed: session.status === 'waiting' || (failed && session.status !== 'connected'),
});

function afterError({ ended }: ConnectionFacts, error: StreamError): Partial<ConnectionFacts> {
  if (error.detail.code === 'STREAM_CHAIN_MISMATCH') return { ended: 'replaced' };
  return { ended: error.isFatal ? (ended ?? 'refused') : ended };
}
