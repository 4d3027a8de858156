import { html, type Html, type Section, table, textColumn, value } from '../figures.ts';
import type { RunReport } from '../runReport.ts';

/** All that somebody needs to do the same again. */
export function setupSection(report: RunReport): Section {
  const { scenario, machine, network, seed, asked, command, startedAt, durationMs } = report;
  const body = html`
<p>The same seed sends the same operations:</p>
${code('Command', command)}
${facts([
  ['Scenario', `${scenario.name}: ${scenario.about}`],
  ['Asked', asked],
  ['Seed', String(seed)],
  ['Began', startedAt],
  ['Measured', value(durationMs, 'ms')],
  ['Chain', `${network.chainId}, blocks ${network.firstHeight} to ${network.lastHeight}`],
  ['Machine of the generator', `${machine.cores} cores of ${machine.cpu}, ${value(machine.memoryBytes, 'bytes')}`],
  ['System', `${machine.platform}, Node.js ${machine.node}`],
])}
${table('Validators that were asked', network.validators, [
  textColumn('Address', ({ url }) => withoutCredentials(url)),
  textColumn('Version', ({ version }) => version),
])}
<h3>Scenario</h3>
${code('Scenario as it was read', scenario.toml)}`;
  return { id: 'setup', title: 'Setup', body, charts: [] };
}

const code = (label: string, text: string): Html =>
  html`<pre class="code" role="region" tabindex="0" aria-label="${label}"><code>${text}</code></pre>`;

const facts = (of: readonly (readonly [string, string])[]): Html =>
  html`<dl class="facts">${of.map(([name, words]) => html`<div><dt>${name}</dt><dd>${words}</dd></div>`)}</dl>`;

/** Reports are passed on, and an address may have a password in it. */
function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/[^/@]*@/, '//');
  const parsed = new URL(url);
  Object.assign(parsed, { username: '', password: '', search: '' });
  return parsed.pathname === '/' ? parsed.origin : `${parsed.origin}${parsed.pathname}`;
}
