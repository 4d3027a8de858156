import type {
  ActionPayload,
  ActionResult,
  ObservedPrice,
  ReportedPrice,
  ReporterRecord,
  VerifiedAction,
} from '@prime/codec';
import type { Address } from '@prime/primitives';
import { refusal } from '../rules/errors.ts';
import type { ClobState } from '../state/state.ts';
import { reporterOf, setReporter } from './attendance.ts';

/** Reports of prices: who may send them, and which are taken. */

type Report = Extract<ActionPayload, { readonly type: 'oracleReport' }>;
type Refused = Extract<ActionResult, { readonly ok: false }>;

/** With the largest premium on top a mark is below 2^128, which is what records hold. */
const priceEnd = 1n << 127n;

/**
 * Whether a key signs reports for an active validator. Nobody reports where there is no oracle, also not in a block that is told of the validators for its
 * votes.
 */
const isReporter = ({ params, oracle }: ClobState, validator: Address, key: Address): boolean =>
  params.oracle !== undefined &&
  oracle?.reporters.some((reporter) => reporter.validator === validator && reporter.keys.includes(key)) === true;

/** Refuses a report of somebody else. @returns null when it may be looked at */
export const authorizeReport = (state: ClobState, { signer, transaction }: VerifiedAction): Refused | null =>
  transaction.signatureKind !== 'gateway' && isReporter(state, transaction.account, signer)
    ? null
    : refusal.notAReporter(signer, transaction.account);

/** Takes a report: its prices take the place of older ones of the same validator. They count from the next block on. */
export function takeReport(state: ClobState, validator: Address, { observedAtMs, prices }: Report): ActionResult {
  const { reportMaxAgeMs } = state.params.oracle!;
  const known = reporterOf(state, validator);
  const refused = refuseTime(state, observedAtMs, known.observedAtMs, reportMaxAgeMs) ?? refusePrices(state, prices);
  if (refused !== null) return refused;
  const reportedMinutes = known.reportedMinutes + (known.hasReported ? 0 : 1);
  setReporter(state, {
    ...known,
    observedAtMs,
    prices,
    earlier: earlierOf(known, prices),
    reportedMinutes,
    hasReported: true,
  });
  return { ok: true, value: { type: 'done' } };
}

/** What stays of a validator's prices beside those of a new report, ascending by market. */
function earlierOf(known: ReporterRecord, prices: readonly ReportedPrice[]): readonly ObservedPrice[] {
  // Almost all reports are of the markets of the last one.
  const isSame =
    known.prices.length === prices.length &&
    known.prices.every((price, place) => price.marketId === prices[place]!.marketId);
  if (isSame) return known.earlier;
  const told = new Set(prices.map(({ marketId }) => marketId));
  const { observedAtMs } = known;
  return [...known.earlier, ...known.prices.map((price) => ({ ...price, observedAtMs }))]
    .filter(({ marketId }) => !told.has(marketId))
    .sort((a, b) => a.marketId - b.marketId);
}

/** @param lastMs of the validator's last report, 0 before the first one */
function refuseTime(
  { timestampMs, oracle }: ClobState,
  observedAtMs: number,
  lastMs: number,
  maxAgeMs: number,
): Refused | null {
  if (observedAtMs <= lastMs)
    return refusal.badReport('observed no later than the last report', { last_observed_ms: lastMs });
  const [least, most] = [timestampMs - maxAgeMs, timestampMs + oracle!.precisionMs];
  if (observedAtMs >= least && observedAtMs <= most) return null;
  return refusal.badReport(observedAtMs < least ? 'observed too long ago' : 'observed in the future', {
    least_ms: least,
    most_ms: most,
  });
}

function refusePrices(state: ClobState, prices: readonly ReportedPrice[]): Refused | null {
  if (prices.length === 0) return refusal.badReport('no prices');
  let before = 0;
  for (const { marketId, price } of prices) {
    if (marketId <= before) return refusal.badReport('markets are not ascending', { market_id: marketId });
    before = marketId;
    const market = state.market(marketId);
    if (market === undefined) return refusal.unknownMarket(marketId);
    if (market.oracle === undefined) return refusal.badReport('the market has no oracle', { market_id: marketId });
    if (price <= 0n) return refusal.badReport('price must be positive', { market_id: marketId });
    if (price >= priceEnd) return refusal.badReport('price must be below 2^127', { market_id: marketId });
  }
  return null;
}
