import { address, type Codec, clientId, flag, hash, integer, nullable, oneOf, text } from '../encoding/fieldCodecs.ts';
import { marketDecimalsFields } from '../genesis/marketDecimals.ts';
import {
  agentNameBytesMax,
  amount,
  bps,
  marketId,
  orderId,
  selfTradeMode,
  side,
  signedSize,
  signedWei,
  symbolBytesMax,
  timeInForce,
  transferDirection,
  uint32,
  wei,
} from '../encoding/protocolFields.ts';
import { type ParameterName, parameterNames } from '../genesis/changes.ts';
import { changeTextMax } from '../genesis/changeJson.ts';
import { type MarketStatus, marketStatuses } from '../genesis/marketStatuses.ts';
import { subAccountIndex } from '../actions/subAccounts.ts';
import { type TriggerKind, triggerKinds } from '../actions/orderWords.ts';
import type { DomainEvent } from '../types.ts';

/**
 * Domain events: what happened in a block besides EVM logs. The table below is the only place that knows the kinds; encoding,
 * JSON and documentation come from it. Codes are never reused and fields never reordered: events are part of the header.
 */
/** What a field of an event holds, in working form. */
export type EventValue = DomainEvent['data'][string];

/** How a field is encoded, and how it shows in JSON: some numbers and all text verbatim, the rest as hex quantities. */
export interface EventFieldType {
  readonly codec: Codec<EventValue>;
  readonly json: 'verbatim' | 'quantity';
  /** What a number of the field is in working form. */
  readonly number?: 'number' | 'bigint';
}

// The table is data about many types; each codec gets back exactly what its own fields hold, or throws.
const verbatim = <T extends EventValue>(codec: Codec<T>): EventFieldType => ({
  codec: codec as unknown as Codec<EventValue>,
  json: 'verbatim',
});
const verbatimNumber = <T extends number | null>(codec: Codec<T>): EventFieldType => ({
  ...verbatim(codec),
  number: 'number',
});
const hexQuantity = (codec: Codec<bigint>): EventFieldType => ({
  ...verbatim(codec),
  json: 'quantity',
  number: 'bigint',
});
const hexNumber = <T extends number | null>(codec: Codec<T>): EventFieldType => ({
  ...verbatimNumber(codec),
  json: 'quantity',
});

const market = verbatimNumber(marketId);
const order = hexNumber(orderId);
/** The order that a trigger is attached to. */
const parentOrder = hexNumber(nullable(orderId));
const id = hexNumber(integer(1));
const account = verbatim(address);
const size = hexQuantity(amount);
const value = hexQuantity(wei);
const signedValue = hexQuantity(signedWei);
const reason = verbatim(text(256));
const orderSide = verbatim(side);
const bridgeFields = {
  transfer_id: id,
  direction: verbatim(transferDirection),
  from: account,
  to: account,
  amount: value,
} as const;
/** What a change says; `new_value` is JSON text, see changeJson.ts. */
const changeFields = {
  market_id: verbatimNumber(nullable(marketId)),
  parameter: verbatim(oneOf<ParameterName>(parameterNames)),
  new_value: verbatim(text(changeTextMax)),
} as const;
const validatorFields = { validator: account, stake: value, power: value } as const;

/** A kind of event: its number, whose it is, and what it holds. */
export interface EventDefinition {
  readonly code: number;
  readonly domain: DomainEvent['domain'];
  /** In the order of the encoding. */
  readonly fields: Readonly<Record<string, EventFieldType>>;
}

const orders = (code: number, fields: EventDefinition['fields']): EventDefinition => ({
  code,
  domain: 'orders',
  fields,
});
const bridge = (code: number, fields: EventDefinition['fields']): EventDefinition => ({
  code,
  domain: 'bridge',
  fields,
});
const validators = (code: number): EventDefinition => ({ code, domain: 'validators', fields: validatorFields });

/**
 * What makes an order smaller: its owner; self-trade prevention, which takes the same off both orders; that a reduce-only order comes to rest
 * beside others of its kind; that the position became smaller which a reduce-only order is against.
 */
export const orderReductions = ['modify', 'decrement', 'reduce_only', 'position'] as const;
/** Why an order became smaller without a trade. */
export type OrderReduction = (typeof orderReductions)[number];

/** Every kind of event. */
export const eventTable = {
  market_added: orders(1, {
    market_id: market,
    symbol: verbatim(text(symbolBytesMax)),
    tick_size: size,
    lot_size: size,
    base_decimals: verbatimNumber(marketDecimalsFields.baseDecimals),
    quote_decimals: verbatimNumber(marketDecimalsFields.quoteDecimals),
  }),
  margin_params_set: orders(2, {
    market_id: verbatimNumber(nullable(marketId)),
    initial_margin_bps: verbatimNumber(bps),
    maintenance_margin_bps: verbatimNumber(bps),
  }),
  order_accepted: orders(3, {
    order_id: order,
    market_id: market,
    owner: account,
    side: orderSide,
    price: size,
    size,
    tif: verbatim(timeInForce),
    client_id: verbatim(clientId),
    post_only: verbatim(flag),
    reduce_only: verbatim(flag),
    stp: verbatim(selfTradeMode),
    expires_at: verbatimNumber(integer()),
  }),
  trade: orders(4, {
    trade_id: id,
    market_id: market,
    price: size,
    size,
    maker_order_id: order,
    taker_order_id: order,
    maker: account,
    taker: account,
    side: orderSide,
    fees: signedValue,
  }),
  order_cancelled: orders(5, { order_id: order, market_id: market, owner: account, remaining: size, reason }),
  collateral_deposited: orders(6, { address: account, amount: value, collateral: signedValue }),
  collateral_withdrawn: orders(7, { address: account, amount: value, collateral: signedValue }),
  /** `order_id` is the taker's of its trades, which come before it; `size` is what the position was. */
  liquidation: orders(8, {
    address: account,
    order_id: order,
    market_id: market,
    size: hexQuantity(signedSize),
    fee: value,
    insurance_paid: value,
  }),
  /** A part of a position in liquidation was closed against one on the other side. `size` has the sign of the former. */
  deleveraged: orders(9, {
    address: account,
    order_id: order,
    counterparty: account,
    market_id: market,
    size: hexQuantity(signedSize),
    value,
  }),
  /** A loss that nobody paid: it leaves the account, and is a debt of markets (`market_debt`). */
  bad_debt: orders(10, { address: account, amount: value }),
  insurance_changed: orders(11, { amount: signedValue, balance: value }),
  /** `hash` of a native transaction, `ticket` of a contract's call; the other one is null. */
  action_rejected: orders(12, {
    account,
    hash: verbatim(nullable(hash)),
    ticket: hexNumber(nullable(integer(1))),
    reason,
  }),
  agent_approved: orders(13, {
    account,
    agent: account,
    expiry: verbatimNumber(integer()),
    permissions: verbatimNumber(uint32),
    name: verbatim(text(agentNameBytesMax)),
  }),
  agent_revoked: orders(14, { account, agent: account }),
  faucet_used: orders(15, { address: account, amount: value }),
  collateral_transferred: orders(16, { from: account, to: account, amount: value }),
  /** Of networks with fees, after the trade; negative is a rebate. `insurance` and `treasury` are what they got of it. */
  trade_fees: orders(17, {
    trade_id: id,
    market_id: market,
    taker: account,
    taker_fee: value,
    maker: account,
    maker_fee: signedValue,
    insurance: signedValue,
    treasury: value,
  }),
  /** An interval ended: see MarketFunding. */
  funding_index: orders(18, {
    market_id: market,
    index: signedValue,
    change: signedValue,
    average: value,
    reference: value,
  }),
  /** A position settled: `amount` came to its account, and `insurance` is what rounding left to the insurance fund. */
  funding_paid: orders(19, {
    address: account,
    market_id: market,
    size: hexQuantity(signedSize),
    amount: signedValue,
    index: signedValue,
    insurance: value,
  }),
  /** An order became smaller without a fill, as if it had been made for less: by `amount`, to `remaining`. */
  order_reduced: orders(20, {
    order_id: order,
    market_id: market,
    owner: account,
    by: verbatim(oneOf<OrderReduction>(orderReductions)),
    amount: size,
    remaining: size,
  }),
  /** The insurance fund paid what an account had less than nothing; `insurance_changed` follows. */
  debt_covered: orders(21, { address: account, amount: value }),
  /** All orders of the account will end at a block time, ms; 0: they will not. */
  cancel_scheduled: orders(22, { account, at_ms: verbatimNumber(integer()) }),
  /** That time came: `order_cancelled` of each of its orders, by `scheduled`, come before it. */
  scheduled_cancel: orders(23, { account, at_ms: verbatimNumber(integer()) }),
  /** A report of prices was not taken; `reason` is the kind of the refusal. */
  oracle_refused: orders(26, { validator: account, hash: verbatim(hash), reason }),
  /** The index of a market moved as far as is told, or a minute is over. */
  index_set: orders(27, { market_id: market, index: size }),
  /** Too little power has a fresh price: the index stays as it is. */
  oracle_stale: orders(28, { market_id: market, index: size }),
  /** There is a fresh median again; the market is post-only up to `until_ms`, 0: it trades at once. */
  oracle_resumed: orders(29, { market_id: market, median: size, until_ms: verbatimNumber(integer()) }),
  /** A validator reported prices in less than half of the minutes of a day in which blocks had it active. */
  oracle_missing: orders(90, {
    validator: account,
    reported_minutes: verbatimNumber(integer()),
    minutes: verbatimNumber(integer()),
  }),
  /** An owner has one more account: `address` is where it is. */
  sub_account_created: orders(30, {
    owner: account,
    address: account,
    sub_account_index: verbatimNumber(subAccountIndex),
  }),
  /** A parameter changed: `new_value` is what it is now, as JSON; `proposal` is null for what the admin did at once. */
  parameter_changed: orders(76, { ...changeFields, proposal: verbatim(nullable(hash)) }),
  /** A change is up for votes until `expiry_height`, or was decided by the admin for later. */
  proposed: orders(77, {
    proposal: verbatim(hash),
    proposer: account,
    ...changeFields,
    activation_height: hexNumber(integer()),
    expiry_height: hexNumber(integer()),
  }),
  /** `yes_power` of `total_power` says yes now, this vote included. */
  voted: orders(78, {
    proposal: verbatim(hash),
    validator: account,
    yes: verbatim(flag),
    yes_power: value,
    total_power: value,
  }),
  /** It will be made at the begin of that block. */
  proposal_passed: orders(79, { proposal: verbatim(hash), activation_height: hexNumber(integer()) }),
  /** It is over without a change: `expired`, or the kind of the refusal. */
  proposal_ended: orders(80, { proposal: verbatim(hash), reason }),
  /** `settlement_price` is null where the market goes on. */
  market_status_set: orders(81, {
    market_id: market,
    status: verbatim(oneOf<MarketStatus>(marketStatuses)),
    settlement_price: hexQuantity(nullable(amount) as Codec<bigint>),
  }),
  /** A part of a position was closed at the price of its market's settlement: `amount` is what it brought, below 0 a loss. */
  position_settled: orders(82, {
    address: account,
    market_id: market,
    size: hexQuantity(signedSize),
    price: size,
    amount: signedValue,
  }),
  /** A trigger waits from now on. `limit_price` 0 is a market order, `group` 0 none. One with a `parent_order_id` and size 0 sleeps until that order fills. */
  trigger_placed: orders(71, {
    order_id: order,
    market_id: market,
    owner: account,
    side: orderSide,
    trigger: verbatim(oneOf<TriggerKind>(triggerKinds)),
    trigger_price: size,
    limit_price: size,
    size,
    tif: verbatim(timeInForce),
    reduce_only: verbatim(flag),
    position: verbatim(flag),
    stp: verbatim(selfTradeMode),
    client_id: verbatim(clientId),
    expires_at: verbatimNumber(integer()),
    group: verbatimNumber(uint32),
    parent_order_id: parentOrder,
  }),
  /** Its order came: `placed_order_id`, whose events follow. */
  trigger_fired: orders(72, {
    order_id: order,
    market_id: market,
    owner: account,
    mark_price: size,
    placed_order_id: order,
  }),
  /** It will not fire any more. `refusal` is the kind of the refusal of its order, where it fired and was `refused`. */
  trigger_ended: orders(73, {
    order_id: order,
    market_id: market,
    owner: account,
    reason,
    refusal: verbatim(nullable(text(64))),
  }),
  /** Its owner gave it another price and size, or the order that it is attached to filled or has another id. */
  trigger_changed: orders(74, {
    order_id: order,
    market_id: market,
    owner: account,
    trigger_price: size,
    size,
    parent_order_id: parentOrder,
  }),
  transfer_queued: bridge(32, bridgeFields),
  transfer_completed: bridge(33, bridgeFields),
  transfer_failed: bridge(34, { ...bridgeFields, reason }),
  /**
   * A part of a position's unrealized loss was realized at the index, because profit in the market was unpaid: `amount` left the account, and the
   * position is as if it had been opened for `entry`.
   */
  loss_settled: orders(91, {
    address: account,
    market_id: market,
    size: hexQuantity(signedSize),
    price: size,
    amount: value,
    entry: value,
  }),
  /** A market's part of what `bad_debt` says; `debt` is what the market owes with it. */
  market_debt: orders(86, { market_id: market, address: account, amount: value, debt: value }),
  /** The insurance fund paid a part of a market's debt into its profit pool; `insurance_changed` follows. */
  debt_repaid: orders(87, { market_id: market, amount: value, debt: value }),
  /** The sender of `liquidate` got a part of the fee; `insurance_changed` follows. */
  liquidation_reward: orders(88, { address: account, liquidator: account, amount: value }),
  joined: validators(64),
  left: validators(65),
  stake_changed: validators(66),
  slashed: validators(67),
  jailed: validators(68),
  unjailed: validators(69),
  signer_rotated: { ...validators(70), fields: { ...validatorFields, signer: account } },
} as const satisfies Readonly<Record<string, EventDefinition>>;

/** Whether a field names an account. */
export const isAccountField = (type: EventFieldType): boolean => type === account;

/** A key of the table, and the word that clients filter by. */
export type EventKind = keyof typeof eventTable;
