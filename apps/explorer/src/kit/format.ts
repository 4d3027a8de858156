/** Numbers and names as people read them. Pure: no clock, no locale of the machine, so that a picture is the same everywhere. */
import { formatInteger } from '@prime/sdk/explain';

export {
  type DecimalFormat,
  formatBps,
  formatDecimal,
  formatDuration,
  formatInteger,
  formatMoment,
  formatPercent,
  formatWei,
  shortHex,
  wordsOf,
} from '@prime/sdk/explain';

/** Digits behind the point of an exact decimal: of a step, those that prices or sizes can have. */
export const digitsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;

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

/** Far apart on the wheel for neighbours: the golden angle, degrees. */
const goldenAngle = 137.508;

/** Hue of an address or hash, 0 to 359, by which the same one is known again among others. */
export function hueOf(hex: string): number {
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5;
  for (const letter of hex) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return Math.floor(((hash >>> 0) * goldenAngle) % 360);
}
