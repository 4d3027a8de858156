import { describe, expect, it } from '@jest/globals';
import { syntheticReport } from '../testing/index.ts';
import { parseReport } from './parseReport.ts';
import type { RunReport } from './runReport.ts';

const detailOf = (text: string): unknown => {
  try {
    parseReport(text);
  } catch (error) {
    return (error as { readonly detail?: unknown }).detail;
  }
  return undefined;
};
const report = syntheticReport({ seed: 1, seconds: 5 });
const changed = (change: (copy: Record<string, unknown> & RunReport) => void): string => {
  const copy = structuredClone(report) as Record<string, unknown> & RunReport;
  change(copy);
  return JSON.stringify(copy);
};

describe('reading a report', () => {
  it.each([
    ['clean', syntheticReport({ seed: 1, seconds: 20 })],
    ['of a failed verdict', syntheticReport({ seed: 2, seconds: 20, verdict: 'failed' })],
    ['of an unfit generator', syntheticReport({ seed: 3, seconds: 20, unfit: true })],
    ['of a search', syntheticReport({ seed: 4, seconds: 20, search: true })],
    ['of nodes that tell nothing', syntheticReport({ seed: 5, seconds: 1, silentNodes: true, faults: false })],
    ['of many hours', syntheticReport({ seed: 6, seconds: 500, rate: 3 })],
  ])('gives back what was written: one %s', (_, written) => {
    expect(parseReport(JSON.stringify(written))).toEqual(written);
  });

  it('refuses what is no JSON', () => {
    expect(detailOf('{')).toMatchObject({
      code: 'LOAD_REPORT_MALFORMED',
      path: '',
      reason: expect.stringContaining('JSON'),
    });
  });

  it.each(['null', '3', '[]', '{}', '{"format":1}'])('refuses %s, which names no format', (text) => {
    expect(detailOf(text)).toEqual({ code: 'LOAD_REPORT_MALFORMED', path: '/format', reason: 'it has none' });
  });

  it('refuses another version, and says which', () => {
    expect(detailOf(changed((copy) => Object.assign(copy, { format: 'prime-load-report-2' })))).toEqual({
      code: 'LOAD_REPORT_FORMAT',
      format: 'prime-load-report-2',
    });
  });

  it('names the place that is wrong, and what is allowed there', () => {
    const malformed = (path: string, reason: string) => ({ code: 'LOAD_REPORT_MALFORMED', path, reason });
    expect(detailOf(changed((copy) => (copy.totals.sent = -1)))).toEqual(malformed('/totals/sent', 'it must be >= 0'));
    expect(detailOf(changed((copy) => (copy['more'] = 1)))).toEqual(
      malformed('', 'it must NOT have additional properties (more)'),
    );
    expect(detailOf(changed((copy) => Reflect.deleteProperty(copy, 'seed')))).toEqual(
      malformed('', "it must have required property 'seed'"),
    );
    expect(detailOf(changed((copy) => (copy.windows = Array.from({ length: 241 }, () => copy.windows[0]!))))).toEqual(
      malformed('/windows', 'it must NOT have more than 240 items'),
    );
  });

  it('refuses histograms that can not be read', () => {
    expect(detailOf(changed((copy) => (copy.histograms.late = 'AAAA')))).toMatchObject({
      code: 'LOAD_REPORT_MALFORMED',
      path: '/histograms/late',
    });
    expect(detailOf(changed((copy) => (copy.windows[2]!.visibleHistogram = '')))).toMatchObject({
      code: 'LOAD_REPORT_MALFORMED',
      path: '/windows/2/visibleHistogram',
    });
  });
});

describe('the made-up report', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(syntheticReport({ seed: 9, seconds: 3 })).toEqual(syntheticReport({ seed: 9, seconds: 3 }));
    expect(syntheticReport({ seed: 9, seconds: 3 }).totals).not.toEqual(
      syntheticReport({ seed: 8, seconds: 3 }).totals,
    );
  });

  it('agrees with itself', () => {
    const { totals, kinds, series, windows } = syntheticReport({ seed: 4, seconds: 500, rate: 20 });
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    expect(sum(kinds.map(({ counts }) => counts.committed))).toBe(totals.committed);
    expect(sum(series.points.map(({ acknowledged }) => acknowledged))).toBe(totals.acknowledged);
    expect(sum(windows.map(({ acknowledged }) => acknowledged))).toBe(totals.acknowledged);
    expect(windows.every(({ fromMs }, index) => fromMs === (windows[index - 1]?.toMs ?? 0))).toBe(true);
  });
});
