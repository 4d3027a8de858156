import { createReadStream, existsSync } from 'node:fs';
import { backtestStrategy, type StrategyKind, strategySchemas } from '@prime/bot';
import { parseFlow, textLines } from '@prime/load';
import { parseWholeNumber, usageError, notFound } from '../errors.ts';
import { readGiven } from '../files.ts';
import { type JsonFlags, print } from '../terminal/output.ts';
import { type StrategyFlags, strategyOf } from './given.ts';

/** Flags of `prime bot backtest`, as they were typed. */
export interface BacktestFlags extends StrategyFlags, JsonFlags {
  readonly kind: string;
  readonly latency: string;
  readonly baseDecimals: string;
  readonly quoteDecimals: string;
}

const decimalsMost = 77;
const dayMs = 86_400_000;

/** `prime bot backtest`: what a strategy would have made of a recorded flow. */
export async function backtest(path: string, flags: BacktestFlags): Promise<void> {
  const file = await strategyOf(kindOf(await kindOfFile(flags)), flags);
  const numbers = {
    latencyMs: parseWholeNumber(flags.latency, '--latency', 0, dayMs),
    baseDecimals: parseWholeNumber(flags.baseDecimals, '--base-decimals', 0, decimalsMost),
    quoteDecimals: parseWholeNumber(flags.quoteDecimals, '--quote-decimals', 0, decimalsMost),
  };
  if (!existsSync(path)) throw notFound(`${path} is not there`, path);
  const flow = parseFlow(textLines(createReadStream(path)));
  const { report, text } = await backtestStrategy({ file, flow, ...numbers });
  print(flags, report, () => [text]);
}

/** `prime bot schema`. */
export const schema = (kind: string): void => console.log(JSON.stringify(strategySchemas[kindOf(kind)], null, 2));

/** @throws CliError `CLI_USAGE` */
function kindOf(text: string): StrategyKind {
  if (Object.hasOwn(strategySchemas, text)) return text as StrategyKind;
  const allowed = Object.keys(strategySchemas).join(' or ');
  throw usageError(`the kind of a strategy is ${allowed}, not ${text}`, '--kind');
}

/** What the file says counts more than the default of the option. */
async function kindOfFile({ strategy, kind }: BacktestFlags): Promise<string> {
  if (strategy === undefined) return kind;
  const said = /^\s*"?strategy"?\s*[=:]\s*"(\w+)"/m.exec(await readGiven(strategy, '--strategy'));
  return said?.[1] ?? kind;
}
