import type { NetworkPlan } from '../manifest/plan.ts';
import type { ExportTarget, MadeNetwork } from './render.ts';
import { gapsOf } from './gaps.ts';

/** The page that stands in the folder of every export. */
export function exportReadme(
  target: ExportTarget,
  plan: NetworkPlan,
  made: MadeNetwork,
  steps: readonly string[],
): string {
  const { warnings } = gapsOf(plan, target);
  const rows = [
    ...plan.nodes.map(({ name, role, peers, signer }) => [name, role, peers.join(', '), signer ?? '']),
    ...plan.signers.map(({ name, validator }) => [name, 'remote signer', validator, '']),
  ];
  return [
    `# ${plan.name}`,
    '',
    `A network of Prime, written by \`prime testnet export --to ${target}\`. Its genesis is \`${made.network.genesisHash}\`, its chain id ${made.network.chainId}.`,
    '',
    '**Keys are in this folder.** Whoever reads it can sign for the validators. Run each home in one place only: two processes with one key sign twice.',
    '',
    ...steps,
    '',
    '## What it is',
    '',
    '| Process | Role | Peers | Signer |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...(warnings.length === 0 ? [] : ['', '## What was left out', '', ...warnings.map((words) => `- ${words}`)]),
    '',
  ].join('\n');
}
