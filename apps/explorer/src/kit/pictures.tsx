import type { JSX } from 'preact';

interface SparklineProps {
  /** Oldest first. */
  readonly values: readonly number[];
  /** What it shows, for those who do not see it. */
  readonly label: string;
}

const width = 96;
const height = 24;

/** Path through values from left to right, the largest on top; null of fewer than two. */
export function sparkPath(values: readonly number[]): string | null {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (index: number): string => ((index * width) / (values.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (high === low ? height / 2 : 2 + ((high - value) / (high - low)) * (height - 4)).toFixed(1);
  return values.map((value, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(value)}`).join('');
}

/** A line without axes: only where it went. */
export function Sparkline({ values, label }: SparklineProps): JSX.Element {
  const path = sparkPath(values);
  const change = path === null ? 0 : values.at(-1)! - values[0]!;
  return (
    <svg
      class={`spark ${change > 0 ? 'up' : change < 0 ? 'down' : ''}`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {path !== null && <path d={path} />}
    </svg>
  );
}

interface MeterProps {
  /** From 0 to 1; more is shown as full. */
  readonly share: number;
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad';
  readonly label: string;
  /** The value in words. */
  readonly text: string;
}

/** What a screen reader says of a meter that a page draws in a way of its own. @param share from 0 to 1 */
export const meterProps = (label: string, share: number, text: string) => ({
  role: 'meter' as const,
  'aria-label': label,
  'aria-valuemin': 0,
  'aria-valuemax': 1,
  'aria-valuenow': share,
  'aria-valuetext': text,
});

/** How full something is: margin, a queue, power. */
export function Meter({ share, tone = 'plain', label, text }: MeterProps): JSX.Element {
  const shown = Math.min(1, Math.max(0, share));
  return (
    <div class={`meter ${tone}`} {...meterProps(label, shown, text)} title={text}>
      <span style={{ transform: `scaleX(${shown})` }} />
    </div>
  );
}

/** One cell of a strip; its title is shown when it is pointed at. */
export interface StripCell {
  readonly key: string;
  readonly tone: 'good' | 'warn' | 'low' | 'bad' | 'plain';
  readonly title: string;
}

interface StripProps {
  readonly cells: readonly StripCell[];
  readonly label: string;
}

/** What happened one after the other, oldest first: good is high, warn lower, low and bad lowest. */
export const Strip = ({ cells, label }: StripProps): JSX.Element => (
  <div class="strip" role="img" aria-label={label}>
    {cells.map(({ key, tone, title }) => (
      <span key={key} class={tone} title={title} />
    ))}
  </div>
);
