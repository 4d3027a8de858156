import { type Static, type TSchema, Type } from '@sinclair/typebox';

/** What a run found out, as data: what `prime load compare` reads, what the HTML page is drawn from, what programs work with. */

/** Fields that say what they are: the words stand in the published JSON Schema. */
const count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) });
const number = (description?: string) => Type.Number(described(description));
const share = (description?: string) => Type.Number({ minimum: 0, ...described(description) });
const text = (description?: string) => Type.String(described(description));
const described = (description?: string) => (description === undefined ? {} : { description });
const object = <T extends Parameters<typeof Type.Object>[0]>(fields: T, description?: string) =>
  Type.Object(fields, { additionalProperties: false, ...described(description) });
const list = <T extends TSchema>(of: T, description?: string) => Type.Array(of, described(description));
const orNull = <T extends TSchema>(of: T, description?: string) =>
  Type.Union([of, Type.Null()], described(description));
const atMs = (description = 'ms since the measured part of the run began; below 0 for what came before.') =>
  number(description);

/** Latencies in ms. */
const percentilesSchema = object({
  count: count(),
  meanMs: number(),
  p50Ms: number(),
  p90Ms: number(),
  p99Ms: number(),
  p999Ms: number(),
  maxMs: number(),
});

/** From so many ms on an operation counts as sent late. */
export const lateMs = 50;

/** What became of operations. */
const countsSchema = object({
  scheduled: count('Due in the time of the run.'),
  sent: count(),
  acknowledged: count('Answered with a result.'),
  committed: count('Found in a block.'),
  failed: count('Of the committed ones: whose execution was refused or reverted.'),
  refused: count('Answered with an error.'),
  unknown: count('The connection ended, or no answer came in time.'),
  late: count(`Sent more than ${lateMs} ms behind its time, or never.`),
});

const findingSchema = object({
  rule: text(),
  seen: text('What was looked at, with numbers: a rule that saw nothing proves nothing.'),
  violations: list(Type.String(), 'Empty when the rule holds.'),
});

const verdictSchema = object({
  clean: Type.Boolean({ description: 'No rule was violated.' }),
  lost: count('Operations that were acknowledged and are in no block.'),
  doubled: count('Operations that are in the chain more than once.'),
  wrong: count('Answers, fills, balances and roots that are not what the model says.'),
  unresolved: count('Operations of unknown outcome of which it could not be found out whether they were carried out.'),
  findings: list(findingSchema, 'One for each rule, held or not.'),
});

/** Where time goes between two moments of an operation's life. */
export const stageNames = [
  'scheduled to sent',
  'sent to acknowledged',
  'acknowledged to pooled by the proposer',
  'pooled to proposed',
  'proposed to prevote quorum',
  'prevote to precommit quorum',
  'precommit quorum to durable',
  'durable to executed',
  'executed to visible',
  'visible to delivered',
] as const;

const trialSchema = object({
  rate: number('Operations a second that were asked for.'),
  got: number('Operations a second that came.'),
  p99Ms: number(),
  errorShare: share(),
  holds: Type.Boolean(),
  spoiled: Type.Boolean({ description: 'The generator was late itself: the trial says nothing about the network.' }),
  why: text('Why it does not hold, or that it does.'),
});

/** The most windows that a report has; longer runs have longer windows. */
export const windowsMax = 240;
const windowSchema = object({
  fromMs: atMs(),
  toMs: atMs(),
  acknowledged: count(),
  committed: count(),
  acknowledgedHistogram: text('As in `histograms`, of what was acknowledged in this window.'),
  visibleHistogram: text('Until they were visible in a block, of the operations that were due in this window.'),
});

const pointSchema = object({
  atMs: atMs('Begin of the step, ms since the measured part of the run began.'),
  scheduled: count(),
  sent: count(),
  acknowledged: count(),
  committed: count(),
  errors: count(),
  p50Ms: orNull(number(), 'Until they were acknowledged; null when none was.'),
  p99Ms: orNull(number()),
  head: orNull(count(), 'Highest block that this run saw by the end of the step.'),
  answering: count('Validators that answer.'),
});

const blockSchema = object({
  height: count(),
  atMs: atMs('When this run saw it first.'),
  intervalMs: number("Since the block before, by the blocks' own times."),
  transactions: count(),
  actions: count(),
  gasUsed: count(),
});

const bandSchema = object({
  kind: Type.Union([Type.Literal('stage'), Type.Literal('fault')]),
  name: text(),
  fromMs: atMs(),
  toMs: atMs(),
  recoveryMs: orNull(
    number(),
    'Of a fault: from its end until all validators committed a new block; null when they never did, or for a stage.',
  ),
});

const validatorSchema = object({
  name: text(),
  samples: list(
    object({
      atMs: atMs(),
      cpu: Type.Record(Type.String(), Type.Number(), { description: 'Processor seconds a second, by thread.' }),
      rssBytes: count(),
      diskBytes: orNull(count(), 'Bytes that blocks, state and log take; null when it does not tell.'),
      head: count(),
    }),
  ),
});

const kneeSchema = object({
  trials: list(trialSchema, 'In the order in which they ran.'),
  rate: number('Where the knee is believed to be: the middle of the interval, operations a second.'),
  low: number('The knee lies between `low` and `high` at 95 %.'),
  high: number(),
  limit: text("What the nodes' own metrics name as what bounds it."),
});

const workerSchema = object({
  name: text(),
  cpuShare: share('Processor seconds a second of its process or thread.'),
  sent: count(),
  latestMs: number('The most that an operation was sent behind its time.'),
  died: orNull(text(), 'Why it ended before the run did; null when it did not.'),
});

/** The format's name: it changes with every change that a reader could stumble over. */
export const reportFormat = 'prime-load-report-1';

/** JSON Schema of the report of a run, version {@link reportFormat}. Times are ms since the measured part began. */
export const runReportSchema = object({
  format: Type.Literal(reportFormat),
  scenario: object({ name: text(), about: text(), toml: text('As it was read.') }),
  seed: count(),
  asked: text('What the run was asked for, in words: `300/s`, `64 clients`, `search`, `replay x10`.'),
  command: text('The line for a shell that does the same again, without secrets.'),
  startedAt: text('ISO 8601.'),
  durationMs: number('Of the measured part.'),
  network: object({
    chainId: count(),
    validators: list(object({ url: text(), version: text() })),
    firstHeight: count(),
    lastHeight: count(),
  }),
  machine: object({ cores: count(), cpu: text(), memoryBytes: count(), platform: text(), node: text() }),
  generator: object({
    workers: list(workerSchema),
    unfit: orNull(text(), "Null when figures are the network's; else why they are not."),
  }),
  verdict: verdictSchema,
  totals: countsSchema,
  kinds: list(
    object({ kind: text(), counts: countsSchema, acknowledged: percentilesSchema, visible: orNull(percentilesSchema) }),
    'By kind of operation. `acknowledged` and `visible` count from when an operation was due.',
  ),
  errors: list(object({ code: Type.Integer(), words: text(), count: count(), example: text() })),
  histograms: object(
    { acknowledged: text(), visible: text(), late: text() },
    'HDR histograms of all kinds together: compressed V2 encoding in base64, values in µs from 1 to 3.6e9, three digits.',
  ),
  windows: Type.Array(windowSchema, {
    maxItems: windowsMax,
    description: 'The measured part cut into windows of one length, without gaps: what comparisons draw from.',
  }),
  series: object({ stepMs: count(), points: list(pointSchema) }),
  blocks: list(blockSchema),
  stages: orNull(
    object({
      rows: list(
        object({ stage: Type.Union(stageNames.map((name) => Type.Literal(name))), latency: percentilesSchema }),
      ),
      clocks: list(
        object({ validator: text(), offsetMs: number(), errorMs: number() }),
        "How far each validator's clock is ahead of this machine's, and how exact that is.",
      ),
    }),
    'Null when the nodes told nothing of stages.',
  ),
  bands: list(bandSchema, 'Parts of the run that the page draws behind its curves.'),
  validators: list(validatorSchema, "What each validator's own metrics told; empty without admin addresses."),
  knee: orNull(kneeSchema, 'Of `--search`.'),
});

/** The report of a run, once it was checked. */
export type RunReport = Static<typeof runReportSchema>;
/** How many operations ended how. */
export type Counts = Static<typeof countsSchema>;
/** Latencies of operations in ms, with how many they are of. */
export type Percentiles = Static<typeof percentilesSchema>;
/** What one rule saw in a run, and what broke it. */
export type Finding = Static<typeof findingSchema>;
/** One step of the course of a run. */
export type SeriesPoint = RunReport['series']['points'][number];
/** A stretch of the run with histograms of its own: comparisons draw windows. */
export type ReportWindow = RunReport['windows'][number];
/** A stage or a fault, with when it was. */
export type Band = RunReport['bands'][number];

/** Rules that were violated. */
export const brokenRules = ({ verdict }: RunReport): number =>
  verdict.findings.filter(({ violations }) => violations.length > 0).length;

/** Whether the network did what it acknowledged. What the verdict counts has to agree with what it says. */
export const isClean = (report: RunReport): boolean => {
  const { clean, lost, doubled, wrong, unresolved } = report.verdict;
  return clean && brokenRules(report) === 0 && lost + doubled + wrong + unresolved === 0;
};

/**
 * Why throughput and latency of a run must not be shown: a network that loses operations is not fast, and a generator that comes late measures itself.
 *
 * @returns sentences without a full stop; empty when figures may be shown
 */
export function whyWithheld(report: RunReport): string[] {
  const reasons: string[] = [];
  const { findings } = report.verdict;
  if (!isClean(report)) {
    const rules = brokenRules(report);
    reasons.push(`the verdict is not clean${rules > 0 ? `: ${rules} of ${findings.length} rules do not hold` : ''}`);
  }
  if (report.generator.unfit !== null) reasons.push(`the load generator was unfit: ${report.generator.unfit}`);
  return reasons;
}
