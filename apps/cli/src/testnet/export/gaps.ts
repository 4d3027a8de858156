/** What a target has no form for. */
import type { NetworkPlan } from '../manifest/plan.ts';
import type { ExportTarget } from './render.ts';

/** What of a plan a target cannot have, in words. */
export interface Gaps {
  /** Parts of what the network is: without them it would be another one. */
  readonly refusals: readonly string[];
  /** What runs beside the network or is done to it: it is left out, and the network is the same. */
  readonly warnings: readonly string[];
}

/** Names of pods begin with the name of the release. */
const releaseNameMax = 30;

/** Looks at what a plan has, and what the target has a form for; pure. */
export function gapsOf(plan: NetworkPlan, target: ExportTarget): Gaps {
  const { faults, latencyWords, besides } = partsOf(plan);
  const hosts = plan.nodes.some(({ host }) => host !== null);
  const inTime = [
    ...(latencyWords === null ? [] : [latencyWords]),
    ...(faults === 0 ? [] : [`faults (${faults}): prime testnet up carries them out; here somebody has to`]),
  ];
  switch (target) {
    case 'systemd':
      return { refusals: [], warnings: inTime };
    case 'compose':
      return { refusals: [], warnings: hosts ? ['hosts: all containers run on one machine', ...inTime] : inTime };
    case 'helm':
      return {
        refusals: [
          ...(plan.nodes.some(({ role }) => role === 'sentry')
            ? ['sentries: the chart has none; its network policies say who reaches a validator']
            : []),
          ...(plan.name.length > releaseNameMax
            ? [`name: it becomes the name of the release, which has at most ${releaseNameMax} characters`]
            : []),
        ],
        warnings: [
          ...(hosts ? ['hosts: the cluster places pods'] : []),
          ...(besides.makers === null ? [] : ['makers: run prime bot maker with --rpc and a key that has collateral']),
          ...(besides.load === null ? [] : ['load: deploy/load runs one as a Job']),
          ...inTime,
        ],
      };
  }
}

function partsOf(plan: NetworkPlan) {
  const numbers = plan.nodes.map((_, index) => index);
  const isSlow = numbers.some((from) =>
    numbers.some((to) => from !== to && Object.values(plan.linkRule({ from, to })).some((ms) => ms > 0)),
  );
  return {
    faults: plan.faults.length,
    latencyWords: isSlow ? 'latency: links are as fast as the machines are' : null,
    besides: plan.besides,
  };
}
