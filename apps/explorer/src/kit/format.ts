/** Numbers and names as people read them. Pure: no clock, no locale of the machine, so that a picture is the same everywhere. */

/** Digits of a whole number in groups of three: `1,204,331`. */
export function formatInteger(value: bigint | number): string {
  const text = typeof value === 'bigint' ? value.toString() : Math.round(value).toFixed(0);
  return text.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export interface DecimalFormat {
  /** Digits behind the point, filled with zeros. */
  readonly digits?: number | undefined;
  /** At most so many digits behind the point; the rest is cut off, so an amount is never shown larger than it is. */
  readonly digitsMax?: number | undefined;
}

/** An exact decimal as the SDK writes it (`-3012.5`), with groups and a set number of digits: `-3,012.50`. */
export function formatDecimal(
  text: string,
  { digits = 0, digitsMax = Math.max(digits, 40) }: DecimalFormat = {},
): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const shown = fraction.slice(0, digitsMax).replace(/0+$/, '').padEnd(digits, '0');
  return `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`;
}

/** Digits behind the point of an exact decimal: of a step, those that prices or sizes can have. */
export const digitsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;

/** `0x1f98…e2a4`; what is short stays whole. */
export function shortHex(text: string, head = 4, tail = 4): string {
  const kept = 2 + head + tail;
  return text.length <= kept + 1 ? text : `${text.slice(0, 2 + head)}…${text.slice(-tail)}`;
}

const ages = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
] as const;

/** How long ago: `now`, `12 s ago`, `3 h ago`. What lies ahead by a clock that is off counts as now. */
export function formatAge(ms: number): string {
  const age = ages.find((one) => ms >= one.ms);
  return age === undefined ? 'now' : `${Math.floor(ms / age.ms)} ${age.unit} ago`;
}

/** How long: `820 ms`, `1.24 s`, `3.5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** A share as `12.5 %`. */
export const formatPercent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;

/** A rate in three digits: `0.42`, `18.3`, `1,240`. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond < 0.01) return '<0.01';
  return perSecond >= 100 ? formatInteger(perSecond) : perSecond.toFixed(perSecond < 10 ? 2 : 1);
}

/** A change with its sign, also where it is none: `+1.25 %`, `−0.40 %`, `0.00 %`. */
export function formatChange(share: number, digits = 2): string {
  const text = Math.abs(share * 100).toFixed(digits);
  const isNone = Number(text) === 0;
  return `${isNone ? '' : share > 0 ? '+' : '−'}${text} %`;
}

/** Time of the chain: `2026-03-04 05:06:07.089 UTC`. */
export const formatMoment = (timestampMs: number): string =>
  new Date(timestampMs).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** Wei as whole units, exact: `1.5`. */
export function formatWei(wei: bigint, decimals = 18): string {
  const text = (wei < 0n ? -wei : wei).toString().padStart(decimals + 1, '0');
  const whole = decimals === 0 ? text : text.slice(0, -decimals);
  const fraction = decimals === 0 ? '' : text.slice(-decimals).replace(/0+$/, '');
  return `${wei < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Far apart on the wheel for neighbours: the golden angle, degrees. */
const goldenAngle = 137.508;

/** Hue of an address or hash, 0 to 359, by which the same one is known again among others. */
export function hueOf(hex: string): number {
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (const letter of hex) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return Math.floor(((hash >>> 0) * goldenAngle) % 360);
}

/** A name of the protocol in words: `order_accepted` as `order accepted`. */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');
