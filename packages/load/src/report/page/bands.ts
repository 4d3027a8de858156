import type UPlot from 'uplot';
import type { ChartBand } from '../chart.ts';
import type { Theme } from './theme.ts';

const stripeSpace = 7;
const labelSize = 11;

const rowHeight = 15;

/** CSS pixels above a chart that the names of its bands take: stages in one row, faults and ranges in one below. */
export function namesHeight(bands: readonly ChartBand[]): number {
  const rows = ['stage', 'other'].filter((row) => bands.some(({ kind }) => (kind === 'stage') === (row === 'stage')));
  return rows.length * rowHeight;
}

/** Draws stages, faults and ranges behind the curves: stages as plain tints, faults striped. */
export function drawBands(plot: UPlot, bands: readonly ChartBand[], theme: Theme): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const ratio = devicePixelRatio;
  const x = (value: number): number => Math.min(left + width, Math.max(left, plot.valToPos(value, 'x', true)));
  ctx.save();
  for (const [index, { kind, from, to, recovered }] of bands.entries()) {
    const [start, end, back] = [x(from), x(to), x(recovered)];
    if (kind === 'stage') {
      if (index % 2 === 1) fill(ctx, theme.stage, start, top, end - start, height);
      continue;
    }
    const colour = kind === 'fault' ? theme.fault : theme.range;
    ctx.globalAlpha = 0.14;
    fill(ctx, colour, start, top, end - start, height);
    if (back > end) fill(ctx, theme.recovery, end, top, back - end, height);
    ctx.globalAlpha = 0.5;
    if (kind === 'fault') stripes(ctx, colour, start, top, end - start, height, ratio);
    ctx.globalAlpha = 1;
  }
  ctx.restore();
}

/** Writes the names of bands above the chart, each from where its band begins. One for which there is no room stands in the table below the charts. */
export function drawNames(plot: UPlot, bands: readonly ChartBand[], theme: Theme): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const [first, last] = [plot.bbox.left, plot.bbox.left + plot.bbox.width];
  ctx.save();
  ctx.font = `${labelSize * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'left';
  const stages = bands.filter(({ kind }) => kind === 'stage');
  const others = bands.filter(({ kind }) => kind !== 'stage');
  const rows = [others, stages].filter((row) => row.length > 0);
  for (const [row, named] of rows.entries()) {
    const bottom = plot.bbox.top - (3 + row * rowHeight) * ratio;
    let free = 0;
    for (const { kind, name, from, to } of named) {
      const [start, end] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)];
      const width = ctx.measureText(name).width;
      // A fault is short and stands alone, so that its name may reach past it.
      const at = kind === 'stage' ? Math.max(first, start) : Math.min(Math.max(first, start), last - width);
      if (end < first || start > last || at < free || (kind === 'stage' && at + width > end)) continue;
      ctx.fillStyle = kind === 'stage' ? theme.faint : theme.text;
      ctx.fillText(name, at, bottom);
      free = at + width + 8 * ratio;
    }
  }
  ctx.restore();
}

type Context = CanvasRenderingContext2D;

function fill(ctx: Context, colour: string, left: number, top: number, width: number, height: number): void {
  ctx.fillStyle = colour;
  ctx.fillRect(left, top, width, height);
}

function stripes(
  ctx: Context,
  colour: string,
  ...[left, top, width, height, ratio]: readonly [number, number, number, number, number]
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  for (let at = left - height; at < left + width; at += stripeSpace * ratio) {
    ctx.moveTo(at, top + height);
    ctx.lineTo(at + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
