/** How numbers are written, in tables and beside curves alike. */

/** What a number counts. */
export type Quantity = 'count' | 'rate' | 'ms' | 'bytes' | 'share' | 'cores' | 'seconds' | 'percentile';

const grouped = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: 0, maximumFractionDigits: digits });

/** Between a number and its unit: no line may end there. */
const space = '\u00a0';

/** Three digits that matter, and no more. */
const three = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 100) return grouped(value, 0);
  return size >= 10 ? grouped(value, 1) : grouped(value, 2);
};

const milliseconds = (value: number): string => {
  if (value === 0) return `0${space}ms`;
  if (Math.abs(value) < 1) return `${three(value * 1000)}${space}µs`;
  return Math.abs(value) < 1000 ? `${three(value)}${space}ms` : `${three(value / 1000)}${space}s`;
};

const bytes = (value: number): string => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = value === 0 ? 0 : Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)));
  return `${three(value / 1000 ** unit)}${space}${units[unit]}`;
};

/** Minutes and seconds since the run began. */
const clock = (value: number): string => {
  const whole = Math.round(Math.abs(value));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  const text = shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
  return value < 0 && whole > 0 ? `-${text}` : text;
};

/** A place on the axis of nines, where 1 is 0 %, 10 is 90 % and 1000 is 99.9 %. */
const percentile = (nines: number): string => `${Number((100 * (1 - 1 / nines)).toPrecision(7))}${space}%`;

/** A number as people read it; a dash for what is not there. */
export function formatted(value: number | null, quantity: Quantity): string {
  if (value === null || !Number.isFinite(value)) return '–';
  switch (quantity) {
    case 'count':
      return grouped(value, 0);
    case 'rate':
      return `${three(value)}/s`;
    case 'ms':
      return milliseconds(value);
    case 'bytes':
      return bytes(value);
    case 'share':
      return `${three(100 * value)}${space}%`;
    case 'cores':
      return three(value);
    case 'seconds':
      return clock(value);
    case 'percentile':
      return percentile(value);
  }
}
