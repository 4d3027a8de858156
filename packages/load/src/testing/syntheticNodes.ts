import type { Prng } from '@prime/primitives';
import { LatencyHistogram } from '../histogram.ts';
import { type RunReport, stageNames } from '../report/runReport.ts';
import { gauss, logNormal } from './random.ts';

/** The network's side of a made-up run: blocks, what validators tell of themselves, stages, and the trials of a search. */

export const validatorUrl = (index: number): string => `http://127.0.0.1:${8545 + index}`;

export function syntheticBlocks(prng: Prng, seconds: number): RunReport['blocks'] {
  const blocks: RunReport['blocks'] = [];
  let atMs = 0;
  for (let height = 43; ; height++) {
    const intervalMs = Math.round(logNormal(prng, 108, 0.12));
    atMs += intervalMs;
    if (atMs > seconds * 1000) return blocks;
    const actions = prng.below(70);
    blocks.push({
      height,
      atMs: atMs + 9,
      intervalMs,
      transactions: prng.below(4),
      actions,
      gasUsed: prng.below(90_000),
    });
  }
}

/** Threads of a node with the share of a core that each takes at this load. */
const threads = { gateway: 0.21, consensus: 0.34, evm: 0.17, clob: 0.12, readers: 0.03, main: 0.01 } as const;

export function syntheticValidators(prng: Prng, seconds: number, count: number): RunReport['validators'] {
  return Array.from({ length: count }, (_, index) => {
    const weight = index === 0 ? 1.25 : 1;
    let disk = 48_000_000;
    const samples = Array.from({ length: Math.floor(seconds / 2) + 1 }, (_sample, sample) => {
      const atMs = sample * 2000;
      disk += 310_000 + prng.below(60_000);
      const cpu = Object.fromEntries(
        Object.entries(threads).map(([thread, share]) => [
          thread,
          Math.min(1, Math.max(0, weight * share * (1 + 0.15 * gauss(prng)))),
        ]),
      );
      const rssBytes = Math.round(282e6 + index * 9e6 + 6e7 * (1 - Math.exp(-sample / 20)) + 4e6 * gauss(prng));
      return { atMs, cpu, rssBytes, diskBytes: index === 3 ? null : disk, head: 42 + Math.round(atMs / 110) };
    });
    return { name: `validator ${index}`, samples };
  });
}

const stageMedianMs = [0.6, 3.1, 2.4, 28, 6.2, 4.9, 3.8, 7.5, 2.1, 1.2] as const;

export function syntheticStages(prng: Prng, validators: number, slowness: number): NonNullable<RunReport['stages']> {
  const rows = stageNames.map((stage, index) => {
    const histogram = new LatencyHistogram();
    for (let sample = 0; sample < 4000; sample++)
      histogram.record(logNormal(prng, slowness * stageMedianMs[index]!, index === 3 ? 0.7 : 0.35));
    return { stage, latency: histogram.percentiles() };
  });
  const clocks = Array.from({ length: validators }, (_, index) => ({
    validator: `validator ${index}`,
    offsetMs: Number((0.4 * gauss(prng)).toFixed(3)),
    errorMs: Number((0.05 + prng.below(100) / 1000).toFixed(3)),
  }));
  return { rows, clocks };
}

/** Trials of a bisection around a knee, three at each rate. */
export function syntheticKnee(prng: Prng, knee: number): NonNullable<RunReport['knee']> {
  const rates = [0.25, 0.5, 1, 2, 1.5, 1.25, 1.12, 1.06].map((share) => Math.round(knee * share));
  const trials = rates.flatMap((rate) =>
    Array.from({ length: 3 }, () => {
      const strain = rate / knee;
      const p99Ms = 14 * (1 + 0.08 * gauss(prng)) * (strain <= 1.02 ? 1 + 0.6 * strain ** 4 : 3 + 60 * (strain - 1));
      const got = Math.min(rate, knee * 1.05) * (1 + 0.004 * gauss(prng));
      const errorShare = strain > 1.2 ? 0.02 * strain : 0;
      const holds = p99Ms <= 50 && errorShare <= 0.01;
      const reason = p99Ms > 50 ? `p99 ${p99Ms.toFixed(0)} ms is above 50 ms` : 'errors are above 1 %';
      return { rate, got, p99Ms, errorShare, holds, spoiled: false, why: holds ? 'p99 and errors hold' : reason };
    }),
  );
  return {
    trials,
    rate: knee,
    low: Math.round(knee * 0.96),
    high: Math.round(knee * 1.05),
    limit: 'thread consensus of validator 0: busy for 0.97 of a core',
  };
}
