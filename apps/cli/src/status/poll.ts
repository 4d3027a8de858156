import { setTimeout as sleep } from 'node:timers/promises';
import type { CommitSummary, Market, Ticker } from '@prime/sdk';
import { BaseError } from 'viem';
import { commandError } from '../client/errors.ts';
import { CliError } from '../errors.ts';
import { readNodeMetrics } from '../node/nodeMetrics.ts';
import { nodeClient, type NodeClient, type RpcNode } from '../node/rpc.ts';
import { emptyView, type MarketView, type NodeView, type StatusView } from './view.ts';

/** A node that is watched. */
export interface WatchedNode {
  readonly name: string;
  readonly rpc: RpcNode;
  /** Its admin endpoint, where that is known here. */
  readonly admin: string | null;
}

/** Between two questions of one kind, ms: votes come faster than all else. */
const everyMs = { votes: 250, nodes: 1_000, network: 1_000, markets: 2_000 } as const;
/** For an answer, ms: a node that is slower is away. */
const answerMs = 2_000;
/** Blocks of which it is told who signed them; one answer holds as many. */
const commitsMax = 256;

/** Asks nodes over and over, and keeps what they said last. A node that is away is asked on, and what it said stays with a mark. */
export class StatusPoll {
  readonly #nodes: readonly WatchedNode[];
  readonly #clients: readonly NodeClient[];
  readonly #onChange: () => void;
  readonly #ended = new AbortController();
  #view: StatusView;
  /** Which node tells of the network: the first that answers. */
  #eye = 0;

  constructor(nodes: readonly WatchedNode[], onChange: () => void) {
    this.#nodes = nodes;
    this.#clients = nodes.map(({ rpc }) => nodeClient(rpc, { timeoutMs: answerMs, signal: this.#ended.signal }));
    this.#onChange = onChange;
    this.#view = emptyView(
      nodes.map(({ name }) => name),
      Date.now(),
    );
  }

  view(): StatusView {
    return { ...this.#view, nowMs: Date.now() };
  }

  /** One round of all questions. */
  async look(): Promise<void> {
    await Promise.all(this.#nodes.map((_, index) => this.#askNode(index)));
    await Promise.all([this.#askNetwork(), this.#askVotes(), this.#askMarkets()]);
  }

  /** Asks until {@link end}. */
  async run(): Promise<void> {
    await Promise.all([
      ...this.#nodes.map((_, index) => this.#every(everyMs.nodes, () => this.#askNode(index))),
      this.#every(everyMs.votes, () => this.#askVotes()),
      this.#every(everyMs.network, () => this.#askNetwork()),
      this.#every(everyMs.markets, () => this.#askMarkets()),
    ]);
  }

  end(): void {
    this.#ended.abort();
  }

  async #every(ms: number, ask: () => Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await ask();
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  #change(change: Partial<StatusView>): void {
    if (this.#ended.signal.aborted) return;
    this.#view = { ...this.#view, ...change };
    this.#onChange();
  }

  async #askNode(index: number): Promise<void> {
    const client = this.#clients[index]!;
    try {
      const [head, peers, pool] = await Promise.all([
        client.getBlockNumber({ cacheTime: 0 }),
        client.request({ method: 'net_peerCount' }),
        // A node behind the privacy fork tells nobody what waits.
        client.request({ method: 'txpool_status' }).catch(() => null),
      ]);
      const resources = await this.#resourcesOf(index);
      this.#put(index, {
        head,
        peers: Number(peers),
        pending: pool === null ? null : Number(pool.pending),
        queued: pool === null ? null : Number(pool.queued),
        resources,
        away: null,
      });
    } catch (error) {
      const reason = reasonOf(error, this.#nodes[index]!.rpc.url);
      const sinceMs = this.#view.nodes[index]!.away?.sinceMs ?? Date.now();
      this.#put(index, { away: { sinceMs, reason }, peers: null, pending: null, queued: null, resources: null });
    }
  }

  #put(index: number, change: Partial<NodeView>): void {
    const nodes = this.#view.nodes.map((node, at) => (at === index ? { ...node, ...change } : node));
    this.#change({ nodes });
  }

  async #resourcesOf(index: number): Promise<NodeView['resources']> {
    const { admin } = this.#nodes[index]!;
    if (admin === null) return null;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(answerMs), this.#ended.signal]);
      return readNodeMetrics(await (await fetch(`${admin}/metrics`, { signal })).text()).resources;
    } catch {
      return null;
    }
  }

  /** Asks the eye, and where it does not answer the next node. @returns null where nobody does */
  async #ask<Answer>(question: (client: NodeClient) => Promise<Answer>): Promise<Answer | null> {
    for (let tried = 0; tried < this.#clients.length && !this.#ended.signal.aborted; tried++) {
      const at = (this.#eye + tried) % this.#clients.length;
      try {
        const answer = await question(this.#clients[at]!);
        this.#eye = at;
        return answer;
      } catch (error) {
        // What viem throws is a node that is away, or refuses: the next one may not.
        if (!(error instanceof BaseError)) throw error;
      }
    }
    return null;
  }

  async #askVotes(): Promise<void> {
    this.#change({ status: await this.#ask((client) => client.getConsensusStatus()) });
  }

  async #askNetwork(): Promise<void> {
    const answer = await this.#ask(async (client) => {
      const [{ validators }, head] = await Promise.all([client.getNetwork(), client.getBlockNumber({ cacheTime: 0 })]);
      const known = this.#view.commits;
      const after = (known.at(-1)?.blockNumber ?? 0n) + 1n;
      const oldest = head > BigInt(commitsMax) ? head - BigInt(commitsMax) + 1n : 1n;
      const from = after > oldest ? after : oldest;
      const fresh = head < from ? [] : await client.getCommits({ from, count: Number(head - from) + 1 });
      return { validators, fresh };
    });
    if (answer === null) return;
    const { validators, fresh } = answer;
    this.#change({ validators, commits: joined(this.#view.commits, fresh) });
    if (this.#view.network === null) await this.#askGenesis();
  }

  async #askGenesis(): Promise<void> {
    const genesis = await this.#ask((client) => client.getGenesis());
    if (genesis === null) return;
    const interval = genesis.consensus['emptyBlockIntervalMs'];
    const intervalMs = typeof interval === 'number' ? interval : 0;
    this.#change({ network: { name: genesis.networkName, chainId: genesis.chainId, intervalMs } });
  }

  async #askMarkets(): Promise<void> {
    const answer = await this.#ask((client) => Promise.all([client.getMarkets(), client.getTickers()]));
    if (answer === null) return;
    const [markets, tickers] = answer;
    const views = tickers.flatMap((ticker) => {
      const market = markets.find(({ marketId }) => marketId === ticker.marketId);
      return market === undefined ? [] : [marketView(market, ticker)];
    });
    this.#change({ markets: views });
  }
}

/** Without a hole: after one what was known before it is left out. */
function joined(known: readonly CommitSummary[], fresh: readonly CommitSummary[]): readonly CommitSummary[] {
  const [first] = fresh;
  if (first === undefined) return known;
  const before = known.filter(({ blockNumber }) => blockNumber < first.blockNumber);
  const isNext = before.at(-1)?.blockNumber === first.blockNumber - 1n;
  return [...(isNext ? before : []), ...fresh].slice(-commitsMax);
}

function marketView(market: Market, ticker: Ticker): MarketView {
  const { formatPrice, formatSize, base } = market;
  const price = (value: bigint | null | undefined): string | null => (value == null ? null : formatPrice(value));
  return {
    symbol: ticker.symbol,
    status: ticker.status,
    last: price(ticker.lastPrice),
    mark: price(ticker.markPrice),
    bid: price(ticker.bestBid?.price),
    ask: price(ticker.bestAsk?.price),
    volume: `${formatSize(ticker.day.volume)} ${base}`,
    trades: ticker.day.trades,
  };
}

/** In few words, for a column. */
function reasonOf(error: unknown, url: string): string {
  const told = commandError(error, url);
  if (told instanceof CliError && told.code === 'CLI_UNREACHABLE') return 'no answer';
  return (told instanceof Error ? told.message : String(told)).replace(`${url} answers: `, '');
}
