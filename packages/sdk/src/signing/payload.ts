import { type ActionPayload, agentPermission, type Change, changeFromJson } from '@prime/codec';
import type {
  Address as CodecAddress,
  Hash as CodecHash,
  Height,
  MarketId,
  OrderId,
  TimestampMs,
} from '@prime/primitives';
import { hexToBytes } from 'viem';
import { marketIdOf } from '../decode/references.ts';
import { InvalidActionError } from '../errors/own.ts';
import type { Action } from '../types/action.ts';
import type { ParameterChange } from '../types/parameters.ts';
import type { BracketLeg, OrderRequest, TriggerRequest } from '../types/order.ts';
import type { AgentPermission, Hex, MarketReference } from '../types/primitives.ts';

/** What an order does that would trade with one of its own account, where it does not say. */
const defaultSelfTrade = 'cancel_maker';

const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const clientIdPattern = /^0x[0-9a-fA-F]{32}$/;

/** @throws InvalidActionError */
export function toAddress(address: Hex, field: string): CodecAddress {
  if (!addressPattern.test(address))
    throw new InvalidActionError(field, `has to be 0x and 40 hex digits, not ${address}`);
  return address.toLowerCase() as CodecAddress;
}

function clientIdOf(clientId: Hex): string {
  if (!clientIdPattern.test(clientId))
    throw new InvalidActionError('clientId', `has to be 0x and 32 hex digits, not ${clientId}`);
  return clientId.toLowerCase();
}

const toMarketId = (market: MarketReference): MarketId => marketIdOf(market) as MarketId;
const marketOrAll = (market: MarketReference | undefined): MarketId | null =>
  market === undefined ? null : toMarketId(market);

function orderPayload(order: OrderRequest): ActionPayload {
  const { market, side, price, size, tif = 'gtc', clientId, expiresAtSeconds = 0 } = order;
  const { postOnly = false, reduceOnly = false, selfTrade = defaultSelfTrade, stop, takeProfit } = order;
  const fields = {
    marketId: toMarketId(market),
    side,
    price,
    size,
    tif,
    postOnly,
    reduceOnly,
    selfTrade,
    clientId: clientId === undefined ? null : clientIdOf(clientId),
    expiresAt: expiresAtSeconds,
  };
  if (stop === undefined && takeProfit === undefined) return { type: 'order', ...fields };
  return { type: 'bracket', ...fields, stop: legOf(stop), takeProfit: legOf(takeProfit) };
}

const legOf = (leg: BracketLeg | undefined) =>
  leg === undefined ? null : { triggerPrice: leg.triggerPrice, limitPrice: leg.limitPrice ?? 0n };

function triggerPayload(trigger: TriggerRequest): ActionPayload {
  const { market, side, kind, triggerPrice, limitPrice = 0n, size, clientId, expiresAtSeconds = 0 } = trigger;
  const { reduceOnly = false, selfTrade = defaultSelfTrade, group = 0 } = trigger;
  const position = size === 'position';
  return {
    type: 'trigger',
    marketId: toMarketId(market),
    side,
    kind,
    triggerPrice,
    limitPrice,
    size: position ? 0n : size,
    tif: trigger.tif ?? (limitPrice === 0n ? 'ioc' : 'gtc'),
    reduceOnly,
    position,
    selfTrade,
    clientId: clientId === undefined ? null : clientIdOf(clientId),
    expiresAt: expiresAtSeconds,
    group,
  };
}

const permissionBits = (permissions: readonly AgentPermission[]): number =>
  permissions.reduce((bits, permission) => bits | agentPermission[permission], 0);

const claimOf = ({ signerKey, signerProof }: { readonly signerKey: Hex; readonly signerProof: Hex }) => ({
  publicKey: hexToBytes(signerKey),
  proof: hexToBytes(signerProof),
});
const endpointOf = (endpoint: { readonly host: string; readonly port: number; readonly tlsKeyHash: Hex }) => ({
  host: endpoint.host,
  port: endpoint.port,
  spki: endpoint.tlsKeyHash.toLowerCase() as CodecHash,
});

/** An action in the form that is encoded; `checkAction` says whether a node would take it. @throws InvalidActionError for what has no encoding */
export function toPayload(action: Action): ActionPayload {
  switch (action.type) {
    case 'order':
      return orderPayload(action);
    case 'trigger':
      return triggerPayload(action);
    case 'cancel':
      return { type: 'cancel', orderId: action.orderId as OrderId };
    case 'cancelByClientId':
      return { type: 'cancelByClientId', marketId: toMarketId(action.market), clientId: clientIdOf(action.clientId) };
    case 'cancelAll':
      return { type: 'cancelAll', marketId: marketOrAll(action.market) };
    case 'modify':
      return { type: 'modify', orderId: action.orderId as OrderId, price: action.price, size: action.size };
    case 'batch':
      return { type: 'batch', items: action.items.map(toPayload) };
    case 'deposit':
    case 'validatorBond':
    case 'validatorUnbond':
      return { type: action.type, amount: action.amount };
    case 'withdraw':
    case 'transfer':
    case 'enqueueEvmToOrders':
      return { type: action.type, amount: action.amount, to: toAddress(action.to, 'to') };
    case 'bridgeDequeue':
      return { type: 'bridgeDequeue', direction: action.direction, max: action.max };
    case 'liquidate':
      return { type: 'liquidate', address: toAddress(action.address, 'address') };
    case 'addMarket':
      return marketPayload(action);
    case 'setMargin': {
      const { initialMarginBps, maintenanceMarginBps } = action;
      return { type: 'setMargin', marketId: marketOrAll(action.market), initialMarginBps, maintenanceMarginBps };
    }
    case 'approveAgent':
      return agentPayload(action);
    case 'revokeAgent':
      return { type: 'revokeAgent', agent: toAddress(action.agent, 'agent') };
    case 'validatorJoin': {
      const { stake, moniker } = action;
      return { type: 'validatorJoin', stake, moniker, ...claimOf(action), ...endpointOf(action) };
    }
    case 'createSubAccount':
      return { type: action.type, index: action.index };
    case 'scheduleCancel':
      return { type: action.type, atMs: action.atMs };
    case 'validatorRotateSigner':
      return { type: action.type, ...claimOf(action) };
    case 'validatorSetEndpoint':
      return { type: 'validatorSetEndpoint', ...endpointOf(action) };
    case 'validatorSetOracleKey':
      return { type: 'validatorSetOracleKey', key: action.key === null ? null : toAddress(action.key, 'key') };
    case 'oracleReport':
      return reportPayload(action);
    case 'change':
    case 'propose':
    case 'vote':
      return governancePayload(action);
    case 'lockAccount':
    case 'noop':
    case 'validatorLeave':
    case 'validatorUnjail':
    case 'validatorJail':
      return { type: action.type };
    default:
      throw new InvalidActionError('type', `${String((action as Action).type)} is none of the actions`);
  }
}

function agentPayload(action: Extract<Action, { readonly type: 'approveAgent' }>): ActionPayload {
  const { agent, permissions, validUntilMs = 0, name = '' } = action;
  const bits = permissionBits(permissions);
  return { type: 'approveAgent', agent: toAddress(agent, 'agent'), expiry: validUntilMs, permissions: bits, name };
}

function governancePayload(action: Extract<Action, { readonly type: 'change' | 'propose' | 'vote' }>): ActionPayload {
  if (action.type === 'vote')
    return { type: 'vote', proposal: action.proposal.toLowerCase() as CodecHash, yes: action.yes };
  const change = changeOf(action.change);
  if (action.type === 'change') return { type: 'change', change, atHeight: action.atHeight ?? 0 };
  const [activationHeight, expiryHeight] = [action.activationHeight as Height, action.expiryHeight as Height];
  return { type: 'propose', change, activationHeight, expiryHeight };
}

function changeOf({ parameter, market, value }: ParameterChange): Change {
  try {
    return changeFromJson({ parameter, value, ...(market === undefined ? {} : { market }) });
  } catch (error) {
    throw new InvalidActionError('change', error instanceof Error ? error.message : String(error));
  }
}

function reportPayload(action: Extract<Action, { readonly type: 'oracleReport' }>): ActionPayload {
  const prices = action.prices.map(({ market, price }) => ({ marketId: toMarketId(market), price }));
  prices.sort((a, b) => a.marketId - b.marketId);
  return { type: 'oracleReport', observedAtMs: action.observedAtMs as TimestampMs, prices };
}

function marketPayload(action: Extract<Action, { readonly type: 'addMarket' }>): ActionPayload {
  const { symbol, tickSize, lotSize, baseDecimals = 0, quoteDecimals = 18 } = action;
  const decimals = { baseDecimals, quoteDecimals };
  return { type: 'addMarket', symbol, tickSize, lotSize, ...decimals };
}
