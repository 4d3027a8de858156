import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pageScript, pageStyle } from '../generated/reportPage.js';
import type { Chart } from './chart.ts';
import { embeddedJson, Html, html, type Section, value } from './figures.ts';
import { isClean, type RunReport, whyWithheld } from './runReport.ts';
import { generatorSection } from './sections/generator.ts';
import { glossarySection } from './sections/glossary.ts';
import { kneeSection } from './sections/knee.ts';
import { latencySection } from './sections/latency.ts';
import { operationsSection } from './sections/operations.ts';
import { overTimeSection } from './sections/overTime.ts';
import { setupSection } from './sections/setup.ts';
import { validatorsSection } from './sections/validators.ts';
import { verdictSection } from './sections/verdict.ts';

/**
 * The report as one HTML file that asks nobody for anything: style, script and the library for charts are in it.
 *
 * Where the verdict is not clean or the generator was unfit, no throughput and no latency of the network is in the file, not even in the data of its charts.
 * All tables are there without JavaScript. A policy in the file keeps the browser from any request and from any script but the two in it.
 *
 * @throws LoadError `LOAD_HISTOGRAM_MALFORMED` for a report that did not come through `parseReport`
 */
export function writeReport(report: RunReport): string {
  const sections = sectionsOf(report);
  const { script, style } = chartLibrary();
  const [scripts, styles] = [[script, pageScript].map(inElement), inElement(`${style}\n${pageStyle}`)];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(' ')}`,
    `style-src ${hashOf(styles)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { name, about } = report.scenario;
  const state = !isClean(report) ? 'failed' : report.generator.unfit === null ? 'clean' : 'no result';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}: ${state} – Prime load report</title>
<link rel="icon" href="data:,">
<style>${new Html(styles)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
<header>
<p class="product">Prime load report</p>
<h1>${name}</h1>
<p>${about}</p>
<p class="meta"><span>asked: ${report.asked}</span><span>${value(report.durationMs, 'ms')} measured</span><span>${report.network.validators.length} validators</span><span>seed ${report.seed}</span><time datetime="${report.startedAt}">${spoken(report.startedAt)}</time></p>
</header>
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main>${sections.map(sectionHtml)}</main>
<footer>Made by <code>prime load run</code>. The same data for programs stands in the JSON file beside this page.</footer>
<script type="application/json" id="charts">${embeddedJson(sections.flatMap(({ charts }) => charts.map(rounded)))}</script>
${scripts.map((text) => html`<script>${new Html(text)}</script>`)}
</body>
</html>
`.text;
}

function sectionsOf(report: RunReport): Section[] {
  const shown = whyWithheld(report).length === 0;
  return [
    verdictSection(report),
    ...(shown && report.knee !== null ? [kneeSection(report.knee)] : []),
    overTimeSection(report),
    ...(shown ? [latencySection(report)] : []),
    operationsSection(report),
    validatorsSection(report),
    generatorSection(report),
    setupSection(report),
    glossarySection,
  ];
}

/** The verdict has its words for a heading, and the others their titles. */
const sectionHtml = ({ id, title, body }: Section): Html => html`
<section id="${id}" aria-labelledby="${id}-title">
${id === 'verdict' ? null : html`<h2 id="${id}-title">${title}</h2>`}
${body}
</section>`;

/** More digits than a pixel shows would be most of the file. */
const rounded = ({ xs, series, ...chart }: Chart): Chart => ({
  ...chart,
  xs: xs.map(digits),
  series: series.map(({ values, ...one }) => ({
    ...one,
    values: values.map((of) => (of === null ? null : digits(of))),
  })),
});
const digits = (of: number): number => (Number.isInteger(of) ? of : Number(of.toPrecision(6)));

const spoken = (startedAt: string): string => startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');

function chartLibrary(): { readonly script: string; readonly style: string } {
  const resolve = createRequire(import.meta.url).resolve;
  const read = (path: string): string => readFileSync(resolve(`uplot/dist/${path}`), 'utf8');
  return { script: read('uPlot.iife.min.js'), style: read('uPlot.min.css') };
}

/** Code can not be escaped as text can, so what would end its element must not be in it. */
function inElement(text: string): string {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error('code of the report page would end its element');
  return text;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
