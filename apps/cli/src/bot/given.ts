import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseStrategy, type StrategyFile, type StrategyKind } from '@prime/bot';
import { createLogger, type LevelledLogger } from '@prime/telemetry';
import { HttpRequestError, isAddress, type LocalAccount, TimeoutError } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { CliError, parseChoice, usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { urlsIn } from '../node/rpc.ts';
import { defaultNetworkFolder, networkHere } from '../testnet/networkFile.ts';

/** Flags that choose and name a strategy, as they were typed. */
export interface StrategyFlags {
  readonly strategy?: string;
  readonly market?: string;
  readonly startPrice?: string;
  readonly name?: string;
}

/** The strategy of a file, or the defaults of a kind; what was typed counts more. @throws BotError `BOT_STRATEGY_…` */
export async function strategyOf(kind: StrategyKind, flags: StrategyFlags): Promise<StrategyFile> {
  const { strategy, market, name, startPrice } = flags;
  const text = strategy === undefined ? '' : await readGiven(strategy, '--strategy');
  const given = {
    strategy: kind,
    ...(market !== undefined && { market }),
    ...(name !== undefined && { name }),
  };
  return withStart(parseStrategy(text, strategy ?? 'the command line', given), startPrice);
}

function withStart(file: StrategyFile, start: string | undefined): StrategyFile {
  if (start === undefined) return file;
  if (!/^\d{1,40}(\.\d{1,40})?$/.test(start))
    throw usageError(`--start-price must be a price such as 3012.55, got ${start}`, '--start-price');
  return { ...file, fair_price: { ...file.fair_price, start } };
}

/** Nodes that are named, or those of `prime testnet up` in this folder. @throws CliError `CLI_USAGE` */
export const urlsOf = (rpc: string | undefined): readonly string[] =>
  rpc === undefined ? networkHere().rpcUrls : urlsIn(rpc);

/** @throws CliError `CLI_USAGE` */
export function ownerOf(owner: string | undefined): `0x${string}` | undefined {
  if (owner === undefined || isAddress(owner, { strict: false }))
    return owner?.toLowerCase() as `0x${string}` | undefined;
  throw usageError(`--owner must be an address, got ${owner}`, '--owner');
}

/** The key that is named, else one that is kept beside the network of this folder. @throws CliError `CLI_USAGE` */
export async function signerOf(
  keyFile: string | undefined,
  rpc: string | undefined,
  name: string,
): Promise<LocalAccount> {
  const named = keyFile === undefined ? process.env['PRIME_PRIVATE_KEY'] : await readGiven(keyFile, '--key-file');
  if (named !== undefined) return fromKey(named, keyFile === undefined ? 'PRIME_PRIVATE_KEY' : '--key-file');
  if (rpc !== undefined)
    throw usageError('no key to sign with: give --key-file, or set PRIME_PRIVATE_KEY', '--key-file');
  return keptSigner(defaultNetworkFolder, name);
}

/** A key of a bot of a local network; made where there is none. */
export function keptSigner(networkFolder: string, name: string): LocalAccount {
  const path = join(networkFolder, 'bots', `${name}.key`);
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `0x${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return fromKey(readFileSync(path, 'utf8'), path);
}

/** What it says stays out of the error. */
function fromKey(text: string, argument: string): LocalAccount {
  const hex = text.trim();
  try {
    if (/^0x[0-9a-fA-F]{64}$/.test(hex)) return privateKeyToAccount(hex as `0x${string}`);
  } catch {
    // Not within the order of the curve: said below.
  }
  throw usageError(`${argument} must hold a private key, 0x and 64 hex digits`, argument);
}

const levels = ['error', 'warn', 'info', 'debug'] as const;

/** @throws CliError `CLI_USAGE` */
export function loggerOf(level: string, format: string, fields: Readonly<Record<string, string>>): LevelledLogger {
  return createLogger({
    level: parseChoice(level, '--log-level', levels),
    format: parseChoice(format, '--log-format', ['json', 'pretty']),
    fields,
  });
}

/** Wall clock and timers for a bot that trades now; a backtest has its own. */
export const systemClock = {
  now: () => Date.now(),
  every: (ms: number, work: () => void) => {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};

/** Resolves after so many ms. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Says who does not answer, in place of what a library says of it. */
export async function whereNodesAnswer<result>(urls: readonly string[], work: () => Promise<result>): Promise<result> {
  try {
    return await work();
  } catch (cause) {
    const isSilent = cause instanceof HttpRequestError || cause instanceof TimeoutError;
    if (!isSilent) throw cause;
    const [url] = urls as [string];
    throw new CliError(`no node answers at ${urls.join(', ')}`, { code: 'CLI_UNREACHABLE', url }, { cause });
  }
}
