import type { Account } from '../state/accounts.ts';
import { type Exposure, type MarginSums, type MarginTerms, noTerms } from '../book/exposure.ts';
import { exposureTerms } from './margin.ts';
import { fundingIndexOf, marginPrice } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Margin of an account as sums over its markets, kept up to date by what changes instead of added up for every order: a market
 * maker with positions in hundreds of markets pays for the one it trades.
 *
 * Sums count for one pricing: prices and margin parameters as they stand. Whatever changes these makes a new one
 * (reprice and moveMarks of changes.ts), and the first question after it adds up everything.
 */

/** The sums as they are now; the exposures' kept terms are their parts. */
export function marginSums(state: ClobState, account: Account): MarginTerms {
  state.sharing?.judged(account);
  const { kept, exposures } = account;
  const { sums } = kept;
  if (kept.pricing !== state.pricing) {
    for (const { kept: own } of kept.changed) own.isChanged = false;
    Object.assign(sums, noTerms);
    for (const exposure of exposures) {
      exposure.kept.terms = noTerms;
      include(state, sums, exposure);
    }
    kept.pricing = state.pricing;
  } else for (const exposure of kept.changed) include(state, sums, exposure);
  kept.changed.length = 0;
  return sums;
}

/** Puts an exposure's terms of now in the place of those that are in the sums. */
function include(state: ClobState, sums: MarginSums, exposure: Exposure): void {
  const market = state.markets[exposure.marketId - 1]!;
  const terms = exposureTerms(exposure, marginPrice(market), state.marginParams(market), fundingIndexOf(market));
  const { terms: old } = exposure.kept;
  sums.profit += terms.profit - old.profit;
  sums.openLoss += terms.openLoss - old.openLoss;
  sums.initial += terms.initial - old.initial;
  sums.position += terms.position - old.position;
  exposure.kept.terms = terms;
  exposure.kept.isChanged = false;
}
