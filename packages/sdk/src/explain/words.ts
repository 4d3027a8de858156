import { formatDecimal as exactText } from '../units/decimal.ts';
import { bigintAbs } from '@prime/primitives';

/** Numbers and names as people read them. Pure: no clock, no locale of the machine, so that a text is the same everywhere. */

/** The native coin, in which fees, collateral and stakes are counted: 18 decimals. */
export const coin = 'PRIME';

/** Digits of a whole number in groups of three: `1,204,331`. */
export function formatInteger(value: bigint | number): string {
  const text = typeof value === 'bigint' ? value.toString() : Math.round(value).toFixed(0);
  return text.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** How many digits stand behind the point. Without both there are as many as the amount has. */
export interface DecimalFormat {
  /** Digits behind the point, filled with zeros. */
  readonly digits?: number | undefined;
  /** At most so many digits behind the point; the rest is cut off, so an amount is never shown larger than it is. */
  readonly digitsMax?: number | undefined;
}

/** An exact decimal as markets write it (`-3012.5`), with groups and a set number of digits: `-3,012.50`. */
export function formatDecimal(
  text: string,
  { digits = 0, digitsMax = Math.max(digits, 40) }: DecimalFormat = {},
): string {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const shown = fraction.slice(0, digitsMax).replace(/0+$/, '').padEnd(digits, '0');
  return `${sign}${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${shown === '' ? '' : `.${shown}`}`;
}

/** How long: `820 ms`, `1.24 s`, `3.5 min`, `2.0 h`, `9.5 days`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  if (ms < 3_600_000) return `${(ms / 60_000).toFixed(1)} min`;
  const hours = ms / 3_600_000;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} days`;
}

/** A share as `12.5 %`. */
export const formatPercent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;

/** Basis points as `12.5 %`. */
export const formatBps = (bps: number): string => `${bps / 100} %`;

/** Time of the chain: `2026-03-04 05:06:07.089 UTC`. */
export const formatMoment = (timestampMs: number): string =>
  new Date(timestampMs).toISOString().replace('T', ' ').replace('Z', ' UTC');

/** Wei as whole units, exact: `1.5`. */
export const formatWei = (wei: bigint, decimals = 18): string => exactText(wei, decimals);

/** Digits behind the point of an amount; what is smaller than the last of them is told in wei. */
const amountDigitsMax = 6;
const amountLeast = 10n ** BigInt(18 - amountDigitsMax);

/** An amount as people count it: `1,250.5 PRIME`; `370 wei` of one that would look like nothing. */
export function amountText(wei: bigint): string {
  const size = bigintAbs(wei);
  const sign = wei < 0n ? '−' : '';
  if (size !== 0n && size < amountLeast) return `${sign}${formatInteger(size)} wei`;
  return `${sign}${formatDecimal(formatWei(size), { digitsMax: amountDigitsMax })} ${coin}`;
}

/** A name of the protocol in words: `order_accepted` as `order accepted`. */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');

/** `1 order`, `2 orders`. */
export const countOf = (count: number | bigint, name: string): string =>
  `${formatInteger(count)} ${name}${Number(count) === 1 ? '' : 's'}`;

/** More names than these are counted. */
const namesMax = 4;

/** `a, b and 3 others`. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'nobody';
  const shown = names.length > namesMax ? names.slice(0, namesMax - 1) : names;
  const rest = names.length - shown.length;
  const words = rest > 0 ? [...shown, `${rest} others`] : shown;
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `0x1f98…e2a4`; what is short stays whole. */
export function shortHex(text: string, head = 4, tail = 4): string {
  const kept = 2 + head + tail;
  return text.length <= kept + 1 ? text : `${text.slice(0, 2 + head)}…${text.slice(-tail)}`;
}

/** What is known of a market where amounts in it are told; a `Market` is one. */
export interface MarketWords {
  readonly symbol: string;
  readonly base: string;
  formatPrice(price: bigint): string;
  formatSize(size: bigint): string;
}

/** `2.5 ETH`, without a sign; raw units of a market that is not known. */
export const sizeWords = (market: MarketWords | null, size: bigint): string =>
  market === null ? `${formatInteger(bigintAbs(size))} units` : `${market.formatSize(bigintAbs(size))} ${market.base}`;

/** `3012.5`; wei for one base unit of a market that is not known. */
export const priceWords = (market: MarketWords | null, price: bigint): string =>
  market === null ? formatInteger(price) : market.formatPrice(price);
