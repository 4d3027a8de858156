import { createPrng } from '@prime/primitives';
import { reportFormat, type RunReport } from '../report/runReport.ts';
import { syntheticBands, syntheticLoad } from './syntheticLoad.ts';
import {
  syntheticBlocks,
  syntheticKnee,
  syntheticStages,
  syntheticValidators,
  validatorUrl,
} from './syntheticNodes.ts';

export interface SyntheticOptions {
  readonly seed: number;
  /** Whole seconds, at least 1. */
  readonly seconds?: number;
  /** Operations a second. */
  readonly rate?: number;
  readonly validators?: number;
  /** How much longer everything takes than usual. */
  readonly slowness?: number;
  /** `failed`: operations are lost, doubled and answered wrongly. */
  readonly verdict?: 'clean' | 'failed';
  readonly unfit?: boolean;
  readonly faults?: boolean;
  readonly search?: boolean;
  /** Nodes without admin addresses tell nothing of themselves. */
  readonly silentNodes?: boolean;
}

const toml = `name = "maker"
about = "quotes around a moving mid"
accounts = 64

[[mix]]
kind = "gtc"
weight = 44
[[mix]]
kind = "cancel"
weight = 40
`;

/** A report such as a run writes, made up from a seed: the same options give the same report. */
export function syntheticReport(options: SyntheticOptions): RunReport {
  const { seed, seconds = 120, rate = 300, validators = 4, slowness = 1 } = options;
  const { verdict = 'clean', unfit = false, faults = true, search = false, silentNodes = false } = options;
  const prng = createPrng(seed);
  const load = syntheticLoad({ prng: prng.fork(), seconds, rate, slowness, unfit, validators, faults });
  const blocks = syntheticBlocks(prng.fork(), seconds);
  const { refused, unknown, sent } = load.totals;
  return {
    format: reportFormat,
    scenario: {
      name: 'maker',
      about: 'Quotes around a moving mid: 44 gtc, 5 ioc, 1 fok, 40 cancels, 10 modifies of 100.',
      toml,
    },
    seed,
    asked: search ? 'search' : `${rate}/s`,
    command: `prime load run maker --rpc ${validatorUrl(0)} --rate ${rate} --duration ${seconds}s --seed ${seed}`,
    startedAt: '2026-03-02T09:30:00.000Z',
    durationMs: seconds * 1000,
    network: {
      chainId: 7357,
      validators: Array.from({ length: validators }, (_, index) => ({
        url: validatorUrl(index),
        version: 'prime/0.1.0',
      })),
      firstHeight: 42,
      lastHeight: blocks.at(-1)?.height ?? 42,
    },
    machine: {
      cores: 8,
      cpu: 'AMD EPYC 7763 64-Core Processor',
      memoryBytes: 33_554_432_000,
      platform: 'linux x64',
      node: 'v22.12.0',
    },
    generator: {
      workers: Array.from({ length: 2 }, (_, index) => ({
        name: `worker ${index}`,
        cpuShare: unfit ? 0.99 : 0.11 + index / 100,
        sent: index === 0 ? Math.ceil(sent / 2) : Math.floor(sent / 2),
        latestMs: unfit ? 2310 : 4.2 + index,
        died: null,
      })),
      unfit: unfit ? `97 of 100 operations were sent more than 50 ms late: worker 0 took 0.99 of its core` : null,
    },
    verdict: syntheticVerdict(verdict === 'failed', sent, blocks.length, validators),
    ...load,
    errors: [
      { code: -32005, words: 'the mempool is full', count: refused, example: 'order gtc of account 17 at 31.2 s' },
      {
        code: 0,
        words: 'the connection ended before the answer',
        count: unknown,
        example: 'cancel of account 3 at 37.0 s',
      },
    ].filter(({ count }) => count > 0),
    blocks,
    stages: silentNodes ? null : syntheticStages(prng.fork(), validators, slowness),
    bands: syntheticBands({ seconds, faults }),
    validators: silentNodes ? [] : syntheticValidators(prng.fork(), seconds, validators),
    knee: search ? syntheticKnee(prng.fork(), Math.round((4 * rate) / slowness)) : null,
  };
}

function syntheticVerdict(failed: boolean, sent: number, blocks: number, validators: number): RunReport['verdict'] {
  const finding = (rule: string, seen: string, violations: readonly string[]) => ({
    rule,
    seen,
    violations: failed ? [...violations] : [],
  });
  return {
    clean: !failed,
    lost: failed ? 2 : 0,
    doubled: failed ? 1 : 0,
    wrong: failed ? 3 : 0,
    unresolved: failed ? 1 : 0,
    findings: [
      finding('every acknowledged operation is in the chain exactly once', `${sent} operations in ${blocks} blocks`, [
        '0x6d1f…9c02 (order gtc of account 17) was acknowledged at 31.2 s and is in no block',
        '0x0b77…41de (cancel of account 3) was acknowledged at 37.0 s and is in no block',
        '0xee10…77a4 (order ioc of account 40) is in blocks 391 and 393',
      ]),
      finding('all validators have equal state roots', `${blocks} heights of ${validators} validators`, []),
      finding('books, positions and collateral are what the model says', '64 accounts, 4 markets, 1 insurance fund', [
        'account 17: position of BTC-USD is 12 lots, the model says 11',
        'account 17: collateral is 99.9871, the model says 99.9904',
        'account 40: open orders are 3, the model says 2',
      ]),
      finding('the chain goes on', `${blocks} blocks; the longest pause was 1.9 s of 10 s allowed`, []),
      finding(
        'memory and disk grow within their bounds',
        `${validators} validators; 31 MB per million operations of 64 MB`,
        [],
      ),
      finding('no log line of level error', `${validators} logs, 1 204 lines`, []),
    ],
  };
}
