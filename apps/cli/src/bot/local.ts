import { fundAccount, parseStrategy, startBot, type StartedBot, type StrategyFile } from '@prime/bot';
import { createMarketUnits, failover, getMarkets, type Market } from '@prime/sdk';
import { createClient, http, parseEther } from 'viem';
import { notFound } from '../errors.ts';
import { readNetworkFile } from '../testnet/networkFile.ts';
import { keptSigner, loggerOf, sleep, systemClock } from './given.ts';
import { untilEnd } from '../terminal/untilEnd.ts';

/** What each of these bots has; on local networks the faucet brings what is missing. */
const collateral = parseEther('1000000');
/** Where prices of a market without oracle begin, steps: room for spreads of hundredths of a percent. */
const startTicks = 100_000n;
const stopMs = 10_000;

interface LocalFlags {
  readonly dir: string;
  readonly logLevel: string;
  /** Symbols between commas. */
  readonly markets?: string;
}

/** `prime bot local`: two-sided markets and some flow for a network that nobody trades on. */
export async function local({ dir, logLevel, markets: named }: LocalFlags): Promise<void> {
  const network = readNetworkFile(dir);
  if (network === null) throw notFound(`${dir} has no network of prime testnet up`, dir);
  const urls = network.rpcUrls;
  const known = await getMarkets(createClient({ transport: failover(urls.map((url) => http(url))) }));
  const markets = named === undefined ? known : wanted(known, named.split(','));
  const bots: StartedBot[] = [];
  for (const market of markets)
    for (const file of [makerOf(market), takerOf(market)]) {
      const signer = keptSigner(dir, file.name);
      await fundAccount({ urls, account: signer, collateral, sleep });
      const log = loggerOf(logLevel, 'json', { bot: file.name });
      bots.push(await startBot({ file, urls, signer, isPaper: false, log, clock: systemClock }));
    }
  console.log(JSON.stringify({ msg: 'ready', bots: bots.length, markets: markets.map(({ symbol }) => symbol) }));
  await untilEnd();
  await Promise.all(bots.map((bot) => bot.stop(stopMs)));
  process.exit(0);
}

/** @throws CliError `CLI_NOT_FOUND` */
const wanted = (known: readonly Market[], symbols: readonly string[]): Market[] =>
  symbols.map((symbol) => {
    const market = known.find((each) => each.symbol === symbol);
    if (market !== undefined) return market;
    const words = known.map((each) => each.symbol).join(', ');
    throw notFound(`no market ${symbol} here, there are ${words}`, symbol);
  });

/** A whole number of lots near one whole base. */
function sizeOf(market: Market, lots: bigint): string {
  const { formatSize } = createMarketUnits(market);
  const whole = 10n ** BigInt(market.baseDecimals);
  const one = whole < market.lotSize ? market.lotSize : whole - (whole % market.lotSize);
  return formatSize(one * lots);
}

const fairPrice = (market: Market): object =>
  market.oracle === undefined ? { start: market.formatPrice(startTicks * market.tickSize) } : { source: 'index' };

const makerOf = (market: Market): StrategyFile =>
  parseStrategy('', 'the maker of a local network', {
    strategy: 'maker',
    name: `maker-${market.marketId}`,
    market: market.marketId,
    maker: { levels: 5, size: sizeOf(market, 1n), max_position: sizeOf(market, 20n), skew_bps: 20 },
    fair_price: fairPrice(market),
  });

const takerOf = (market: Market): StrategyFile =>
  parseStrategy('', 'the taker of a local network', {
    strategy: 'taker',
    name: `taker-${market.marketId}`,
    market: market.marketId,
    taker: {
      interval_ms: 5_000,
      size_min: sizeOf(market, 1n),
      size_max: sizeOf(market, 2n),
      max_position: sizeOf(market, 10n),
      seed: market.marketId,
    },
    fair_price: fairPrice(market),
  });
