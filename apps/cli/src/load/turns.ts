import { writeFile } from 'node:fs/promises';
import { exitCode } from '@prime/node';
import { pairedFigures, type RunReport, runLoad } from '@prime/load';
import { parseWholeNumber, usageError } from '../errors.ts';
import { checkUrl } from '../node/rpc.ts';
import { LiveLine, optionsOf, type RunFlags } from './run.ts';
import { untilInterrupted } from '../terminal/untilEnd.ts';

interface TurnsFlags extends Omit<RunFlags, 'report'> {
  readonly a: string;
  readonly b: string;
  readonly rounds: string;
  readonly out?: string;
}

/** `prime load turns`: two networks, or two builds, loaded in turns; ends with 0 only when every run is clean. */
export async function turns(named: string, flags: TurnsFlags): Promise<void> {
  const rounds = parseWholeNumber(flags.rounds, '--rounds', 1, 1_000);
  for (const url of `${flags.a},${flags.b}`.split(',')) checkUrl(url);
  if (flags.a === flags.b) throw usageError('--a and --b are the same network', '--b');
  const live = new LiveLine(process.stdout.isTTY === true);
  const pairs: (readonly [RunReport, RunReport])[] = [];
  const seed = parseWholeNumber(flags.seed, '--seed', 0, 0xffffffff - rounds);
  const signal = untilInterrupted();
  for (let round = 0; round < rounds; round++) {
    const run = async (side: 'a' | 'b'): Promise<RunReport | null> => {
      if (signal.aborted) return null;
      live.say(`round ${round + 1} of ${rounds}, ${side.toUpperCase()}`);
      const own = { ...flags, rpc: flags[side], seed: `${seed + round}`, report: '' };
      const report = await runLoad(await optionsOf(named, own, { live, faulty: null, signal }));
      // One that was cut short is not comparable with the other one.
      return signal.aborted ? null : report;
    };
    // Whoever comes first changes from round to round.
    const first = await run(round % 2 === 0 ? 'a' : 'b');
    const second = await run(round % 2 === 0 ? 'b' : 'a');
    if (first === null || second === null) break;
    pairs.push(round % 2 === 0 ? [first, second] : [second, first]);
  }
  live.end();
  const { withheld, figures } = pairedFigures(pairs);
  if (flags.out !== undefined) await writeFile(flags.out, `${JSON.stringify({ withheld, figures, rounds: pairs })}\n`);
  for (const reason of withheld) console.log(`no figures: ${reason}`);
  for (const { name, a, b, ratio, interval } of figures) {
    const bounds =
      interval === null ? 'one round has no interval' : `95 %: ${interval[0].toFixed(3)} to ${interval[1].toFixed(3)}`;
    console.log(`${name}: A ${a.toFixed(1)}, B ${b.toFixed(1)}, B/A ${ratio.toFixed(3)} (${bounds})`);
  }
  process.exit(withheld.length === 0 ? exitCode.ok : exitCode.notProven);
}
