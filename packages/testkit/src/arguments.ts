import { parseArgs } from 'node:util';

/**
 * Options of benchmarks and soaks: one rule for all of them, so that a mistake is told before anything runs, and `--help` says what there is. A benchmark
 * imports it as `@prime/testkit/arguments`.
 */

/**
 * An option. What is usual tells its kind: a text, a whole number, any number above 0 where a fraction is usual, whole numbers with commas between
 * them, or a flag. An empty text or list stands for an option that is not given, and null for a whole number that is drawn then.
 */
interface BenchOption {
  readonly meaning: string;
  readonly usual: number | string | boolean | null | readonly number[];
  /** Of a whole number; 1 where nothing is said. */
  readonly least?: number;
}

type Options = Readonly<Record<string, BenchOption>>;
type Values<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name]['usual'] extends number
    ? number
    : Given[Name]['usual'] extends string
      ? string
      : Given[Name]['usual'] extends boolean
        ? boolean
        : Given[Name]['usual'] extends null
          ? number | null
          : readonly number[];
};

/** An option that does not exist, a missing value, or a value that is no such number. */
export class BenchUsageError extends Error {
  override readonly name = 'BenchUsageError';
}

/** EX_USAGE of sysexits.h, as the command line's own. */
const exitOfUsage = 64;

/** @throws {@link BenchUsageError} @returns null where help is asked for */
export function parseBenchArguments<const Given extends Options>(
  options: Given,
  args: readonly string[],
): Values<Given> | null {
  const known: Record<string, { type: 'string' | 'boolean' }> = { help: { type: 'boolean' } };
  for (const [name, { usual }] of Object.entries(options))
    known[name] = { type: typeof usual === 'boolean' ? 'boolean' : 'string' };
  let values: Record<string, unknown>;
  try {
    values = parseArgs({ options: known, args: [...args] }).values;
  } catch (error) {
    throw new BenchUsageError((error as Error).message);
  }
  if (values['help'] === true) return null;
  const parsed = Object.entries(options).map(([name, { usual, least = 1 }]) => {
    const given = values[name] as string | undefined;
    if (given === undefined || typeof usual === 'string' || typeof usual === 'boolean') return [name, given ?? usual];
    const isList = typeof usual === 'object' && usual !== null;
    const isWhole = typeof usual !== 'number' || Number.isInteger(usual);
    const numbers = (isList ? given.split(',') : [given]).map((text) => numberOf(text, isWhole, least));
    if (numbers.includes(null)) {
      const one = isWhole ? `a whole number from ${least}` : 'a number above 0';
      const kind = isList ? `whole numbers from ${least} with commas between them` : one;
      throw new BenchUsageError(`--${name} takes ${kind}, not '${given}'`);
    }
    return [name, isList ? numbers : numbers[0]];
  });
  return Object.fromEntries(parsed) as Values<Given>;
}

/** Null where it is no such number. */
function numberOf(text: string, isWhole: boolean, least: number): number | null {
  const number = Number(text);
  const isAllowed = isWhole ? Number.isSafeInteger(number) && number >= least : number > 0 && Number.isFinite(number);
  return text.trim() !== '' && isAllowed ? number : null;
}

/** What `--help` prints. @param command that starts it with npm */
export function benchHelp(command: string, options: Options): string {
  const rows = Object.entries(options).map(([name, { meaning, usual }]) => {
    const text = usual === null || usual === false ? '' : String(usual);
    return `  --${name.padEnd(14)} ${meaning}${text === '' ? '' : ` (${text})`}\n`;
  });
  return `usage: npm run ${command} -- [options]\n\n${rows.join('')}  --${'help'.padEnd(14)} print this\n`;
}

/**
 * The options that the process was started with. Prints help, or what is wrong, and ends the process then.
 *
 * @param command that starts it with npm, as `bench:clob`
 */
export function benchArguments<const Given extends Options>(command: string, options: Given): Values<Given> {
  try {
    const values = parseBenchArguments(options, process.argv.slice(2));
    if (values !== null) return values;
    process.stdout.write(benchHelp(command, options));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof BenchUsageError)) throw error;
    return refuseArguments(command, `${error.message}\n\n${benchHelp(command, options).trimEnd()}`);
  }
}

/** Ends the process for arguments that can not be meant, with words. */
export function refuseArguments(command: string, words: string): never {
  process.stderr.write(`${command}: ${words}\n`);
  process.exit(exitOfUsage);
}
