import { fundAccount, serveMetrics, startBot, type StrategyKind } from '@prime/bot';
import { exitCode } from '@prime/node';
import { parseUnits } from 'viem';
import { usageError } from '../errors.ts';
import { parsePlace } from '../load/given.ts';
import {
  loggerOf,
  ownerOf,
  signerOf,
  sleep,
  type StrategyFlags,
  strategyOf,
  systemClock,
  urlsOf,
  whereNodesAnswer,
} from './given.ts';
import { untilEnd } from '../terminal/untilEnd.ts';
import { stateFileOf } from './stateFile.ts';

/** Flags of `prime bot maker` and `prime bot taker`, as they were typed. */
export interface RunFlags extends StrategyFlags {
  readonly rpc?: string;
  readonly keyFile?: string;
  readonly owner?: string;
  readonly fund?: string;
  readonly paper?: boolean;
  readonly state?: string;
  readonly metrics?: string;
  readonly logFormat: string;
  readonly logLevel: string;
}

/** How long orders are taken back at the end, ms. */
const stopMs = 15_000;
/** Of the chain's coin, in which collateral is. */
const coinDecimals = 18;
/** What a bot has on a network of this folder where nobody says: enough for the default sizes. */
const localFund = '100000';

/** `prime bot maker` and `prime bot taker`: until a signal comes, or the bot stops by itself. */
export async function run(kind: StrategyKind, flags: RunFlags): Promise<void> {
  const file = await strategyOf(kind, flags);
  const urls = urlsOf(flags.rpc);
  const owner = ownerOf(flags.owner);
  const signer = await signerOf(flags.keyFile, flags.rpc, file.name);
  const log = loggerOf(flags.logLevel, flags.logFormat, { bot: file.name });
  const isPaper = flags.paper === true;
  const keepsLoss = file.limits.loss !== undefined && !isPaper;
  const stateFile = keepsLoss ? stateFileOf(flags.state, flags.rpc, file.name) : undefined;
  if (keepsLoss && stateFile === undefined)
    throw usageError('a strategy with limits.loss needs --state FILE: a restart would forget the loss', '--state');
  const fund = flags.fund ?? (flags.rpc === undefined && owner === undefined ? localFund : undefined);
  if (fund !== undefined && !isPaper) {
    const collateral = amountOf(fund);
    const added = await whereNodesAnswer(urls, () => fundAccount({ urls, account: signer, collateral, sleep }));
    if (added > 0n) log.info({ wei: `${added}` }, 'collateral added');
  }
  const bot = await whereNodesAnswer(urls, () =>
    startBot({ file, urls, signer, owner, isPaper, stateFile, log, clock: systemClock }),
  );
  const account = owner ?? signer.address.toLowerCase();
  log.info({ strategy: kind, market: bot.market.symbol, account, paper: isPaper, state: stateFile?.path }, 'started');
  const render = (): Promise<string> => bot.metrics.render(bot.bot, bot.price);
  const metrics =
    flags.metrics === undefined ? null : await serveMetrics(parsePlace(flags.metrics, '--metrics'), render);
  if (metrics !== null) log.info({ url: metrics.url }, 'metrics');
  const halted = await Promise.race([untilEnd(), bot.halted]);
  await bot.stop(stopMs);
  metrics?.close();
  log.info({ why: halted ?? 'signal' }, 'stopped');
  process.exit(halted === undefined ? exitCode.ok : exitCode.internal);
}

/** @throws CliError `CLI_USAGE` */
function amountOf(text: string): bigint {
  if (/^\d{1,40}(\.\d{1,18})?$/.test(text)) return parseUnits(text, coinDecimals);
  throw usageError(`--fund must be an amount such as 1000 or 0.5, got ${text}`, '--fund');
}
