import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { LatencyHistogram } from '../histogram.ts';
import { syntheticReport } from '../testing/index.ts';
import type { Chart } from './chart.ts';
import { embeddedJson, html } from './figures.ts';
import { parseReport } from './parseReport.ts';
import type { RunReport } from './runReport.ts';
import { writeReport } from './writeReport.ts';

const chartsOf = (page: string): Chart[] =>
  JSON.parse(/<script type="application\/json" id="charts">(.*?)<\/script>/s.exec(page)![1]!) as Chart[];
const idsOf = (page: string): string[] => chartsOf(page).map(({ id }) => id);
/** What a reader sees, without code and data. */
const textOf = (page: string): string =>
  page
    .replace(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ');

describe('the page of a report', () => {
  let page: string;
  beforeAll(() => {
    page = writeReport(syntheticReport({ seed: 7, seconds: 30, rate: 60 }));
  });

  it('says the verdict first, then figures, and what to do the same again with last', () => {
    const text = textOf(page);
    const inOrder = [
      'Clean: every operation is accounted for',
      'The network committed',
      'Accounting',
      'Throughput',
      'Percentiles of the whole run',
      'Where the time goes',
      'Operations by kind',
      'the mempool is full',
      'Processor time by thread',
      'Workers of the generator',
      'clock is ahead',
      'prime load run maker --rpc http://127.0.0.1:8545 --rate 60 --duration 30s --seed 7',
      'name = &quot;maker&quot;',
    ];
    const places = inOrder.map((words) => text.indexOf(words));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('draws each chart that it has the data of, and has no other data', () => {
    const placed = [...page.matchAll(/data-chart="([^"]+)"/g)].map((match) => match[1]!);
    expect(idsOf(page).toSorted()).toEqual(placed.toSorted());
    expect(new Set(placed).size).toBe(placed.length);
    expect(placed).toEqual(
      expect.arrayContaining(['throughput', 'latency', 'percentiles', 'intervals', 'cpu-3', 'disk']),
    );
    for (const { xs, series } of chartsOf(page))
      for (const { values } of series) expect(values).toHaveLength(xs.length);
  });

  it('asks nobody for anything, and lets nothing run but what it carries', () => {
    const attributes = [...page.matchAll(/\s(?:src|href|action|srcset)="([^"]*)"/g)].map((match) => match[1]!);
    expect(attributes.filter((value) => !/^(?:#[\w-]+|data:,)$/.test(value))).toEqual([]);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    expect(policy).toContain('default-src &#39;none&#39;');
    const elements = [...page.matchAll(/<(?:script|style)>(.*?)<\/(?:script|style)>/gs)].map((match) => match[1]!);
    expect(elements).toHaveLength(3);
    for (const text of elements)
      expect(policy).toContain(`&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`);
    expect(page).not.toMatch(/<[^>]+\s(?:style|on\w+)=/);
  });

  it('gives tables captions, and cells their heads', () => {
    const tables = page.split('<table>').slice(1);
    expect(tables.length).toBeGreaterThan(15);
    for (const table of tables) {
      expect(table).toMatch(/^\s*<caption>[^<]+<\/caption>/);
      expect(table.split('</table>')[0]).toMatch(/<th scope="col"/);
    }
    expect(page).toContain('<html lang="en">');
  });

  it('is the same for the same report, also for one that was written and read', () => {
    const report = syntheticReport({ seed: 7, seconds: 30, rate: 60 });
    expect(writeReport(report)).toBe(page);
    expect(writeReport(parseReport(JSON.stringify(report)))).toBe(page);
  });
});

describe('where figures must not be shown', () => {
  /** Numbers that nothing else on the page can be. */
  const marked = (of: RunReport): RunReport => {
    const report = structuredClone(of);
    const only = (ms: number): string => {
      const histogram = new LatencyHistogram();
      histogram.record(ms);
      return histogram.encode();
    };
    const percentiles = {
      count: 7_654_321,
      meanMs: 7431,
      p50Ms: 7432,
      p90Ms: 7433,
      p99Ms: 7434,
      p999Ms: 7435,
      maxMs: 7436,
    };
    Object.assign(report.totals, { acknowledged: 7_654_321, committed: 7_654_321 });
    for (const { counts, ...kind } of report.kinds) {
      Object.assign(counts, { acknowledged: 7_654_321, committed: 7_654_321 });
      Object.assign(kind.acknowledged, percentiles);
      if (kind.visible !== null) Object.assign(kind.visible, percentiles);
    }
    Object.assign(report.histograms, { acknowledged: only(7432), visible: only(7434) });
    for (const point of report.series.points)
      Object.assign(point, {
        acknowledged: 7_654_321,
        committed: 7_654_321,
        scheduled: 7_654_321,
        p50Ms: 7432,
        p99Ms: 7434,
      });
    for (const window of report.windows)
      Object.assign(window, { acknowledgedHistogram: only(7432), visibleHistogram: only(7434) });
    for (const block of report.blocks)
      Object.assign(block, { transactions: 7_654_321, actions: 7_654_321, gasUsed: 7_654_321 });
    for (const row of report.stages?.rows ?? []) Object.assign(row.latency, percentiles);
    if (report.knee !== null) {
      Object.assign(report.knee, { rate: 7_654_321, low: 7_654_321, high: 7_654_321 });
      for (const trial of report.knee.trials)
        Object.assign(trial, { rate: 7_654_321, got: 7_654_321, p99Ms: 7434, why: '7434' });
    }
    return report;
  };
  const marks = /7,?654,?321|\b743\d\b|\b7\.43\b/;

  it.each([
    ['a verdict that failed', { verdict: 'failed' as const }, 'Failed: 2 of 6 rules do not hold'],
    ['a generator that was unfit', { unfit: true }, 'No result: the load generator could not keep up'],
    [
      'both',
      { verdict: 'failed' as const, unfit: true },
      'because the verdict is not clean: 2 of 6 rules do not hold, and the load generator was unfit',
    ],
  ])('%s has none in its text, its tables and its data', (_, options, words) => {
    const report = marked(syntheticReport({ seed: 3, seconds: 20, rate: 40, search: true, ...options }));
    const page = writeReport(report);
    const data = JSON.stringify(chartsOf(page));
    expect([textOf(page).match(marks), data.match(marks)]).toEqual([null, null]);
    expect(textOf(page)).toContain(words);
    // A rate is asked for, and that is the only thing a second on the page.
    expect(textOf(page).match(/\d\/s/g) ?? []).toEqual([]);
    expect(idsOf(page)).toEqual(expect.arrayContaining(['answering', 'intervals', 'errors-over-time']));
    for (const id of ['throughput', 'latency', 'percentiles', 'knee', 'knee-got'])
      expect(idsOf(page)).not.toContain(id);
  });

  it('the same report with a clean verdict has them all', () => {
    const page = writeReport(marked(syntheticReport({ seed: 3, seconds: 20, rate: 40, search: true })));
    expect(textOf(page)).toMatch(marks);
    expect(JSON.stringify(chartsOf(page))).toMatch(marks);
    expect(idsOf(page)).toEqual(expect.arrayContaining(['throughput', 'latency', 'percentiles', 'knee', 'knee-got']));
  });

  it('a failed one says what was lost, doubled, wrong and unresolved, and which rules do not hold', () => {
    const text = textOf(writeReport(syntheticReport({ seed: 3, seconds: 20, verdict: 'failed' })));
    expect(text).toContain('The audit found 2 lost, 1 doubled, 3 wrong, 1 unresolved.');
    expect(text).toContain('account 17: position of BTC-USD is 12 lots, the model says 11');
  });
});

describe('what others wrote', () => {
  const nasty = '</script><script>alert(1)</script><!-- \u2028"\'& <img src=x onerror=alert(1)>';
  /** Puts a text into all fields that hold free text. */
  const withText = (value: unknown, key = ''): unknown => {
    const kept = new Set([
      'format',
      'stage',
      'kind',
      'acknowledged',
      'visible',
      'late',
      'acknowledgedHistogram',
      'visibleHistogram',
      'url',
    ]);
    if (typeof value === 'string') return kept.has(key) ? value : nasty;
    if (Array.isArray(value)) return value.map((one) => withText(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, of]) => [key === 'cpu' ? nasty : name, withText(of, name)]),
    );
  };

  it('stays text, in elements, attributes and data', () => {
    const report = withText(syntheticReport({ seed: 3, seconds: 5, verdict: 'failed' })) as RunReport;
    const page = writeReport(parseReport(JSON.stringify(report)));
    expect(page.match(/<script/g)).toHaveLength(3);
    expect(page).not.toContain('<img');
    expect(page).not.toContain('<!--');
    expect(/id="charts">(.*?)<\/script>/s.exec(page)![1]).not.toMatch(/[<>\u2028]/);
    expect(chartsOf(page).some(({ title }) => title === nasty)).toBe(true);
  });

  it('is escaped once, and what was made here is not', () => {
    expect(html`<b title="${'"&'}">${['<', html`<i>${1}</i>`, null, false]}</b>`.text).toBe(
      '<b title="&quot;&amp;">&lt;<i>1</i></b>',
    );
    expect(JSON.parse(embeddedJson([nasty]).text)).toEqual([nasty]);
  });

  it('tells no password of an address', () => {
    const report = syntheticReport({ seed: 3, seconds: 2 });
    report.network.validators[0]!.url = 'https://user:secret@node.example/rpc?key=secret';
    report.network.validators[1]!.url = 'no url //user:secret@host';
    const page = writeReport(report);
    expect(page).not.toContain('secret');
    expect(page).toContain('https://node.example/rpc');
  });
});

describe('runs of all sizes', () => {
  it('have a page: one in which nothing happened', () => {
    const empty = syntheticReport({ seed: 1, seconds: 1, silentNodes: true, faults: false });
    const none = new LatencyHistogram();
    const page = writeReport({
      ...empty,
      kinds: [],
      errors: [],
      blocks: [],
      bands: [],
      windows: [],
      totals: { scheduled: 0, sent: 0, acknowledged: 0, committed: 0, failed: 0, refused: 0, unknown: 0, late: 0 },
      histograms: { acknowledged: none.encode(), visible: none.encode(), late: none.encode() },
      series: { stepMs: 1000, points: [] },
    });
    expect(textOf(page)).toContain('No operation was refused');
    expect(textOf(page)).not.toMatch(/NaN|Infinity|undefined/);
    expect(idsOf(page)).not.toContain('throughput');
  });

  it('have a page that does not grow with them: a day of blocks, and a hundred validators', () => {
    const report = syntheticReport({ seed: 1, seconds: 20, rate: 20, validators: 100 });
    const block = report.blocks[0]!;
    const blocks = Array.from({ length: 300_000 }, (_, index) => ({ ...block, height: index, atMs: index * 100 }));
    blocks[123_456]!.intervalMs = 98_765;
    const page = writeReport({ ...report, blocks });
    expect(page.length).toBeLessThan(1_000_000);
    const intervals = chartsOf(page).find(({ id }) => id === 'intervals')!;
    expect(intervals.xs.length).toBeLessThanOrEqual(2000);
    // The pause is what is looked for, so that it has to survive.
    expect(Math.max(...intervals.series[0]!.values.map(Number))).toBe(98_765);
    expect(textOf(page)).toContain('The 8 busiest of 100 are shown');
    expect(
      chartsOf(page)
        .find(({ id }) => id === 'memory')!
        .series.map(({ label }) => label),
    ).toEqual(['highest', 'middle', 'lowest']);
  });
});
