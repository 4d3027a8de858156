import { parseArgs } from 'node:util';

/** An option of a benchmark. What is usual tells its kind: a text, a whole number, or any number above 0 where a fraction is usual. */
interface BenchOption {
  readonly meaning: string;
  readonly usual: number | string;
  /** Of a whole number; 1 where nothing is said. */
  readonly least?: number;
}

type Options = Readonly<Record<string, BenchOption>>;
type Values<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name]['usual'] extends number ? number : string;
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
  for (const name of Object.keys(options)) known[name] = { type: 'string' };
  let values: Record<string, unknown>;
  try {
    values = parseArgs({ options: known, args: [...args] }).values;
  } catch (error) {
    throw new BenchUsageError((error as Error).message);
  }
  if (values['help'] === true) return null;
  const parsed = Object.entries(options).map(([name, { usual, least = 1 }]) => {
    const given = values[name] as string | undefined;
    if (given === undefined || typeof usual === 'string') return [name, given ?? usual];
    const number = Number(given);
    const whole = Number.isInteger(usual);
    const allowed = whole ? Number.isSafeInteger(number) && number >= least : number > 0 && Number.isFinite(number);
    if (given.trim() === '' || !allowed) {
      const kind = whole ? `a whole number from ${least}` : 'a number above 0';
      throw new BenchUsageError(`--${name} takes ${kind}, not '${given}'`);
    }
    return [name, number];
  });
  return Object.fromEntries(parsed) as Values<Given>;
}

/** What `--help` prints. */
export function benchHelp(command: string, options: Options): string {
  const rows = Object.entries(options).map(([name, { meaning, usual }]) => {
    const none = usual === '' ? '' : ` (${usual})`;
    return `  --${name.padEnd(14)} ${meaning}${none}\n`;
  });
  return `usage: npm run ${command} -- [options]\n\n${rows.join('')}  --${'help'.padEnd(14)} print this\n`;
}

/** The options that the process was started with. Prints help, or what is wrong, and ends the process then. */
export function benchArguments<const Given extends Options>(command: string, options: Given): Values<Given> {
  try {
    const values = parseBenchArguments(options, process.argv.slice(2));
    if (values !== null) return values;
    process.stdout.write(benchHelp(command, options));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof BenchUsageError)) throw error;
    process.stderr.write(`${command}: ${error.message}\n\n${benchHelp(command, options)}`);
    process.exit(exitOfUsage);
  }
}
