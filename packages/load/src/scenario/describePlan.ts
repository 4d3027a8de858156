import { kindTable } from './kindTable.ts';
import type { Plan } from './operation.ts';
import { sizeOf } from './parseScenario.ts';
import type { Scenario } from './schema.ts';
import { stagesSeconds } from './stages.ts';

/** What `prime load plan` prints: what would be sent, from how many accounts, and what these need. */
export function describePlan(plan: Plan, scenario: Scenario): string {
  const { accounts, setup, markets, operations, kinds } = plan;
  const wei = accounts.reduce((sum, account) => sum + account.wei, 0n);
  const most = accounts.reduce((highest, account) => (account.wei > highest ? account.wei : highest), 0n);
  const lines = [
    `${scenario.name}: ${scenario.about}`,
    `It is there to catch: ${scenario.catches}`,
    '',
    `Operations   ${operations === null ? 'as many as the network takes' : `${grouped(operations)} in ${stagesSeconds(scenario)} s`}`,
    ...scenario.stages.map(({ kind, rate, seconds }) => `             ${kind} ${rate}/s for ${seconds} s`),
    `Arrivals     ${scenario.arrivals}`,
    ...table(
      operations === null ? 'Of a thousand' : 'Of these',
      kinds.map(({ kind, count }) => [`${grouped(count)}`, kind]),
    ),
    `Size         ${sizeWords(scenario)}`,
    `Accounts     ${grouped(accounts.length - 1)}, and one that deploys contracts`,
    `Funds        ${ether(wei)} ether in all, at most ${ether(most)} for one account; what is left is given back`,
    `Markets      ${marketWords(markets)}`,
    ...(scenario.readers.count > 0
      ? [`Readers      ${scenario.readers.count} WebSockets with ${scenario.readers.streams.join(', ')}`]
      : []),
    ...table(
      'Setup',
      setup.map((step) => [grouped(step.operations.length), step.name]),
    ),
    ...refusalLines(scenario),
  ];
  return `${lines.join('\n')}\n`;
}

const grouped = (count: number): string => count.toLocaleString('en-US').replaceAll(',', ' ');

/** With four digits behind the point, rounded up. */
function ether(wei: bigint): string {
  const parts = (wei + 10n ** 14n - 1n) / 10n ** 14n;
  return `${parts / 10_000n}.${(parts % 10_000n).toString().padStart(4, '0')}`;
}

function table(head: string, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([count]) => count.length));
  return rows.map(([count, name], index) => `${(index === 0 ? head : '').padEnd(13)}${count.padStart(width)}  ${name}`);
}

/** Once for kinds that count the same. */
function sizeWords(scenario: Scenario): string {
  const words = scenario.mix.flatMap((item) => {
    const { size } = kindTable[item.kind];
    return size === null ? [] : [`${grouped(sizeOf(scenario, item))} ${size}`];
  });
  return words.length === 0 ? 'none' : [...new Set(words)].join('; ');
}

function marketWords(markets: readonly string[]): string {
  if (markets.length === 0) return 'none';
  const shown = markets.length > 4 ? [...markets.slice(0, 2), '…', markets.at(-1)!] : markets;
  return `${markets.length}: ${shown.join(', ')}`;
}

function refusalLines({ mix }: Scenario): string[] {
  const lines = mix.flatMap(({ kind, refusals = [] }) => [
    ...(kindTable[kind].refusals ?? []).map(({ reasons, when }) => `${reasons.join(', ')} of ${kind}: ${when}`),
    ...(refusals.length > 0 ? [`${refusals.join(', ')} of ${kind}: the scenario names them`] : []),
  ]);
  return lines.map((line, index) => `${(index === 0 ? 'Refusals' : '').padEnd(13)}${line}`);
}
