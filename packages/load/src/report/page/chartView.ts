import type UPlot from 'uplot';
import type { Chart } from '../chart.ts';
import { createLegend, type Legend } from './legend.ts';
import { createPlot, plotOptions, showAll } from './options.ts';
import type { Theme } from './theme.ts';

/** A chart that stands on the page. */
export interface ChartView {
  /** After the theme has changed. */
  redraw(): void;
}

const widthMin = 240;

/** Draws a chart into its place: legend, canvas, keys. */
export function createChartView(chart: Chart, place: HTMLElement, theme: () => Theme): ChartView {
  const plotPlace = document.createElement('div');
  plotPlace.className = 'plot';
  plotPlace.tabIndex = 0;
  plotPlace.setAttribute('role', 'group');
  plotPlace.setAttribute('aria-label', `Chart: ${chart.title}. Arrow keys move the cursor, Escape shows all.`);
  const spoken = document.createElement('p');
  spoken.className = 'hidden';
  spoken.setAttribute('aria-live', 'polite');
  let plot: UPlot | null = null;
  const legend = createLegend(chart, (series, show) => plot?.setSeries(series + 1, { show }));
  place.append(legend.element, plotPlace, spoken);
  const width = (): number => Math.max(widthMin, plotPlace.clientWidth);
  const options = plotOptions(chart, width(), theme);
  const setCursor = (self: UPlot): void => legend.show(self.cursor.idx ?? null);
  const data = [chart.xs, ...chart.series.map(({ values }) => values)] as unknown as UPlot.AlignedData;
  const drawn = createPlot({ ...options, hooks: { ...options.hooks, setCursor: [setCursor] } }, data, plotPlace);
  plot = drawn;
  new ResizeObserver(() => {
    if (drawn.width !== width()) drawn.setSize({ width: width(), height: drawn.height });
  }).observe(plotPlace);
  plotPlace.addEventListener('keydown', (event) => {
    if (onKey(event.key, chart, drawn, legend, spoken)) event.preventDefault();
  });
  return { redraw: () => drawn.redraw(false, true) };
}

/** Places that Page Up and Page Down go past. */
const pageOfPlaces = 10;

/** @returns whether the key means something here */
function onKey(key: string, chart: Chart, plot: UPlot, legend: Legend, spoken: HTMLElement): boolean {
  const last = chart.xs.length - 1;
  const now = plot.cursor.idx ?? 0;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: now - 1,
    ArrowRight: now + 1,
    PageDown: now - pageOfPlaces,
    PageUp: now + pageOfPlaces,
    Home: 0,
    End: last,
  };
  if (key === 'Escape') {
    showAll();
    return true;
  }
  const target = targets[key];
  if (target === undefined) return false;
  const index = Math.min(last, Math.max(0, target));
  plot.setCursor({ left: plot.valToPos(chart.xs[index]!, 'x'), top: plot.over.clientHeight / 2 });
  spoken.textContent = legend.words(index);
  return true;
}
