import {
  type Change,
  changeValueText,
  type ClobParams,
  clobProblem,
  limitsProblem,
  marginProblem,
  parametersOfMarkets,
  type RuleProblem,
  settableStatuses,
  tiersProblem,
} from '@prime/codec';
import type { Hash } from '@prime/primitives';
import { countFunding, restartFunding } from '../margin/funding.ts';
import { hasRooms } from '../orders/sureOrders.ts';
import { refusal } from '../rules/errors.ts';
import { changeGlobals, changeMarket, reprice, setParams } from '../state/changes.ts';
import type { Market } from '../state/markets.ts';
import { createOrderBounds } from '../state/orderBounds.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';
import { beginSettlement } from './settlement.ts';

/**
 * Changes of parameters: what may be changed to what, and what follows from it. Who may is in proposals.ts.
 *
 * @see docs/protocol/clob.md, Changes of parameters
 */

type ChangeOf<Name extends Change['parameter']> = Extract<Change, { readonly parameter: Name }>;
type StatusChange = ChangeOf<'status'>;
type GlobalChange = Exclude<Change, StatusChange | ChangeOf<'margin'>>;

/** Wei per base unit; as prices of an oracle. */
const priceEnd = 1n << 127n;

const badChange = ({ path, value, allowed }: RuleProblem): Refused => refusal.badChange(path, String(value), allowed);

/** Why a change can not be made now; null when it can. @param isNow whether it is made now, and not at a later height */
export function refuseChange(state: ClobState, change: Change, isNow: boolean): Refused | null {
  const { parameter, marketId } = change;
  const own = parametersOfMarkets[parameter];
  if (marketId === null) {
    if (own === 'always') return refusal.badChange('market', 'null', 'the id of a market');
    return refuseGlobal(state, change);
  }
  if (own === undefined) return refusal.badChange('market', String(marketId), 'null: it is of all markets');
  const market = state.market(marketId);
  if (market === undefined) return refusal.unknownMarket(marketId);
  if (market.status === 'settling') return refusal.marketSettling(marketId);
  if (market.status === 'delisted') return refusal.marketDelisted(marketId);
  return refuseForMarket(state, market, change, isNow);
}

function refuseForMarket(state: ClobState, market: Market, change: Change, isNow: boolean): Refused | null {
  switch (change.parameter) {
    case 'status':
      return refuseStatus(market, change, isNow);
    case 'margin':
      return refusedBy('margin', marginProblem(change.value));
    case 'riskTiers':
      return refusedBy('riskTiers', tiersProblem(change.value, market.margin ?? state.globals.defaultMargin));
    case 'limits':
      return refusedBy('limits', limitsProblem(change.value));
    default:
      return null;
  }
}

const refusedBy = (section: string, problem: RuleProblem | null): Refused | null =>
  problem === null ? null : badChange({ ...problem, path: `${section}.${problem.path}` });

function refuseStatus({ oracle }: Market, { value: { status, price } }: StatusChange, isNow: boolean): Refused | null {
  if (status === 'delisted') return refusal.badChange('status', status, settableStatuses.join(', '));
  if (status !== 'settling')
    return price === null ? null : refusal.badChange('price', String(price), `null for ${status}`);
  if (price !== null)
    return price > 0n && price < priceEnd ? null : refusal.badChange('price', String(price), 'above 0 and below 2^127');
  if (oracle === undefined) return refusal.badChange('price', 'null', 'a price: the market has no oracle');
  return isNow && oracle.index === null
    ? refusal.badChange('price', 'null', 'a price: the market never had an index')
    : null;
}

function refuseGlobal(state: ClobState, change: Change): Refused | null {
  if (change.parameter === 'margin') return refusedBy('margin', marginProblem(change.value));
  if (change.parameter === 'oracle' && state.params.oracle === undefined)
    return refusal.badChange('oracle', 'set', 'nothing: this network has no oracle');
  const next = withChange(state.params, change as GlobalChange);
  // Margin may have been raised above that of tiers, which is sound: the higher rate counts.
  const { riskTiers, ...others } = next;
  const asked = change.parameter === 'riskTiers' && riskTiers !== undefined ? next : others;
  const problem = clobProblem({ ...asked, ...state.globals.defaultMargin });
  return problem === null ? null : badChange(problem);
}

/** Parameters of all markets with a change. Null, and no tiers, are an absence. */
function withChange(params: ClobParams, { parameter, value }: GlobalChange): ClobParams {
  const isAbsent = parameter !== 'admin' && (value === null || (parameter === 'riskTiers' && value.length === 0));
  const { [parameter]: _before, ...others } = params;
  return (isAbsent ? others : { ...others, [parameter]: value }) as ClobParams;
}

/** Makes a change that {@link refuseChange} does not refuse, and tells of it. @param proposal by which it was decided; null: by the admin, at once */
export function applyChange(state: ClobState, change: Change, proposal: Hash | null): void {
  const { parameter, marketId } = change;
  state.emit('parameter_changed', { market_id: marketId, parameter, new_value: changeValueText(change), proposal });
  if (marketId === null) changeGlobal(state, change);
  else changeOfMarket(state, state.market(marketId)!, change);
  reprice(state);
}

function changeOfMarket(state: ClobState, market: Market, change: Change): void {
  switch (change.parameter) {
    case 'status':
      return setStatus(state, market, change.value);
    case 'margin':
      changeMarket(state, market).margin = change.value;
      return;
    case 'riskTiers':
      changeMarket(state, market).riskTiers = change.value.length === 0 ? undefined : change.value;
      return;
    case 'limits': {
      const { tickSize, lotSize } = changeMarket(state, market);
      market.limits = change.value;
      market.bounds = createOrderBounds({ tickSize, lotSize, limits: change.value });
      return;
    }
    default:
  }
}

function setStatus(state: ClobState, market: Market, { status, price }: StatusChange['value']): void {
  if (status === 'settling') return beginSettlement(state, market, price ?? market.oracle!.index!);
  if (status === market.status) return;
  countFunding(state, market);
  changeMarket(state, market).status = status;
  state.emit('market_status_set', { market_id: market.id, status, settlement_price: null });
}

function changeGlobal(state: ClobState, change: Change): void {
  if (change.parameter === 'margin') {
    changeGlobals(state).defaultMargin = change.value;
    return;
  }
  const next = withChange(state.params, change as GlobalChange);
  setParams(state, next, hasRooms(next));
  if (change.parameter === 'funding') restartFunding(state);
  // A mark may move where nothing else does: a process that ran before looks at the same markets as one that begins now.
  for (const market of state.markets) changeMarket(state, market);
}
