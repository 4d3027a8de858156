import { decodeRefusalData, type RefusalData, type RefusalKind } from '../errors/refusalData.ts';
import { amountText, countOf, formatInteger, formatMoment, type MarketWords, priceWords, sizeWords } from './words.ts';

/** Why it was refused and what would do, in sentences. @param market of the order; null where it is not known, or there is none */
type Sentences<kind extends RefusalKind> = (data: RefusalData[kind], market: MarketWords | null) => string;

/** Valid values beside one that is none. */
const beside = (below: bigint | null, above: bigint | null, words: (value: bigint) => string): string => {
  const nearest = [below, above].filter((value) => value !== null).map(words);
  return nearest.length === 0 ? 'There is no valid one near it.' : `The nearest are ${nearest.join(' and ')}.`;
};

const tick: Sentences<'tick'> = ({ price, tickSize, nearestBelow, nearestAbove }, market) =>
  `Prices${market === null ? '' : ` of ${market.symbol}`} are multiples of ${priceWords(market, tickSize)}, and ${priceWords(market, price)} is none. ` +
  beside(nearestBelow, nearestAbove, (value) => priceWords(market, value));
const lot: Sentences<'lot'> = ({ size, lotSize, nearestBelow, nearestAbove }, market) =>
  `Sizes${market === null ? '' : ` of ${market.symbol}`} are multiples of ${sizeWords(market, lotSize)}, and ${sizeWords(market, size)} is none. ` +
  beside(nearestBelow, nearestAbove, (value) => sizeWords(market, value));

const orders = {
  unknown_market: ({ marketId }) => `There is no market ${marketId}: it was never opened.`,
  tick,
  lot,
  bad_price: ({ tickSize }, market) => `A price has to be above zero: the least is ${priceWords(market, tickSize)}.`,
  bad_size: ({ lotSize }, market) => `A size has to be above zero: the least is ${sizeWords(market, lotSize)}.`,
  notional_too_small: ({ minNotional }) =>
    `Price times size is below ${amountText(minNotional)}, the least that this network takes.`,
  order_notional: ({ notional, orderNotionalMax }) =>
    `Price times size is ${amountText(notional)}, and its market takes ${amountText(orderNotionalMax)} of one order at most.`,
  price_band: ({ price, markPrice, lowest, highest }, market) =>
    `A price of ${priceWords(market, price)} is too far from the mark, ${priceWords(market, markPrice)}: ` +
    (highest === null
      ? `the lowest price of a sell is ${lowest === null ? 'another one' : priceWords(market, lowest)}.`
      : `the highest price of a buy is ${priceWords(market, highest)}.`),
  position_limit: ({ possible, positionMax }, market) =>
    `With it the account could hold ${sizeWords(market, possible)} on that side, and ${sizeWords(market, positionMax)} is the most. Make it smaller, or cancel other orders of that side.`,
  open_interest: ({ openInterest, opened, openInterestMax }, market) =>
    `All longs hold ${sizeWords(market, openInterest)}, and with ${sizeWords(market, opened)} more it would be beyond the ${sizeWords(market, openInterestMax)} that the market allows. Orders that only reduce a position are taken.`,
  position_too_large: () => 'With it the position could grow beyond what the protocol can count. Make it smaller.',
  bad_flags: () =>
    'Its options contradict each other: a post-only order has to rest (gtc), a trigger without a limit must not (ioc), and one for a whole position has no size. A stop or a take-profit is attached to an order that is not reduce-only, the stop on the losing side; its size is what the order filled.',
  insufficient_margin: ({ required, free }) =>
    `It needs ${amountText(required)} of margin, and ${amountText(free)} of the collateral are free: ${amountText(required - free)} are missing. Deposit more, cancel other orders, or make it smaller.`,
  insufficient_funds: () => 'The balance of the account in the EVM does not cover the amount.',
  insufficient_collateral: ({ withdrawable }) =>
    `It was to take out more than the ${amountText(withdrawable)} that may be withdrawn: positions and open orders hold the rest.`,
  profit_unpaid: ({ marketId, unpaid, withdrawable }) =>
    `It has ${amountText(unpaid)} of profit in market ${marketId} that nobody paid yet, as profit is paid out of the losses there. No more than ${amountText(withdrawable)} may be withdrawn now.`,
  bad_amount: () => 'An amount has to be above zero.',
  bad_recipient: ({ address }) => `What goes to ${address} would be lost: nobody can take it out there.`,
  too_many_transfers: ({ limit }) =>
    `No more than ${countOf(limit, 'transfer')} of a direction may wait, and so many do. Send it again when some are through.`,
  not_liquidatable: ({ address }) =>
    `The equity of ${address} is not below its maintenance margin, so nobody may liquidate it.`,
  unknown_order: ({ orderId }) =>
    `There is no order ${orderId}: it never was, or it ended longer ago than nodes remember.`,
  order_filled: ({ orderId }) => `Order ${orderId} was filled before this came.`,
  order_cancelled: ({ orderId }) => `Order ${orderId} was cancelled before this came.`,
  unknown_client_id: ({ clientId }) => `The account has no live order with the client id ${clientId}.`,
  not_owner: ({ orderId }) => `Order ${orderId} belongs to another account.`,
  duplicate_client_id: ({ orderId }) =>
    `The account used this client id already, for order ${orderId}: where it was sent twice, the first one counts.`,
  post_only: () =>
    'It was to rest and not to trade (post-only), and its price would have met an order of the other side at once.',
  reduce_only: () =>
    'It was to make a position smaller (reduce-only), and there is none on the other side that it could reduce.',
  order_expired: () => 'Its own end had passed before a block took it in.',
  bad_expiry: ({ expiresAt }) =>
    `Its end is counted in seconds, and ${formatInteger(expiresAt)} can only be milliseconds.`,
  market_exists: ({ symbol }) => `There is a market ${symbol} already.`,
  bad_symbol: () => 'A symbol is BASE/QUOTE, for instance ETH/USD.',
  bad_grid: () => 'Tick size and lot size have to be above zero.',
  bad_margin_params: () =>
    'Margins are in basis points: the maintenance margin at least 1, the initial one not below it, and none above 10,000.',
  unauthorized: ({ signer, account }) =>
    `${signer} signed for ${account}, and is neither this account nor an agent of it with that permission.`,
  owns_nothing: ({ signer }) =>
    `${signer} has nothing on this chain yet, so it could only leave something behind. Deposit first.`,
  bad_agent: () =>
    'The terms of the agent are not allowed: its key, its name, its end or its permissions. The words of the node say which.',
  agent_revoked: ({ agent }) => `The key ${agent} was revoked once, and no revoked key comes back. Take another one.`,
  unknown_agent: ({ agent }) => `The account never approved ${agent}.`,
  too_many_agents: ({ limit }) => `The account has ${formatInteger(limit)} agents, and no more may be.`,
  sub_account: ({ account, owner }) =>
    `${account} is a sub-account of ${owner}, and that is for the account of the owner. To withdraw, transfer to the owner first.`,
  sub_account_exists: ({ index, owner, address }) => `${owner} made the sub-account ${index} before: it is ${address}.`,
  too_many_sub_accounts: ({ limit }) =>
    limit === 0
      ? 'There are no sub-accounts on this network.'
      : `The owner has ${formatInteger(limit)} sub-accounts, and no more may be.`,
  nonce: () =>
    'Its nonce was used already, or is too far from the time of the chain: a nonce is the time in milliseconds, and counts once.',
  expired: () => 'The time until which a block might take it had passed.',
  too_many_open_orders: ({ limit }) =>
    `The account has ${formatInteger(limit)} open orders, and no more may be. Cancel some first.`,
  cancel_only_market: () => 'The market takes no orders now, only cancels.',
  market_halted: () => 'The market is halted: it takes neither orders nor cancels.',
  market_settling: () => 'The market is being settled: its orders end, and its positions are closed at one price.',
  market_delisted: () => 'The market is over.',
  bad_change: ({ parameter, value, allowed }) =>
    `The parameter ${parameter} can not be ${value}: allowed is ${allowed}.`,
  not_a_validator: ({ account }) => `${account} does not own an active validator.`,
  bad_proposal: ({ leastHeight, mostHeight }) =>
    leastHeight === undefined || mostHeight === undefined
      ? 'The proposal is open already, or has passed.'
      : `Its height is not allowed: from ${formatInteger(leastHeight)} to ${formatInteger(mostHeight)} it is.`,
  too_many_proposals: ({ limit }) => `As many as ${formatInteger(limit)} proposals are open, and no more may be.`,
  unknown_proposal: ({ proposal }) => `No proposal ${proposal} is open: it was never made, or is over.`,
  too_many_triggers: ({ limit }) =>
    limit === 0
      ? 'The network has no triggers.'
      : `As many triggers as may be wait already: ${formatInteger(limit)} of the account, or in the market.`,
  bad_schedule: ({ earliestMs }) =>
    `A cancel of all orders is scheduled for ${formatMoment(earliestMs)} or later, which is 5 seconds ahead of its block.`,
  block_full: ({ limit }) =>
    `Its block had the ${formatInteger(limit)} changes of orders that one may have. Send it again.`,
  oracle_stale: () =>
    'The price from outside is too old, because too few validators report it. Until it is fresh only orders that make a position smaller are taken.',
  post_only_market: ({ untilMs }) =>
    untilMs === null
      ? 'The market takes only post-only orders now.'
      : `The price from outside is back after a pause. Up to block time ${formatInteger(untilMs)} ms only post-only orders are taken.`,
  not_a_reporter: ({ signer, account }) =>
    `${signer} is neither the signer nor the oracle key of an active validator ${account}.`,
  bad_report: () =>
    'A report of prices was made too long ago, in the future or before the last one, or names a market without an oracle.',
  not_available: ({ type }) =>
    `An action of the kind ${type} can not stand where it stood, for instance inside of a batch.`,
} as const satisfies { readonly [kind in RefusalKind]?: Sentences<kind> };

const staking: { readonly [kind in Exclude<RefusalKind, keyof typeof orders>]: Sentences<kind> } = {
  fixed_validators: () => 'The validators of this network are those of genesis, and never change.',
  unknown_validator: () => 'The account is no validator.',
  already_registered: () => 'The account is registered as a validator already.',
  tombstoned: () => 'The validator signed two messages at one place, and can never be one again.',
  stake_too_small: ({ stake, minStake }) =>
    `The stake would be ${amountText(stake)}, and the least is ${amountText(minStake)}.`,
  bad_moniker: () => 'A moniker is 1 to 64 bytes of printable text.',
  bad_endpoint: () => 'The host has to be a DNS name or an IP address.',
  bad_signer: () => 'The signer key did not prove that it is to sign for this account.',
  signer_in_use: () => 'The signer key is that of a validator, or was lately. Take a new one.',
  too_many_changes: ({ limit }) =>
    `It changed, or takes stake out, ${formatInteger(limit)} times already while evidence counts. Wait until the oldest of them is over.`,
  too_many_validators: ({ limit }) => `There are ${formatInteger(limit)} validators already, and no more may be.`,
  too_few_validators: ({ minValidators }) =>
    `Fewer than ${countOf(minValidators, 'validator')} would remain, and the network needs so many.`,
  too_much_power: ({ power, total }) =>
    `A block may change less than a third of the voting power, and with this one it would be ${formatInteger(power)} of ${formatInteger(total)}. Send it again for a later block.`,
  not_jailed: () => 'The validator is not jailed.',
  jailed: () => 'The validator is jailed already.',
  still_jailed: ({ jailedUntilMs }) => `The validator is jailed until ${formatMoment(jailedUntilMs)}.`,
};

const sentences: { readonly [kind in RefusalKind]: Sentences<kind> } = { ...orders, ...staking };

/** Every kind of refusal that has sentences. */
export const explainedRefusals = Object.keys(sentences) as readonly RefusalKind[];

/** A refusal as blocks and nodes tell it. */
export interface ToldRefusal {
  readonly kind: string;
  /** The node's own words, for a kind that this version does not know. */
  readonly message: string;
  /** With amounts as bigint, as `RefusalError` has it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A refusal as it stands in results of actions: amounts as hex text. */
export function toldRefusal({
  code,
  message,
  data,
}: {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}): ToldRefusal {
  return { kind: refusalKindOf(code, data), message, data: decodeRefusalData(data) };
}

function refusalKindOf(code: string, { kind }: Readonly<Record<string, unknown>>): string {
  return typeof kind === 'string' ? kind : code.toLowerCase().replace(/^(?:clob|staking)_/, '');
}

/** Why the order book, the bridge or the staking state refused, in sentences. */
export function explainRefusal({ kind, message, data }: ToldRefusal, market: MarketWords | null): string {
  if (!isKind(kind)) return `${message}.`;
  try {
    return (sentences[kind] as (data: unknown, market: MarketWords | null) => string)(data, market);
  } catch {
    // A node of another version leaves a figure out that this sentence needs.
    return `${message}.`;
  }
}

/** Sentences without figures for the kinds whose own ones need some. */
const withFigures = {
  unknown_market: 'There is no market with that number: it was never opened.',
  tick: 'The price is not a multiple of the tick size of its market.',
  lot: 'The size is not a multiple of the lot size of its market.',
  bad_price: 'A price has to be above zero.',
  bad_size: 'A size has to be above zero.',
  notional_too_small: 'Price times size is below the least that this network takes.',
  order_notional: 'Price times size is above the most that the market takes of one order.',
  price_band: 'The price is further from the mark than the market allows.',
  position_limit: 'With it the account could hold more than the market allows one account.',
  open_interest: 'With it more positions could be open than the market allows. Orders that only reduce are taken.',
  insufficient_margin: 'The free collateral does not cover the margin of the order.',
  insufficient_collateral: 'It was to take out more than may be withdrawn: positions and open orders hold the rest.',
  bad_recipient: 'What goes to that address would be lost.',
  too_many_transfers: 'As many transfers of that direction wait as may.',
  not_liquidatable: 'The equity of the account is not below its maintenance margin, so nobody may liquidate it.',
  unknown_order: 'There is no such order: it never was, or it ended longer ago than nodes remember.',
  order_filled: 'The order was filled before this came.',
  order_cancelled: 'The order was cancelled before this came.',
  unknown_client_id: 'The account has no live order with that client id.',
  not_owner: 'The order belongs to another account.',
  duplicate_client_id: 'The account used this client id already: where it was sent twice, the first one counts.',
  bad_expiry: 'The end of an order is counted in seconds, and this one can only be milliseconds.',
  market_exists: 'There is a market with that symbol already.',
  unauthorized: 'Who signed is neither the account nor an agent of it with that permission.',
  owns_nothing: 'Who signed has nothing on this chain yet, so it could only leave something behind. Deposit first.',
  agent_revoked: 'The key was revoked once, and no revoked key comes back. Take another one.',
  unknown_agent: 'The account never approved that agent.',
  profit_unpaid: 'It is profit that nobody paid yet, as profit is paid out of the losses of its market.',
  too_many_agents: 'The account has as many agents as may be.',
  sub_account: 'That is for the account of the owner. To withdraw, transfer from the sub-account to the owner first.',
  sub_account_exists: 'The owner made the sub-account of that number before.',
  too_many_sub_accounts: 'The owner has as many sub-accounts as may be.',
  too_many_open_orders: 'The account has as many open orders as may be. Cancel some first.',
  cancel_only_market: 'The state of the market lets in cancels and nothing else.',
  market_halted: 'The state of the market lets in neither orders nor cancels.',
  market_settling: 'The market is being settled.',
  market_delisted: 'The market was settled and is over.',
  bad_change: 'The change is none that may be made.',
  not_a_validator: 'The account does not own an active validator.',
  bad_proposal: 'The heights of the proposal are not allowed, it is open already, or it has passed.',
  too_many_proposals: 'As many proposals are open as may be.',
  unknown_proposal: 'No such proposal is open.',
  too_many_triggers: 'The account, or the market, has as many triggers as may wait.',
  bad_schedule: 'A cancel of all orders is scheduled at least 5 seconds ahead of its block, in milliseconds.',
  block_full: 'Its block had as many changes of orders as one may have. Send it again.',
  oracle_stale: 'The price from outside is too old: only orders that make a position smaller are taken.',
  post_only_market: 'The market takes only post-only orders now.',
  not_a_reporter: 'Who signed does not report prices for an active validator.',
  bad_report: 'A report of prices was too old, in the future, or of prices that make no sense.',
  not_available: 'That action can not stand where it stood, for instance inside of a batch.',
  stake_too_small: 'The stake would be below the least of this network.',
  too_many_changes: 'It changed, or takes stake out, as often as it may while evidence counts.',
  too_many_validators: 'There are as many validators as may be.',
  too_few_validators: 'Fewer validators would remain than the network needs.',
  too_much_power: 'A block may change less than a third of the voting power. Send it again for a later block.',
  still_jailed: 'The time of the jail is not over yet.',
} as const satisfies Partial<Record<RefusalKind, string>>;

const isWithFigures = (kind: RefusalKind): kind is keyof typeof withFigures => Object.hasOwn(withFigures, kind);
const isKind = (kind: string): kind is RefusalKind => Object.hasOwn(sentences, kind);

/** What a kind means, where no case of it is at hand; null for a kind that this version does not know. */
export function refusalMeaning(kind: string): string | null {
  if (!isKind(kind)) return null;
  return isWithFigures(kind)
    ? withFigures[kind]
    : (sentences[kind] as (data: object, market: null) => string)({}, null);
}
