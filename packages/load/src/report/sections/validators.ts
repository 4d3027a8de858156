import type { Chart, ChartSeries } from '../chart.ts';
import { figure, type Html, html, numberColumn, type Section, table, textColumn } from '../figures.ts';
import type { RunReport } from '../runReport.ts';
import { line, timeChart } from '../timeline.ts';

type Validator = RunReport['validators'][number];
type Sample = Validator['samples'][number];

/** Validators that get a curve of their own; of more, the page shows the busiest, and the spread of all. */
const ownMax = 8;

/** What the validators told of themselves. */
export function validatorsSection(report: RunReport): Section {
  const validators = report.validators.filter(({ samples }) => samples.length > 0);
  const section = { id: 'validators', title: 'Validators' };
  if (validators.length === 0)
    return {
      ...section,
      body: html`<p class="note">The validators told nothing of themselves: the run had no address of their admin endpoints.</p>`,
      charts: [],
    };
  const busiest = validators.toSorted((a, b) => mean(b, busy) - mean(a, busy)).slice(0, ownMax);
  const shown = validators.filter((validator) => busiest.includes(validator));
  const cpu = shown.map((validator, index) => cpuChart(report, validator, index));
  const memory = overTime(report, validators, 'Memory', ({ rssBytes }) => rssBytes);
  const disk = overTime(report, validators, 'Disk', ({ diskBytes }) => diskBytes);
  const few = validators.length <= ownMax;
  const body = html`
<h3>Processor time by thread</h3>
<p>Cores that each thread of a validator kept busy; 1 is a whole core, and the most that a thread can have.${few ? null : ` The ${ownMax} busiest of ${validators.length} are shown.`}</p>
<div class="pair">${cpu.map((chart) => figure(chart, 'Cores by thread.'))}</div>
<h3>Memory and disk</h3>
<div class="pair">${[figure(memory, `Resident memory of ${few ? 'each validator' : 'the validators'}.`), figure(disk, 'Blocks, state and log.')]}</div>
${summary(validators)}`;
  return { ...section, body, charts: [...cpu, memory, disk] };
}

/** The first colour is for what others are measured against, so it comes last here. */
const nextColour = (index: number): number => (index + 1) % ownMax;

const busy = ({ cpu }: Sample): number => Object.values(cpu).reduce((sum, share) => sum + share, 0);
const mean = ({ samples }: Validator, of: (sample: Sample) => number): number =>
  samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;

function cpuChart(report: RunReport, { name, samples }: Validator, index: number): Chart {
  const threads = [...new Set(samples.flatMap(({ cpu }) => Object.keys(cpu)))];
  const total = (thread: string): number => samples.reduce((sum, { cpu }) => sum + (cpu[thread] ?? 0), 0);
  const busiest = threads.toSorted((a, b) => total(b) - total(a));
  const rest = busiest.slice(ownMax - 1);
  const series = busiest.slice(0, ownMax - 1).map((thread, colour) => {
    const cores = samples.map(({ cpu }) => cpu[thread] ?? null);
    return line(thread, nextColour(colour), cores);
  });
  if (rest.length > 0) {
    const cores = samples.map(({ cpu }) => rest.reduce((sum, thread) => sum + (cpu[thread] ?? 0), 0));
    series.push(line('others', nextColour(ownMax - 1), cores));
  }
  return timeChart(report, {
    id: `cpu-${index}`,
    title: name,
    label: 'cores',
    quantity: 'cores',
    atMs: samples.map(({ atMs }) => atMs),
    series,
  });
}

function overTime(
  report: RunReport,
  validators: readonly Validator[],
  title: string,
  of: (sample: Sample) => number | null,
): Chart {
  const atMs = [...new Set(validators.flatMap(({ samples }) => samples.map((sample) => sample.atMs)))].toSorted(
    (a, b) => a - b,
  );
  const curves = validators.map(({ name, samples }) => {
    const found = new Map(samples.map((sample) => [sample.atMs, of(sample)]));
    return { name, values: atMs.map((ms) => found.get(ms) ?? null) };
  });
  const told = curves.filter(({ values }) => values.some((one) => one !== null));
  const series =
    told.length <= ownMax
      ? told.map(({ name, values }, colour) => line(name, nextColour(colour), values, 'last'))
      : spread(told);
  const label = title.toLowerCase();
  return timeChart(report, { id: label, title, label, quantity: 'bytes', atMs, series });
}

/** Lowest, middle and highest of many curves at each time. */
function spread(curves: readonly { readonly values: readonly (number | null)[] }[]): ChartSeries[] {
  const sorted = curves[0]!.values.map((_, index) =>
    curves.flatMap(({ values }) => values[index] ?? []).toSorted((a, b) => a - b),
  );
  const pick = (share: number): (number | null)[] =>
    sorted.map((values) => values[Math.round(share * (values.length - 1))] ?? null);
  return [
    line('highest', 3, pick(1), 'last'),
    line('middle', 1, pick(0.5), 'last'),
    line('lowest', 4, pick(0), 'last'),
  ];
}

const summary = (validators: readonly Validator[]): Html =>
  table('Validators over the whole run', validators.map(summaryOf), [
    textColumn('Validator', ({ name }) => name),
    numberColumn('cores, mean', 'cores', ({ cores }) => cores),
    { head: 'busiest thread', align: 'number', cell: ({ busiest }) => busiest?.[0] ?? '–' },
    numberColumn('its cores', 'cores', ({ busiest }) => busiest?.[1] ?? null),
    numberColumn('memory, highest', 'bytes', ({ samples }) =>
      samples.reduce((highest, { rssBytes }) => Math.max(highest, rssBytes), 0),
    ),
    numberColumn('memory grew', 'bytes', ({ first, last }) => last.rssBytes - first.rssBytes),
    numberColumn('disk grew', 'bytes', ({ first, last }) =>
      first.diskBytes === null || last.diskBytes === null ? null : last.diskBytes - first.diskBytes,
    ),
    numberColumn('last block', 'count', ({ last }) => last.head),
  ]);

function summaryOf(validator: Validator) {
  const { samples } = validator;
  const [busiest] = [...new Set(samples.flatMap(({ cpu }) => Object.keys(cpu)))]
    .map((thread) => [thread, mean(validator, ({ cpu }) => cpu[thread] ?? 0)] as const)
    .toSorted((a, b) => b[1] - a[1]);
  return { ...validator, cores: mean(validator, busy), busiest, first: samples[0]!, last: samples.at(-1)! };
}
