import { type Static, Type } from '@sinclair/typebox';

/** What a run found out, as data: what `prime load compare` reads, what the HTML page is drawn from, what programs work with. */

const count = Type.Integer({ minimum: 0 });
/** ms since the measured part of the run began; below 0 for what came before. */
const atMs = Type.Number();
const share = Type.Number({ minimum: 0 });
const text = Type.String();
const object = <T extends Parameters<typeof Type.Object>[0]>(fields: T) =>
  Type.Object(fields, { additionalProperties: false });
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(of: T) => Type.Union([of, Type.Null()]);

/** Latencies in ms. */
export const percentilesSchema = object({
  count,
  meanMs: Type.Number(),
  p50Ms: Type.Number(),
  p90Ms: Type.Number(),
  p99Ms: Type.Number(),
  p999Ms: Type.Number(),
  maxMs: Type.Number(),
});

/** What became of operations. */
export const countsSchema = object({
  /** Due in the time of the run. */
  scheduled: count,
  sent: count,
  /** Answered with a result. */
  acknowledged: count,
  /** Found in a block. */
  committed: count,
  /** Of the committed ones: whose execution was refused or reverted. */
  failed: count,
  /** Answered with an error. */
  refused: count,
  /** The connection ended, or no answer came in time. */
  unknown: count,
  /** Sent more than {@link lateMs} behind its time, or never. */
  late: count,
});
/** From so many ms on an operation counts as sent late. */
export const lateMs = 50;

export const findingSchema = object({
  rule: text,
  /** What was looked at, with numbers: a rule that saw nothing proves nothing. */
  seen: text,
  /** Empty when the rule holds. */
  violations: Type.Array(text),
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
  /** Operations a second that were asked for, and that came. */
  rate: Type.Number(),
  got: Type.Number(),
  p99Ms: Type.Number(),
  errorShare: share,
  holds: Type.Boolean(),
  /** Why it does not hold, or that it does. */
  why: text,
});

export const runReportSchema = object({
  format: Type.Literal('prime-load-report-1'),
  scenario: object({ name: text, about: text, /** As it was read. */ toml: text }),
  seed: count,
  /** What the run was asked for, in words: `300/s`, `64 clients`, `search`, `replay x10`. */
  asked: text,
  /** ISO 8601. */
  startedAt: text,
  /** Of the measured part. */
  durationMs: Type.Number(),
  network: object({
    chainId: count,
    validators: Type.Array(object({ url: text, version: text })),
    firstHeight: count,
    lastHeight: count,
  }),
  machine: object({ cores: count, cpu: text, memoryBytes: count, platform: text, node: text }),
  generator: object({
    workers: Type.Array(
      object({
        name: text,
        /** Processor seconds a second of its process or thread. */
        cpuShare: share,
        sent: count,
        /** The most that an operation was sent behind its time. */
        latestMs: Type.Number(),
        /** Why it ended before the run did; null when it did not. */
        died: orNull(text),
      }),
    ),
    /** Null when figures are the network's; else why they are not. */
    unfit: orNull(text),
  }),
  verdict: object({ clean: Type.Boolean(), findings: Type.Array(findingSchema) }),
  totals: countsSchema,
  /** By kind of operation. `acknowledged` and `visible` count from when an operation was due. */
  kinds: Type.Array(
    object({ kind: text, counts: countsSchema, acknowledged: percentilesSchema, visible: orNull(percentilesSchema) }),
  ),
  errors: Type.Array(object({ code: Type.Integer(), words: text, count, example: text })),
  /** HDR histograms in ms, as `encodeIntoCompressedBase64` writes them; of all kinds together. */
  histograms: object({ acknowledged: text, visible: text, late: text }),
  series: object({
    stepMs: count,
    points: Type.Array(
      object({
        atMs,
        /** Operations of this step. */
        scheduled: count,
        sent: count,
        acknowledged: count,
        committed: count,
        errors: count,
        p50Ms: orNull(Type.Number()),
        p99Ms: orNull(Type.Number()),
        head: orNull(count),
        /** Validators that answer. */
        answering: count,
      }),
    ),
  }),
  blocks: Type.Array(
    object({
      height: count,
      /** When this run saw it first. */
      atMs,
      /** Since the block before, by the blocks' own times. */
      intervalMs: Type.Number(),
      transactions: count,
      actions: count,
      gasUsed: count,
    }),
  ),
  /** Null when the nodes told nothing of stages. */
  stages: orNull(
    object({
      rows: Type.Array(
        object({ stage: Type.Union(stageNames.map((name) => Type.Literal(name))), latency: percentilesSchema }),
      ),
      /** How far each validator's clock is ahead of this machine's, and how exact that is. */
      clocks: Type.Array(object({ validator: text, offsetMs: Type.Number(), errorMs: Type.Number() })),
    }),
  ),
  /** Parts of the run that the page draws behind its curves. */
  bands: Type.Array(
    object({
      kind: Type.Union([Type.Literal('stage'), Type.Literal('fault')]),
      name: text,
      fromMs: atMs,
      toMs: atMs,
      /** Of a fault: from its end until all validators committed a new block; null when they never did, or for a stage. */
      recoveryMs: orNull(Type.Number()),
    }),
  ),
  /** What each validator's own metrics told; empty without admin addresses. */
  validators: Type.Array(
    object({
      name: text,
      samples: Type.Array(
        object({
          atMs,
          /** Processor seconds a second, by thread. */
          cpu: Type.Record(Type.String(), Type.Number()),
          rssBytes: count,
          /** Bytes that blocks, state and log take; null when it does not tell. */
          diskBytes: orNull(count),
          head: count,
        }),
      ),
    }),
  ),
  /** Of `--search`. */
  knee: orNull(
    object({
      trials: Type.Array(trialSchema),
      /** Highest rate that held, and between which rates the knee lies at 95 %; operations a second. */
      rate: Type.Number(),
      low: Type.Number(),
      high: Type.Number(),
      /** What the nodes' own metrics name as what bounds it. */
      limit: text,
    }),
  ),
});

export type RunReport = Static<typeof runReportSchema>;
export type Counts = Static<typeof countsSchema>;
export type Percentiles = Static<typeof percentilesSchema>;
export type Finding = Static<typeof findingSchema>;
export type SeriesPoint = RunReport['series']['points'][number];
