import { writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exitCode } from '@prime/node';
import {
  type LoadOptions,
  type Progress,
  progressLine,
  progressMetrics,
  type RunReport,
  runLoad,
  type Scenario,
  transports,
  whyWithheld,
  writeReport,
} from '@prime/load';
import { parseDuration } from '../terminal/duration.ts';
import { parseWholeNumber, parseChoice, usageError } from '../errors.ts';
import { untilInterrupted } from '../terminal/untilEnd.ts';
import {
  askedOf,
  funderOf,
  nodesOf,
  parsePlace,
  readScenario,
  type ScenarioFlags,
  type SearchFlags,
  seedOf,
  stageNodesOf,
  workersOf,
} from './given.ts';
import { type FaultyNetwork, startFaulty } from './faults.ts';
import { findingLines } from '../terminal/findingLines.ts';
import { readToken } from './worker.ts';

/** Flags of `prime load run`, as they were typed. */
export interface RunFlags extends ScenarioFlags, SearchFlags {
  readonly report: string;
  readonly transport: string;
  readonly connections?: string;
  readonly ahead: string;
  readonly answerTimeout: string;
  readonly drain: string;
  readonly gap?: string;
  readonly workersAt?: string;
  readonly tokenFile?: string;
  readonly withoutModel?: boolean;
  readonly keepFunds?: boolean;
  readonly metrics?: string;
  readonly stages?: boolean;
  readonly faults?: string;
  readonly home: string;
}

/** `prime load run`: ends the process with 0 only when the verdict is clean. */
export async function run(named: string, flags: RunFlags): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  const live = new LiveLine(isTerminal);
  const metrics = flags.metrics === undefined ? null : await serveMetrics(flags.metrics, live);
  let faulty: FaultyNetwork | null = null;
  let report: RunReport;
  try {
    if (flags.faults !== undefined) faulty = await startFaulty(flags.faults, flags.home, (line) => live.say(line));
    report = await runLoad(await optionsOf(named, flags, { live, faulty, signal: untilInterrupted() }));
  } finally {
    live.end();
    metrics?.close();
    await faulty?.close();
  }
  if (report.verdict.clean) await faulty?.remove();
  const json = jsonPath(flags.report);
  await writeFile(json, `${JSON.stringify(report)}\n`);
  await writeFile(flags.report, writeReport(report));
  show(report);
  console.log(`report: ${flags.report}, ${json}`);
  process.exit(report.verdict.clean ? exitCode.ok : exitCode.notProven);
}

/** The JSON stands beside the page. */
const jsonPath = (page: string): string => `${page.replace(/\.html?$/, '')}.json`;

/** What a run has beside its flags. */
export interface RunSurroundings {
  readonly live: LiveLine;
  /** The network that it starts itself; null for one that is there. */
  readonly faulty: FaultyNetwork | null;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** @throws CliError, LoadError for what can not be a run */
export async function optionsOf(
  named: string,
  flags: RunFlags,
  { live, faulty, signal }: RunSurroundings,
): Promise<LoadOptions> {
  const { scenario: given, toml, size } = await readScenario(named, flags);
  const scenario = flags.gap === undefined ? given : withGap(given, parseDuration(flags.gap, '--gap') * 1000);
  const transport = parseChoice(flags.transport, '--transport', transports);
  const workersAt = flags.workersAt?.split(',').map((place) => place.trim()) ?? [];
  for (const place of workersAt) parsePlace(place, '--workers-at');
  if (workersAt.length > 0 !== (flags.tokenFile !== undefined))
    throw usageError('--workers-at and --token-file belong together', '--token-file');
  return {
    scenario,
    toml,
    work: { name: scenario.name, toml, size },
    seed: seedOf(flags),
    ...(await funderOf(flags)),
    command: `prime ${process.argv.slice(2).map(quoted).join(' ')}`,
    ...(faulty === null ? nodesOf(flags) : faulty.nodes),
    stageNodes: flags.stages === true && faulty === null ? stageNodesOf(flags) : [],
    workers: workersOf(flags),
    workersAt,
    token: flags.tokenFile === undefined ? null : await readToken(flags.tokenFile),
    transport,
    connections:
      flags.connections === undefined ? null : parseWholeNumber(flags.connections, '--connections', 1, 10_000),
    asked: askedOf(scenario, flags),
    aheadMax: parseWholeNumber(flags.ahead, '--ahead', 0, 10_000_000),
    answerMs: parseDuration(flags.answerTimeout, '--answer-timeout') * 1000,
    drainMs: parseDuration(flags.drain, '--drain') * 1000,
    withModel: flags.withoutModel !== true,
    keepsFunds: flags.keepFunds === true,
    meanwhile: faulty === null ? null : () => faulty.meanwhile(),
    signal,
    say: (line) => live.say(line),
    onProgress: (progress) => live.show(progress),
  };
}

/** For machines on which others are busy, too. */
const withGap = (scenario: Scenario, gapMs: number): Scenario => ({
  ...scenario,
  bounds: { ...scenario.bounds, gap_ms: gapMs },
});

const quoted = (word: string): string =>
  /^[\w./:,@=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Progress: one line that changes on a terminal, a line each second elsewhere. */
export class LiveLine {
  readonly #isTerminal: boolean;
  #isShown = false;
  last: Progress | null = null;

  constructor(isTerminal: boolean) {
    this.#isTerminal = isTerminal;
  }

  show(progress: Progress): void {
    this.last = progress;
    const line = progressLine(progress);
    if (!this.#isTerminal) return console.log(line);
    const width = process.stdout.columns ?? line.length;
    process.stdout.write(`\r\u001b[K${line.slice(0, width - 1)}`);
    this.#isShown = true;
  }

  say(line: string): void {
    this.end();
    console.log(line);
  }

  end(): void {
    if (this.#isShown) process.stdout.write('\n');
    this.#isShown = false;
  }
}

/** @throws CliError when nothing can listen there */
async function serveMetrics(place: string, live: LiveLine): Promise<{ close(): void }> {
  const { host, port } = parsePlace(place, '--metrics');
  const server = createServer((request, response) => {
    const isKnown = request.url === '/metrics';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' });
    // Nothing is known before the load begins.
    response.end(isKnown && live.last !== null ? progressMetrics(live.last) : '');
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    throw usageError(`--metrics: nothing can listen at ${place}: ${(cause as Error).message}`, '--metrics', { cause });
  }
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The verdict in words, then figures where there may be some. */
function show(report: RunReport): void {
  const { verdict, totals, durationMs, kinds, knee } = report;
  console.log('');
  for (const line of findingLines(verdict.findings)) console.log(line);
  console.log(`\nverdict: ${verdict.clean ? 'clean' : 'not clean'}`);
  const withheld = whyWithheld(report);
  if (withheld.length > 0) return console.log(`no figures: ${withheld.join('; ')}`);
  const perSecond = (count: number): string => (count / (durationMs / 1000)).toFixed(1);
  console.log(
    `asked ${perSecond(totals.scheduled)}/s, acknowledged ${perSecond(totals.acknowledged)}/s, ${totals.committed} in blocks (${totals.failed} of them refused there), ${totals.refused} refused, ${totals.unknown} unknown, ${totals.late} late`,
  );
  for (const { kind, acknowledged, visible } of kinds) {
    const block =
      visible === null ? '' : `; in a block p50 ${visible.p50Ms.toFixed(0)} ms, p99 ${visible.p99Ms.toFixed(0)} ms`;
    console.log(
      `  ${kind}: acknowledged p50 ${acknowledged.p50Ms.toFixed(1)} ms, p99 ${acknowledged.p99Ms.toFixed(1)} ms${block}`,
    );
  }
  if (knee !== null)
    console.log(
      `knee: ${knee.rate.toFixed(0)}/s (${knee.low.toFixed(0)} to ${knee.high.toFixed(0)} at 95 %): ${knee.limit}`,
    );
}
