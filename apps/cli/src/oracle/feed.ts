import { setTimeout as wait } from 'node:timers/promises';
import { homePaths, type KeyPair, parseGenesis } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { readHomeFile } from '@prime/node';
import { type Address, bytesToHex } from '@prime/primitives';
import type { Logger } from '@prime/telemetry';
import {
  definePrimeChain,
  type Market,
  OutcomeUnknownError,
  type PrimeWalletActions,
  primeWalletActions,
  toDigestAccount,
} from '@prime/sdk';
import { createWalletClient, type Hex } from 'viem';
import { loggerOf } from '../bot/given.ts';
import { notFound, usageError } from '../errors.ts';
import { existingHome, readGiven } from '../files.ts';
import { openKeystore } from '../keys/keystores.ts';
import type { PasswordFlags } from '../keys/passwordFlags.ts';
import { type ApiKeyFlags, askNode, nodeTransport, type RpcNode, rpcNode } from '../node/rpc.ts';
import { untilEnd } from '../terminal/untilEnd.ts';
import { agreedPrice } from './agree.ts';
import { type FeederFile, type FeederMarket, parseFeeder } from './feederFile.ts';
import { readSource } from './sources.ts';

/** Flags of `prime oracle feed`, as they were typed. */
export interface FeedFlags extends ApiKeyFlags, PasswordFlags {
  readonly config: string;
  readonly rpc: string;
  readonly home: string;
  readonly key?: string;
  readonly validator?: string;
  readonly logFormat: string;
  readonly logLevel: string;
}

/** `prime oracle feed`: reads prices and reports them for a validator, until a signal comes. */
export async function feed(flags: FeedFlags): Promise<void> {
  const file = parseFeeder(await readGiven(flags.config, '--config'), flags.config);
  const log = loggerOf(flags.logLevel, flags.logFormat, { module: 'oracle' });
  const node = await rpcNode(flags.rpc, flags);
  const reporter = await reporterOf(flags, node);
  const markets = await marketsOf(file, node);
  const ended = new AbortController();
  void untilEnd().then(() => ended.abort());
  log.info(
    { validator: reporter.validator, key: reporter.key, markets: file.markets.map(({ symbol }) => symbol) },
    'ready',
  );
  await report({ markets, reporter, log, intervalMs: file.interval_ms, signal: ended.signal });
  log.info({}, 'stopped');
}

interface Reporter {
  readonly wallet: Pick<PrimeWalletActions, 'reportPrices'>;
  readonly validator: Address;
  readonly key: Address;
}

/** The key that signs, and the validator that it signs for. */
async function reporterOf(flags: FeedFlags, node: RpcNode): Promise<Reporter> {
  const { genesis: genesisPath, home } = await existingHome(flags.home);
  const genesis = parseGenesis(await readHomeFile(genesisPath));
  const own = flags.key ?? homePaths(home).signerKey;
  const { key } = await openKeystore(own, flags.key === undefined ? 'signer' : 'owner', '--key', flags);
  const provider = await cryptoProvider();
  const validator = (flags.validator as Address | undefined) ?? (await validatorOf(key, node));
  const wallet = createWalletClient({
    account: toDigestAccount({
      address: key.address as Hex,
      signDigest: (digest: Uint8Array): Uint8Array => provider.sign(digest, key.privateKey),
    }),
    chain: definePrimeChain({ id: genesis.chainId, http: [node.url] }),
    transport: nodeTransport(node),
  }).extend(primeWalletActions());
  return { wallet, validator, key: key.address };
}

/** The owner of the validator that a key signs for. @throws CliError `CLI_NOT_FOUND` */
async function validatorOf({ address, publicKey }: KeyPair, node: RpcNode): Promise<Address> {
  const validators = await askNode(node, (client) => client.getValidators());
  const found = validators.find((validator) => validator.publicKey === bytesToHex(publicKey));
  if (found === undefined)
    throw notFound(`${address} signs for no validator of the network: name the owner with --validator`, 'validator');
  return found.address as Address;
}

/** A market of the file, with the number of decimals by which its prices are written. */
interface FedMarket {
  readonly file: FeederMarket;
  readonly market: number;
  readonly decimals: number;
}

/** @throws CliError `CLI_USAGE` for a market that is not there, or that no price from outside is asked for */
async function marketsOf({ markets }: FeederFile, node: RpcNode): Promise<readonly FedMarket[]> {
  const known = await askNode(node, (client) => client.getMarkets());
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
  readonly reporter: Reporter;
  readonly log: Logger;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
}

/** Reports at each multiple of the interval, so that the feeders of a network tell of the same moment. */
async function report({ markets, reporter, log, intervalMs, signal }: Reporting): Promise<void> {
  while (!signal.aborted) {
    await wait(intervalMs - (Date.now() % intervalMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const observedAtMs = Date.now();
    const prices = await pricesOf(markets, log);
    if (prices.length === 0) {
      log.warn({}, 'no price is known: nothing is reported');
      continue;
    }
    try {
      const { blockNumber } = await reporter.wallet.reportPrices({
        observedAtMs,
        prices,
        owner: reporter.validator as Hex,
        timeoutMs: 2 * intervalMs,
      });
      log.debug({ prices: prices.length, block: Number(blockNumber) }, 'reported');
    } catch (error) {
      // The next report takes its place.
      const isLate = error instanceof OutcomeUnknownError;
      log.warn(
        { reason: (error as Error).message },
        isLate ? 'nobody said what became of a report' : 'a report was refused',
      );
    }
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
