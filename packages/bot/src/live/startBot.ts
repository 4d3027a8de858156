import {
  createStreams,
  definePrimeChain,
  failover,
  getParameters,
  getMarkets,
  getNativeBlock,
  type Market,
  type PrimeClient,
  toAgentAccount,
  watchTrades,
} from '@prime/sdk';
import { createClient, http, type LocalAccount } from 'viem';
import { invalid } from '../config/parseStrategy.ts';
import type { StrategyFile } from '../config/schema.ts';
import { toBotOptions } from '../config/settings.ts';
import { BotError } from '../errors.ts';
import { createPaperVenue } from '../paper/paperVenue.ts';
import type { BotLog, Clock, PriceSource, StateFile } from '../ports.ts';
import { LossKeeper } from '../run/lossKeeper.ts';
import { type BotMetrics, createBotMetrics } from '../run/metrics.ts';
import type { LossScope } from '../risk/lossRecord.ts';
import { type RunningBot, runBot } from '../run/runBot.ts';
import { createNetworkVenue } from './networkVenue.ts';
import { createBookPrice, createFixedPrice, createHttpPrice, createPolledPrice, getJson } from './prices.ts';
import type { Nodes } from './sendSurely.ts';

/** A bot of the real world: its strategy, its keys and its network. */
export interface StartBotOptions {
  readonly file: StrategyFile;
  /** HTTP addresses of nodes of one network; the streams are at the same places. */
  readonly urls: readonly string[];
  /** Signs. */
  readonly signer: LocalAccount;
  /** Whose orders they are, where the signer is an agent. */
  readonly owner?: `0x${string}` | undefined;
  /** Nothing is sent: orders are filled by the flow that comes. */
  readonly isPaper: boolean;
  /** Where the loss is kept over restarts: needed where the strategy has a loss limit and is not on paper. */
  readonly stateFile?: StateFile | undefined;
  readonly log: BotLog;
  readonly clock: Clock;
}

/** A running bot, and what its operator reads. */
export interface StartedBot extends RunningBot {
  readonly market: Market;
  readonly metrics: BotMetrics;
}

const requestTimeoutMs = 5_000;

/** Connects a strategy to a network and runs it. @throws BotError `BOT_MARKET_UNKNOWN`, `BOT_STATE_…`; what the SDK throws where no node answers */
export async function startBot(options: StartBotOptions): Promise<StartedBot> {
  const { file, urls, log, clock, isPaper } = options;
  const transports = urls.map((url) => http(url, { retryCount: 0, timeout: requestTimeoutMs }));
  const reader = createClient({ transport: failover(transports, { retryCount: 2 }) });
  const [parameters, markets] = await Promise.all([getParameters(reader), getMarkets(reader)]);
  const market = marketOf(markets, file.market);
  if (file.fair_price.source === 'index' && market.oracle === undefined)
    invalid(
      file.name,
      'fair_price.source',
      'can not be "index"',
      `another one: ${market.symbol} has no oracle`,
      'the strategy',
    );
  checkSilence(file, parameters.consensus as unknown as { readonly emptyBlockIntervalMs: number });
  const chain = definePrimeChain({ id: parameters.chainId, http: urls as [string, ...string[]] });
  const account =
    options.owner === undefined ? options.signer : toAgentAccount(options.signer, { owner: options.owner });
  const nodes: Nodes = {
    wallet: createClient({ account, chain, transport: failover(transports, { retryCount: 0 }) }) as PrimeClient,
    each: transports.map((transport) => createClient({ chain, transport }) as PrimeClient),
    now: () => clock.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
  const owner = options.owner ?? options.signer.address;
  const loss = await lossOf(options, nodes.wallet, { account: owner.toLowerCase(), marketId: market.marketId });
  const streams = createStreams({ urls, staleMs: file.dead_man.feed_silent_ms });
  const openOrdersMax = Number(parameters.clob['maxOpenOrders']);
  const bot = toBotOptions(file, market, openOrdersMax);
  const { actionTtlMs } = bot;
  const kept = loss?.record ?? null;
  const fillsFrom = kept === null ? null : kept.blockNumber + 1n;
  const venue = isPaper
    ? createPaperVenue({ streams, market, openOrdersMax, now: () => clock.now() })
    : createNetworkVenue({ nodes, streams, market, owner, openOrdersMax, actionTtlMs, fillsFrom });
  const prices = pricesOf(file, market, { streams, client: nodes.wallet }, options);
  const metrics = createBotMetrics({ bot: file.name, market: market.symbol });
  const tickMs = file.execution.tick_ms;
  const running = runBot({ bot, venue, prices, clock, log, metrics, loss, tickMs });
  return {
    market,
    metrics,
    bot: running.bot,
    halted: running.halted,
    get price() {
      return running.price;
    },
    async stop(timeoutMs) {
      await running.stop(timeoutMs);
      streams.close();
    },
  };
}

/**
 * The loss of a bot that has a limit of it; null for any other.
 *
 * @throws BotError `BOT_STATE_MISSING`, `BOT_STATE_DAMAGED`, `BOT_STATE_FOREIGN`
 */
async function lossOf(
  { file, isPaper, stateFile, clock, log }: StartBotOptions,
  client: PrimeClient,
  whose: Omit<LossScope, 'genesis'>,
): Promise<LossKeeper | null> {
  if (file.limits.loss === undefined || isPaper) return null;
  if (stateFile === undefined)
    throw new BotError('a strategy with limits.loss needs a state file, or a restart would forget the loss', {
      code: 'BOT_STATE_MISSING',
    });
  // Every node has block 0, whatever it deleted: its hash is that of the genesis.
  const { hash } = (await getNativeBlock(client, { block: 0n }))!;
  return new LossKeeper(stateFile, { genesis: hash!, ...whose }, { clock, log });
}

/** A chain that has nothing to do is no silent one. @throws BotError `BOT_STRATEGY_INVALID` */
function checkSilence(file: StrategyFile, { emptyBlockIntervalMs }: { readonly emptyBlockIntervalMs: number }): void {
  const { feed_silent_ms: silentMs } = file.dead_man;
  if (silentMs > emptyBlockIntervalMs) return;
  const allowed = `more than ${emptyBlockIntervalMs}, the time between two empty blocks of this network`;
  invalid(file.name, 'dead_man.feed_silent_ms', `can not be ${silentMs}`, allowed, 'the strategy');
}

/** @throws BotError `BOT_MARKET_UNKNOWN` */
function marketOf(markets: readonly Market[], wanted: string | number): Market {
  const found = markets.find(
    ({ marketId, symbol }) => marketId === Number(wanted) || symbol.toLowerCase() === `${wanted}`.toLowerCase(),
  );
  if (found !== undefined) return found;
  const symbols = markets.map(({ symbol }) => symbol);
  throw new BotError(`the network has no market ${wanted}; it has ${symbols.join(', ') || 'none'}`, {
    code: 'BOT_MARKET_UNKNOWN',
    market: `${wanted}`,
    markets: symbols,
  });
}

/** What validators report. @throws Error while they are silent */
async function indexOf(client: PrimeClient, { marketId }: Market): Promise<bigint> {
  const oracle = (await getMarkets(client)).find((market) => market.marketId === marketId)?.oracle;
  const index = oracle?.staleSinceMs === null ? oracle.index : null;
  if (index === null) throw new Error('the index is stale');
  return index;
}

function pricesOf(
  { fair_price: fair }: StrategyFile,
  market: Market,
  { streams, client }: { readonly streams: ReturnType<typeof createStreams>; readonly client: PrimeClient },
  { clock, log }: StartBotOptions,
): PriceSource {
  const polling = {
    pollMs: fair.poll_ms,
    maxAgeMs: fair.max_age_ms,
    now: () => clock.now(),
    every: (ms: number, work: () => void) => clock.every(ms, work),
  };
  const start = fair.start === undefined ? null : market.price(fair.start, { rounding: 'nearest' });
  if (fair.source === 'fixed') return createFixedPrice(start!);
  if (fair.source === 'http')
    return createHttpPrice({
      url: fair.url!,
      field: fair.field,
      parse: (text) => market.price(text, { rounding: 'nearest' }),
      ...polling,
      get: (url) => getJson(url, fair.max_age_ms),
      onTrouble: (message) => log.warn({ url: fair.url, reason: message }, 'no fair price'),
    });
  if (fair.source === 'index')
    return createPolledPrice(() => indexOf(client, market), {
      ...polling,
      onTrouble: (message) => log.warn({ market: market.symbol, reason: message }, 'no fair price'),
    });
  let last = market.lastPrice;
  const stop = watchTrades(streams, {
    market,
    onTrades: (trades) => {
      last = trades.at(-1)?.price ?? last;
    },
    onError: (error) => log.debug({ code: error.code }, 'trades'),
  });
  return { ...createBookPrice(() => last, start), stop };
}
