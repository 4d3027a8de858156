import type { Chart } from '../chart.ts';
import { figure, type Html, html, numberColumn, type Section, table, textColumn } from '../figures.ts';
import type { RunReport } from '../runReport.ts';
import { points } from '../timeline.ts';

type Knee = NonNullable<RunReport['knee']>;

/** What the search tried, and where latency bends. */
export function kneeSection(knee: Knee): Section {
  const charts = [
    trialChart(knee, ({ p99Ms }) => Math.max(0.001, p99Ms), {
      id: 'knee',
      title: 'Latency by rate',
      y: { label: 'p99 until acknowledged', quantity: 'ms', log: true },
    }),
    trialChart(knee, ({ got }) => got, {
      id: 'knee-got',
      title: 'What came by what was asked',
      y: { label: 'operations a second', quantity: 'rate', log: false },
    }),
  ];
  const body = html`
<p>The search doubled the rate until one did not hold, and went on where what is known splits in halves. One trial in ten is expected to say the wrong thing; the interval has 95 % of what is believed after all of them.</p>
<div class="pair">${figure(charts[0]!, 'Each point is a trial. Left of the knee latency is flat; right of it the queue only grows.')}${figure(charts[1]!, 'A trial that does not come up to what was asked is beyond what the network takes.')}</div>
${table('Trials in the order in which they ran', knee.trials, [
  textColumn('Trial', (_trial, index) => String(index + 1)),
  numberColumn('asked', 'rate', ({ rate }) => rate),
  numberColumn('got', 'rate', ({ got }) => got),
  numberColumn('p99', 'ms', ({ p99Ms }) => p99Ms),
  numberColumn('errors', 'share', ({ errorShare }) => errorShare),
  textColumn('Holds', ({ holds, spoiled }) => badgeOf(holds, spoiled)),
  textColumn('Why', ({ why }) => why),
])}`;
  return { id: 'knee-section', title: 'Knee', body, charts };
}

/** A trial that the generator spoiled says neither. */
function badgeOf(holds: boolean, spoiled: boolean): Html | string {
  if (spoiled) return 'spoiled';
  return holds ? html`<span class="badge good">holds</span>` : html`<span class="badge bad">does not</span>`;
}

function trialChart(
  { trials, low, high }: Knee,
  of: (trial: Knee['trials'][number]) => number,
  { id, title, y }: Pick<Chart, 'id' | 'title' | 'y'>,
): Chart {
  const sorted = trials.toSorted((a, b) => a.rate - b.rate);
  const those = (holds: boolean): (number | null)[] =>
    sorted.map((trial) => (trial.holds === holds ? of(trial) : null));
  return {
    id,
    title,
    x: { label: 'operations a second that were asked', quantity: 'rate', log: false },
    y,
    xs: sorted.map(({ rate }) => rate),
    series: [points('holds', 2, those(true)), points('does not hold', 3, those(false))],
    bands: [{ kind: 'range', name: 'knee at 95 %', from: low, to: high, recovered: high }],
  };
}
