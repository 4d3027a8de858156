import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { once } from 'node:events';
import { exitCode } from '@prime/node';
import { itchToFlow, recordFlow, rpc, runReplay, textLines } from '@prime/load';
import { parseWholeNumber, usageError, notFound } from '../errors.ts';
import { findingLines } from '../terminal/findingLines.ts';
import { funderOf, nodesOf, parseNumber } from './given.ts';

interface NodeFlags {
  readonly rpc?: string;
}

/** `prime load record`: what a network executed between two heights, as a file. */
export async function record(
  flags: NodeFlags & { readonly from: string; readonly to?: string; readonly out: string },
): Promise<void> {
  const url = firstNode(flags);
  const head = Number(await rpc<string>(url, 'eth_blockNumber'));
  const from = parseWholeNumber(flags.from, '--from', 1, Number.MAX_SAFE_INTEGER);
  const to = flags.to === undefined ? head : parseWholeNumber(flags.to, '--to', from, Number.MAX_SAFE_INTEGER);
  const lines = await writeLines(
    flags.out,
    recordFlow((method, params) => rpc(url, method, params), { from, to }),
  );
  console.log(`${lines} lines of blocks ${from} to ${to} in ${flags.out}`);
}

/** `prime load convert`: a file of TotalView-ITCH 5.0 as a flow. */
export async function convert(
  file: string,
  flags: { readonly stocks: string; readonly from?: string; readonly to?: string; readonly out: string },
): Promise<void> {
  await checkReadable(file);
  const options = {
    stocks: flags.stocks.split(',').map((stock) => stock.trim()),
    ...(flags.from !== undefined && { fromMs: clockMs(flags.from, '--from') }),
    ...(flags.to !== undefined && { toMs: clockMs(flags.to, '--to') }),
  };
  const lines = await writeLines(flags.out, itchToFlow(createReadStream(file), options));
  console.log(`${lines} lines of ${options.stocks.join(', ')} in ${flags.out}`);
}

/** `prime load replay`: sends a flow, and ends with 0 only when its fills are what they should be. */
export async function replay(
  file: string,
  flags: NodeFlags & {
    readonly speed?: string;
    readonly seed: string;
    readonly networkMarkets?: boolean;
    readonly funderKeyFile?: string;
  },
): Promise<void> {
  await checkReadable(file);
  const { funder } = await funderOf(flags);
  const run = await runReplay({
    flow: () => textLines(createReadStream(file)),
    url: firstNode(flags),
    speed: flags.speed === undefined ? null : parseNumber(flags.speed.replace(/^x/, ''), '--speed'),
    secret: `replay ${flags.seed}`,
    ownMarkets: flags.networkMarkets !== true,
    funder,
    say: (line) => console.log(line),
  });
  const { sent, refused, unnamed, latestMs, durationMs } = run.totals;
  const rate = (sent / (durationMs / 1000)).toFixed(0);
  console.log(
    `sent ${sent} operations in ${(durationMs / 1000).toFixed(1)} s, ${rate}/s; at most ${latestMs.toFixed(0)} ms late`,
  );
  for (const [words, count] of refused) console.log(`  refused ${count}: ${words}`);
  if (unnamed > 0) console.log(`  not sent ${unnamed}: they name orders that are not there`);
  for (const [words, count] of run.leftOut) console.log(`  left out ${count}: ${words}`);
  for (const line of findingLines(run.findings)) console.log(line);
  process.exit(run.findings.every(({ violations }) => violations.length === 0) ? exitCode.ok : exitCode.notProven);
}

const firstNode = (flags: NodeFlags): string => nodesOf({ ...flags, seed: '0' }).urls[0]!;

async function checkReadable(file: string): Promise<void> {
  try {
    await (await open(file)).close();
  } catch (cause) {
    throw notFound(`can not read ${file}: ${(cause as Error).message}`, file, { cause });
  }
}

/** @returns how many there were */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const out = createWriteStream(file);
  await once(out, 'open');
  let count = 0;
  for await (const line of lines) {
    count++;
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return count;
}

/** ms since midnight of `09:30` or `09:30:00`. @throws CliError `CLI_USAGE` */
function clockMs(text: string, argument: string): number {
  const [, hours, minutes, seconds = '0'] = /^(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    throw usageError(`${argument} must be a time of day such as 09:30 or 09:30:00, got ${text}`, argument);
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
