import type { Chart } from '../chart.ts';
import { createChartView } from './chartView.ts';
import { readTheme } from './theme.ts';

/** Draws all charts of the page, and again when the reader changes between dark and light. */
export function drawPage(): void {
  const embedded = document.querySelector('#charts');
  const charts = new Map(
    (JSON.parse(embedded?.textContent ?? '[]') as readonly Chart[]).map((chart) => [chart.id, chart]),
  );
  let theme = readTheme();
  const views = [...document.querySelectorAll<HTMLElement>('[data-chart]')].flatMap((place) => {
    const chart = charts.get(place.dataset['chart'] ?? '');
    return chart === undefined ? [] : [createChartView(chart, place, () => theme)];
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    theme = readTheme();
    for (const view of views) view.redraw();
  });
}
