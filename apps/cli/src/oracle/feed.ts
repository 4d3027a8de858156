import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import type { Logger } from '@prime/telemetry';
import { failover, getMarkets, type Market, OutcomeUnknownError } from '@prime/sdk';
import { createClient, type Hex } from 'viem';
import { loggerOf } from '../bot/given.ts';
import { asCommand } from '../client/errors.ts';
import { CliError, usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { type ApiKeyFlags, nodeTransport, rpcNode, urlsIn } from '../node/rpc.ts';
import { untilEnd } from '../terminal/untilEnd.ts';
import { agreedPrice } from './agree.ts';
import { type FeederFile, type FeederMarket, feederFileName, parseFeeder } from './feederFile.ts';
import { type FeederNodes, type Reporter, type ReporterFlags, reporterKeys, reportersOf } from './reporters.ts';
import { readSource } from './sources.ts';

/** Flags of `prime oracle feed`, as they were typed. */
export interface FeedFlags extends ApiKeyFlags, ReporterFlags {
  readonly config?: string;
  readonly rpc: string;
  readonly logFormat: string;
  readonly logLevel: string;
}

/** Between two questions to a network in which no node answers yet, ms. */
const knockMs = 250;
/** How long a node has for an answer, ms: a third of the time after which prices count as stale, as the next one has to take a report before. */
const answerMs = 5_000;

/** `prime oracle feed`: reads prices and reports them for validators, until a signal comes. */
export async function feed(flags: FeedFlags): Promise<void> {
  const config = flags.config ?? (flags.network === undefined ? null : join(flags.network, feederFileName));
  if (config === null) throw usageError('--config is missing: it may be left out with --network alone', '--config');
  const file = parseFeeder(await readGiven(config, '--config'), config);
  const log = loggerOf(flags.logLevel, flags.logFormat, { module: 'oracle' });
  const urls = urlsIn(flags.rpc);
  const transports = urls.map(async (url) => nodeTransport(await rpcNode(url, flags), { timeoutMs: answerMs }));
  const nodes = { urls, transport: failover(await Promise.all(transports), { retryCount: 0 }) };
  const keys = await reporterKeys(flags);
  const ended = new AbortController();
  void untilEnd().then(() => ended.abort());
  const { signal } = ended;
  const found = await onceReachable(log, signal, async () => ({
    markets: await marketsOf(file, nodes),
    reporters: await reportersOf(keys, nodes, flags.validator),
  }));
  if (found !== null) {
    const { markets, reporters } = found;
    log.info(
      {
        validators: reporters.map(({ validator }) => validator),
        keys: reporters.map(({ key }) => key),
        markets: file.markets.map(({ symbol }) => symbol),
      },
      'ready',
    );
    await report({ markets, reporters, log, intervalMs: file.interval_ms, signal });
  }
  log.info({}, 'stopped');
}

/** A feeder may be started before its node. @returns null when a signal came first */
async function onceReachable<Result>(
  log: Logger,
  signal: AbortSignal,
  ask: () => Promise<Result>,
): Promise<Result | null> {
  for (let isTold = false; !signal.aborted; ) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CliError) || error.detail.code !== 'CLI_UNREACHABLE') throw error;
      if (!isTold) log.warn({ reason: error.message }, 'waiting for a node');
      isTold = true;
    }
    await pause(knockMs, signal);
  }
  return null;
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  wait(ms, undefined, { signal }).catch(() => undefined);

/** A market of the file, with the number of decimals by which its prices are written. */
interface FedMarket {
  readonly file: FeederMarket;
  readonly market: number;
  readonly decimals: number;
}

/** @throws CliError `CLI_USAGE` for a market that is not there, or that no price from outside is asked for */
async function marketsOf({ markets }: FeederFile, { urls, transport }: FeederNodes): Promise<readonly FedMarket[]> {
  const known = await asCommand(urls[0], () => getMarkets(createClient({ transport })));
  return markets.map((file) => {
    const market: Market | undefined = known.find(({ symbol }) => symbol === file.symbol);
    if (market === undefined) throw usageError(`${file.symbol} is no market of the network`, '--config');
    if (market.oracle === undefined)
      throw usageError(`${file.symbol} has no oracle: genesis does not say so`, '--config');
    return { file, market: market.marketId, decimals: market.quoteDecimals - market.baseDecimals };
  });
}

interface Reporting {
  readonly markets: readonly FedMarket[];
  readonly reporters: readonly Reporter[];
  readonly log: Logger;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/** A mempool takes one report of a validator each so often, ms. */
const leastIntervalMs = 1_000;

/** Reports at once, and then at each multiple of the interval, so that the feeders of a network tell of the same moment. */
async function report({ markets, reporters, log, intervalMs, signal }: Reporting): Promise<void> {
  while (!signal.aborted) {
    const observedAtMs = Date.now();
    const prices = await pricesOf(markets, log);
    if (prices.length === 0) log.warn({}, 'no price is known: nothing is reported');
    else {
      const timeoutMs = 2 * intervalMs;
      await Promise.all(reporters.map((reporter) => reportFor(reporter, { observedAtMs, prices, timeoutMs }, log)));
    }
    await pause(untilNext(observedAtMs, intervalMs, Date.now()), signal);
  }
}

/** To the next multiple of the interval that is no less than a second after the last report, ms. */
function untilNext(lastMs: number, intervalMs: number, nowMs: number): number {
  const earliest = Math.max(nowMs, lastMs + leastIntervalMs);
  return Math.ceil(earliest / intervalMs) * intervalMs - nowMs;
}

interface Reported {
  readonly observedAtMs: number;
  readonly prices: readonly { readonly market: number; readonly price: bigint }[];
  readonly timeoutMs: number;
}

async function reportFor({ wallet, validator }: Reporter, reported: Reported, log: Logger): Promise<void> {
  try {
    const { blockNumber } = await wallet.reportPrices({ ...reported, owner: validator as Hex });
    log.debug({ validator, prices: reported.prices.length, block: Number(blockNumber) }, 'reported');
  } catch (error) {
    // The next report takes its place.
    const isLate = error instanceof OutcomeUnknownError;
    log.warn(
      { validator, reason: (error as Error).message },
      isLate ? 'nobody said what became of a report' : 'a report was refused',
    );
  }
}

async function pricesOf(markets: readonly FedMarket[], log: Logger): Promise<{ market: number; price: bigint }[]> {
  const read = markets.map(async ({ file, market, decimals }) => {
    const quotes = await Promise.all(
      file.sources.map((source, place) =>
        readSource(source, decimals, Date.now).catch((error: Error) => {
          log.warn({ market: file.symbol, source: place, kind: source.kind, reason: error.message }, 'a source fails');
          return null;
        }),
      ),
    );
    const { quorum, max_age_ms: maxAgeMs, outlier_bps: outlierBps } = file;
    const price = agreedPrice(quotes, { quorum, maxAgeMs, outlierBps }, Date.now());
    if (price === null) log.warn({ market: file.symbol, quorum }, 'too few sources agree');
    return price === null ? [] : [{ market, price }];
  });
  return (await Promise.all(read)).flat();
}
