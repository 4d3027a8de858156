import type { Chart, ChartSeries } from '../chart.ts';
import { formatted } from '../format.ts';
import { isFilled } from './options.ts';
import { dashes } from './theme.ts';

/** What the lines are, what they are worth at the cursor, and switches for each. */
export interface Legend {
  readonly element: HTMLElement;
  /** @param index place in the chart; null when the cursor is nowhere */
  show(index: number | null): void;
  /** What stands at a place, in words. */
  words(index: number): string;
}

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * A legend whose names are buttons that show and hide their series, with the values under the cursor.
 *
 * @param toggle told of each change; series by index
 */
export function createLegend(chart: Chart, toggle: (series: number, shown: boolean) => void): Legend {
  const element = document.createElement('div');
  element.className = 'legend';
  const axis = document.createElement('span');
  axis.className = 'axis';
  axis.textContent = chart.y.label;
  element.append(axis);
  const values = chart.series.map((series, index) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-pressed', 'true');
    button.title = `Show or hide ${series.label}`;
    const value = document.createElement('span');
    value.className = 'value';
    button.append(swatch(series), series.label, value);
    button.addEventListener('click', () => {
      const shown = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(shown));
      toggle(index, shown);
    });
    element.append(button);
    return value;
  });
  const place = document.createElement('span');
  place.className = 'place';
  element.append(place);
  const textAt = ({ values: of }: ChartSeries, index: number): string => formatted(of[index] ?? null, chart.y.quantity);
  return {
    element,
    show: (index) => {
      place.textContent = index === null ? '' : formatted(chart.xs[index] ?? null, chart.x.quantity);
      for (const [at, value] of values.entries())
        value.textContent = index === null ? '' : textAt(chart.series[at]!, index);
    },
    words: (index) =>
      `${formatted(chart.xs[index] ?? null, chart.x.quantity)}: ${chart.series
        .map((series) => `${series.label} ${textAt(series, index)}`)
        .join(', ')}`,
  };
}

/** A piece of the line, or one of the points. */
function swatch({ colour, shape }: ChartSeries): SVGElement {
  const svg = document.createElementNS(svgSpace, 'svg');
  const mark = document.createElementNS(svgSpace, shape === 'line' ? 'line' : 'circle');
  const attributes: Readonly<Record<string, string>> =
    shape === 'line'
      ? { x1: '0', x2: '26', y1: '6', y2: '6', 'stroke-dasharray': dashes[colour]!.join(' ') }
      : { cx: '13', cy: '6', r: '4' };
  for (const [name, value] of Object.entries({ width: '26', height: '12', 'aria-hidden': 'true' }))
    svg.setAttribute(name, value);
  for (const [name, value] of Object.entries(attributes)) mark.setAttribute(name, value);
  mark.setAttribute('class', `stroke-${colour}${shape === 'points' && isFilled(colour) ? ` fill-${colour}` : ''}`);
  svg.append(mark);
  return svg;
}
