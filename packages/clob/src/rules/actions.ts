import {
  type ActionPayload,
  type ActionResult,
  type ContractPayload,
  type GenesisMarket,
  isValidatorAction,
  type MarginParams,
  type VerifiedAction,
} from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import { approveAgent, revokeAgent } from './agents.ts';
import { refusedForRoom } from './blockRoom.ts';
import { createNarrowBook, createWideBook } from '../book/book.ts';
import { dequeue, enqueueEvmToOrders, transferCollateral, withdraw } from './bridge.ts';
import { cancelById, cancelHandle, cancelOrder } from '../orders/cancelOrder.ts';
import { changeAccount, changeGlobals, changeMarket, ensureAccount, insertMarket, reprice } from '../state/changes.ts';
import { refusal } from './errors.ts';
import { type Answer, isRefused } from '../records/blockLog.ts';
import { createMarketOracle } from '../oracle/indexPrices.ts';
import { takeReport } from '../oracle/reports.ts';
import { runSurely } from '../orders/sureOrders.ts';
import { modify } from './modifyOrder.ts';
import { liquidate } from '../margin/liquidate.ts';
import { refusedByState, takesCancels } from '../orders/marketStates.ts';
import { changeByAdmin, propose, vote } from '../governance/proposals.ts';
import { derivedOf, isMarketSymbol, neverTraded } from '../state/markets.ts';
import { noteMissedItems } from '../state/missedCancels.ts';
import { noOrder } from '../book/orderPool.ts';
import { placeOrder } from '../orders/placeOrder.ts';
import { scheduleCancel } from './scheduledCancels.ts';
import type { ClobState } from '../state/state.ts';
import { cancelTrigger, endTrigger } from '../triggers/endTriggers.ts';
import { placeBracket } from '../triggers/brackets.ts';
import { placeTrigger } from '../triggers/placeTrigger.ts';
import { triggerNamed, triggersOf } from '../triggers/triggerChanges.ts';
import { createSubAccount } from './subAccounts.ts';
import { undoTo } from '../state/undo.ts';

/** What an action's handlers know about it besides its payload. */
export interface ActionContext {
  readonly action: VerifiedAction;
  /** Whether the boundary phase brought the wei of an action into escrow; null for an action that brings none. */
  readonly deposit: { readonly funded: boolean; readonly faucetAmount: bigint } | null;
  /** Makes new markets with the book of bigints: for tests that compare both kinds. */
  readonly wideBooks: boolean;
}

/** Carries out one action. On a refusal the caller takes back what it did. */
export function runAction(state: ClobState, context: ActionContext): Answer {
  const { account, payload } = context.action.transaction;
  switch (payload.type) {
    case 'deposit':
      return deposit(state, account, payload.amount, context);
    case 'addMarket':
      return byAdmin(state, context) ?? addMarket(state, payload, context.wideBooks);
    case 'setMargin':
      return byAdmin(state, context) ?? setMargin(state, payload);
    case 'withdraw':
      return withdraw(state, account, payload);
    case 'enqueueEvmToOrders':
      return enqueueEvmToOrders(state, account, payload, context.deposit?.funded === true);
    case 'transfer':
      return transferCollateral(state, account, payload);
    case 'bridgeDequeue':
      return dequeue(state, payload);
    case 'liquidate':
      return liquidate(state, payload.address, account);
    case 'batch':
      return batch(state, account, payload.items);
    case 'approveAgent':
      return approveAgent(state, account, payload);
    case 'revokeAgent':
      return revokeAgent(state, account, payload.agent);
    case 'oracleReport':
      return takeReport(state, account, payload);
    case 'change':
      return byAdminAlone(state, context) ?? changeByAdmin(state, account, payload);
    case 'propose':
      return bySignature(context) ?? propose(state, account, payload);
    case 'vote':
      return bySignature(context) ?? vote(state, account, payload);
    case 'createSubAccount': {
      const signed = byOwner(context);
      return signed.ok ? createSubAccount(state, account, payload.index) : signed;
    }
    case 'scheduleCancel':
      return scheduleCancel(state, account, payload.atMs);
    case 'noop':
      return { ok: true, value: { type: 'done' } };
    case 'lockAccount':
      changeAccount(state, ensureAccount(state, account)).locked = true;
      return { ok: true, value: { type: 'done' } };
    default:
      // Only the owner's own signature counts for a validator; what the action does is up to the staking state.
      if (isValidatorAction(payload)) return byOwner(context);
      return runTrading(state, account, payload);
  }
}

/** The actions that may also stand in a batch. */
function runTrading(state: ClobState, account: Address, payload: ActionPayload): Answer {
  const refused = refusedForRoom(state, payload.type);
  if (refused !== null) return refused;
  switch (payload.type) {
    case 'order':
      return placeOrder(state, account, payload);
    case 'cancel':
      return cancelById(state, state.accountOf.get(account), payload.orderId);
    case 'cancelByClientId':
      return cancelByClientId(state, account, payload);
    case 'cancelAll':
      return cancelAll(state, account, payload.marketId);
    case 'modify':
      return modify(state, account, payload);
    case 'trigger':
      return placeTrigger(state, account, payload);
    case 'bracket':
      return placeBracket(state, account, payload);
    default:
      return refusal.notAvailable(payload.type);
  }
}

const byOwner = ({ action: { signer, transaction } }: ActionContext): ActionResult =>
  transaction.signatureKind === 'gateway'
    ? refusal.unauthorized(signer, transaction.account)
    : { ok: true, value: { type: 'done' } };

/** Null when the account itself signed. */
function bySignature(context: ActionContext): ActionResult | null {
  const signed = byOwner(context);
  return signed.ok ? null : signed;
}

/** Null when the admin's own signature is there; where there is no admin, only validators change what genesis says. */
function byAdminAlone(state: ClobState, context: ActionContext): ActionResult | null {
  const { account } = context.action.transaction;
  return state.params.admin === null ? refusal.unauthorized(context.action.signer, account) : byAdmin(state, context);
}

/** Null when the action may set parameters: anyone where there is no admin, else only the admin's own signature. */
function byAdmin({ params: { admin } }: ClobState, { action }: ActionContext): ActionResult | null {
  if (admin === null) return null;
  const { account, signatureKind } = action.transaction;
  return signatureKind !== 'gateway' && account === admin ? null : refusal.unauthorized(action.signer, admin);
}

function deposit(
  state: ClobState,
  address: Address,
  amount: bigint,
  { deposit: funding }: ActionContext,
): ActionResult {
  if (amount <= 0n) return refusal.badAmount();
  if (funding === null || !funding.funded) return refusal.insufficientFunds();
  if (funding.faucetAmount > 0n) state.emit('faucet_used', { address, amount: funding.faucetAmount });
  return credit(state, address, amount);
}

/** Makes wei that came into escrow collateral of an account. */
function credit(state: ClobState, address: Address, amount: bigint): ActionResult {
  const account = changeAccount(state, ensureAccount(state, address));
  account.collateral += amount;
  changeGlobals(state).totalDeposits += amount;
  const { collateral } = account;
  state.emit('collateral_deposited', { address, amount, collateral });
  return { ok: true, value: { type: 'deposit', address, amount, collateral } };
}

/** Carries out what a contract asked for. On a refusal the caller takes back what it did. */
export function runContractPayload(state: ClobState, account: Address, payload: ContractPayload): Answer {
  switch (payload.type) {
    case 'deposit':
      return credit(state, payload.to, payload.amount);
    case 'withdraw':
      return withdraw(state, account, payload);
    case 'liquidate':
      return liquidate(state, payload.address, account);
    case 'approveAgent':
      return approveAgent(state, account, payload);
    case 'revokeAgent':
      return revokeAgent(state, account, payload.agent);
    case 'cancelByClientId': {
      return cancelNamed(state, account, null, payload.clientId);
    }
    default:
      return runTrading(state, account, payload);
  }
}

/** Adds a market with the next id. */
export function addMarket(
  state: ClobState,
  {
    symbol,
    tickSize,
    lotSize,
    baseDecimals,
    quoteDecimals,
    riskTiers = state.params.riskTiers,
    oracle,
    limits = state.params.limits,
  }: GenesisMarket,
  wideBooks: boolean,
): ActionResult {
  if (!isMarketSymbol(symbol)) return refusal.badSymbol();
  if (tickSize <= 0n || lotSize <= 0n) return refusal.badGrid();
  // Two that differ by their letters' case would be taken for each other.
  const taken = state.markets.find((market) => market.symbol.toUpperCase() === symbol.toUpperCase());
  if (taken !== undefined) return refusal.marketExists(taken.symbol);
  const id = changeGlobals(state).nextMarketId;
  state.globals.nextMarketId = (id + 1) as MarketId;
  insertMarket(state, {
    id,
    symbol,
    tickSize,
    lotSize,
    baseDecimals,
    quoteDecimals,
    status: 'trading',
    tradeBlocks: 0,
    tradedAt: neverTraded,
    margin: null,
    riskTiers,
    limits,
    funding: undefined,
    oracle: oracle === true ? createMarketOracle() : undefined,
    lastPrice: null,
    profitPool: 0n,
    debt: 0n,
    markPrice: null,
    book: wideBooks ? createWideBook(state.orders) : createNarrowBook(state.orders),
    ...derivedOf({ tickSize, lotSize, limits }),
    savedIn: 0,
    touchedIn: 0,
  });
  state.emit('market_added', {
    market_id: id,
    symbol,
    tick_size: tickSize,
    lot_size: lotSize,
    base_decimals: baseDecimals,
    quote_decimals: quoteDecimals,
  });
  return { ok: true, value: { type: 'addMarket', marketId: id } };
}

const bpsMax = 10_000;

function setMargin(
  state: ClobState,
  { marketId, initialMarginBps, maintenanceMarginBps }: MarginParams & { readonly marketId: MarketId | null },
): ActionResult {
  if (maintenanceMarginBps < 1 || maintenanceMarginBps > initialMarginBps || initialMarginBps > bpsMax)
    return refusal.badMarginParams();
  const params = { initialMarginBps, maintenanceMarginBps };
  reprice(state);
  if (marketId === null) changeGlobals(state).defaultMargin = params;
  else {
    const market = state.market(marketId);
    if (market === undefined) return refusal.unknownMarket(marketId);
    changeMarket(state, market).margin = params;
  }
  state.emit('margin_params_set', {
    market_id: marketId,
    initial_margin_bps: initialMarginBps,
    maintenance_margin_bps: maintenanceMarginBps,
  });
  return { ok: true, value: { type: 'setMargin', marketId, ...params } };
}

function cancelByClientId(
  state: ClobState,
  account: Address,
  { marketId, clientId }: { readonly marketId: MarketId; readonly clientId: string },
): Answer {
  if (state.market(marketId) === undefined) return refusal.unknownMarket(marketId);
  const market = state.market(marketId)!;
  if (!takesCancels(market)) return refusedByState(market);
  return cancelNamed(state, account, marketId, clientId);
}

/** @param marketId null: in any market */
function cancelNamed(state: ClobState, address: Address, marketId: MarketId | null, clientId: string): Answer {
  const account = state.accountOf.get(address);
  const isMeant = (market: number): boolean => marketId === null || market === marketId;
  const handle = account?.clientIds.get(clientId);
  const trigger = triggerNamed(state, account, clientId);
  const of = handle === undefined ? trigger?.marketId : state.orders.market[handle]!;
  if (of === undefined || !isMeant(of)) return refusal.unknownClientId(clientId);
  const market = state.market(of)!;
  if (!takesCancels(market)) return refusedByState(market);
  return handle === undefined ? cancelTrigger(state, trigger!) : cancelHandle(state, handle);
}

function cancelAll(state: ClobState, address: Address, marketId: MarketId | null): ActionResult {
  if (marketId !== null) {
    const market = state.market(marketId);
    if (market === undefined) return refusal.unknownMarket(marketId);
    if (!takesCancels(market)) return refusedByState(market);
  }
  const orderIds: OrderId[] = [];
  const { orders } = state;
  let handle = state.accountOf.get(address)?.firstOrder ?? noOrder;
  while (handle !== noOrder) {
    const next = orders.ownerNext[handle]!;
    if (marketId === null ? takesCancels(state.marketOf(handle)) : orders.market[handle] === marketId) {
      orderIds.push(orders.id[handle]! as OrderId);
      cancelOrder(state, handle, 'user');
    }
    handle = next;
  }
  for (const trigger of triggersOf(state, state.accountOf.get(address))) {
    if (marketId === null ? !takesCancels(state.market(trigger.marketId)!) : trigger.marketId !== marketId) continue;
    orderIds.push(trigger.id);
    endTrigger(state, trigger, 'user');
  }
  orderIds.sort((a, b) => a - b);
  return { ok: true, value: { type: 'cancelAll', orderIds } };
}

/** Runs one item of a batch; one that is refused changed nothing. */
export function runItem(state: ClobState, account: Address, item: ActionPayload): Answer {
  const known = state.accountOf.get(account);
  const sure = known === undefined ? null : runSurely(state, known, item);
  if (sure !== null) return sure;
  const mark = state.mark();
  const answer = runTrading(state, account, item);
  if (isRefused(answer)) undoTo(state, mark);
  return answer;
}

/** Runs the items one by one, each with its own result; a refused one changes nothing and does not stop the others. */
function batch(state: ClobState, account: Address, items: readonly ActionPayload[]): ActionResult {
  const { log } = state;
  const results = items.map((item) => log.answer(runItem(state, account, item)));
  noteMissedItems(state.missed, account, { index: state.actionIndex, items, results });
  return { ok: true, value: { type: 'batch', results } };
}
