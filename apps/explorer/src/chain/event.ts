import type { DomainEventData, DomainEventKind, DomainEventOf } from '@prime/sdk';
import { amountText } from '@prime/sdk/explain';
import { formatInteger, wordsOf } from '../kit/format.ts';
import { marketName, type Markets, priceWords, sizeWords } from './markets.ts';

/** An event of a block in words. */
export interface DescribedEvent {
  /** `order accepted` */
  readonly title: string;
  /** What it says in human units; the accounts stand beside it. */
  readonly words: string;
  /** Accounts that it names, each once, the one that it is about first. */
  readonly accounts: readonly `0x${string}`[];
  readonly tone: 'plain' | 'good' | 'bad' | 'warn' | 'buy' | 'sell';
}

type Address = `0x${string}`;
type AnyEvent = Pick<DomainEventOf, 'kind' | 'data'>;
/** What a kind says. @param markets those that are known */
type Describe<kind extends DomainEventKind> = (data: DomainEventData[kind], markets: MarketTexts) => string;

/** How markets and their units are written. */
interface MarketTexts {
  name(id: number | null): string;
  size(id: number, size: bigint): string;
  price(id: number, price: bigint): string;
}

const textsOf = (markets: Markets): MarketTexts => ({
  name: (id) => (id === null ? 'all markets' : marketName(markets, id)),
  size: (id, size) => sizeWords(markets.get(id), size),
  price: (id, price) => priceWords(markets.get(id), price),
});

const percent = (bps: number): string => `${bps / 100} %`;
const transferWords = ({ direction, amount }: DomainEventData['transfer_queued']): string =>
  `${amountText(amount)} ${direction === 'orders_to_evm' ? 'from the exchange to the EVM' : 'from the EVM to the exchange'}`;
const stakeWords = ({ stake, power }: DomainEventData['joined']): string =>
  `stake ${amountText(stake)}, voting power ${formatInteger(power)}`;
const amountWords = ({ amount }: { readonly amount: bigint }): string => amountText(amount);

const describers: { readonly [kind in DomainEventKind]: Describe<kind> } = {
  market_added: ({ symbol }) => symbol,
  margin_params_set: ({ marketId, initialMarginBps, maintenanceMarginBps }, markets) =>
    `${markets.name(marketId)}: ${percent(initialMarginBps)} to open, ${percent(maintenanceMarginBps)} to keep`,
  order_accepted: ({ orderId, marketId, side, price, size, tif }, markets) =>
    `${side} ${markets.size(marketId, size)} at ${markets.price(marketId, price)}, ${tif}, order ${orderId}`,
  trade: ({ marketId, side, price, size }, markets) =>
    `${side} ${markets.size(marketId, size)} at ${markets.price(marketId, price)} in ${markets.name(marketId)}`,
  order_cancelled: ({ orderId, marketId, remaining, reason }, markets) =>
    `order ${orderId}, ${markets.size(marketId, remaining)} left, ${wordsOf(reason)}`,
  collateral_deposited: ({ amount, collateral }) => `${amountText(amount)}, now ${amountText(collateral)}`,
  collateral_withdrawn: ({ amount, collateral }) => `${amountText(amount)}, now ${amountText(collateral)}`,
  liquidation: ({ marketId, size, fee, insurancePaid }, markets) =>
    `${markets.size(marketId, size)} in ${markets.name(marketId)}, fee ${amountText(fee)}, insurance paid ${amountText(insurancePaid)}`,
  deleveraged: ({ marketId, size, value }, markets) =>
    `${markets.size(marketId, size)} in ${markets.name(marketId)} closed for ${amountText(value)}`,
  bad_debt: amountWords,
  insurance_changed: ({ amount, balance }) => `${amountText(amount)}, now ${amountText(balance)}`,
  action_rejected: ({ reason }) => wordsOf(reason),
  agent_approved: ({ name }) => name,
  agent_revoked: () => '',
  cancel_scheduled: ({ atMs }) => (atMs === 0 ? 'taken back' : `all orders end at ${new Date(atMs).toISOString()}`),
  scheduled_cancel: ({ atMs }) => `set for ${new Date(atMs).toISOString()}`,
  trigger_placed: ({ orderId, marketId, side, trigger, triggerPrice }, markets) =>
    `trigger ${orderId}: ${wordsOf(trigger)}, ${side} at ${markets.price(marketId, triggerPrice)}`,
  trigger_fired: ({ orderId, placedOrderId }) => `trigger ${orderId} became order ${placedOrderId}`,
  trigger_ended: ({ orderId, reason, refusal }) => `trigger ${orderId}: ${wordsOf(refusal ?? reason)}`,
  trigger_changed: ({ orderId, marketId, triggerPrice }, markets) =>
    `trigger ${orderId} waits for ${markets.price(marketId, triggerPrice)}`,
  faucet_used: amountWords,
  collateral_transferred: amountWords,
  trade_fees: ({ marketId, takerFee, makerFee }, markets) =>
    `${markets.name(marketId)}: taker ${amountText(takerFee)}, maker ${amountText(makerFee)}`,
  funding_index: ({ marketId, change }, markets) =>
    `${markets.name(marketId)}: index changed by ${formatInteger(change)}`,
  funding_paid: ({ marketId, amount }, markets) => `${amountText(amount)} in ${markets.name(marketId)}`,
  order_reduced: ({ orderId, marketId, amount, remaining }, markets) =>
    `order ${orderId} by ${markets.size(marketId, amount)}, ${markets.size(marketId, remaining)} left`,
  debt_covered: amountWords,
  market_debt: ({ marketId, amount, debt }, markets) =>
    `${amountText(amount)} in ${markets.name(marketId)}, which owes ${amountText(debt)}`,
  debt_repaid: ({ marketId, amount, debt }, markets) =>
    `${amountText(amount)} to ${markets.name(marketId)}, which owes ${amountText(debt)}`,
  liquidation_reward: ({ liquidator, amount }) => `${amountText(amount)} to ${liquidator}`,
  oracle_refused: ({ reason }) => wordsOf(reason),
  index_set: ({ marketId, index }, markets) => `${markets.name(marketId)}: ${markets.price(marketId, index)}`,
  oracle_stale: ({ marketId, index }, markets) =>
    `${markets.name(marketId)}: stays at ${markets.price(marketId, index)}`,
  oracle_resumed: ({ marketId, median, untilMs }, markets) =>
    `${markets.name(marketId)}: ${markets.price(marketId, median)}${untilMs === 0 ? '' : ', post-only at first'}`,
  oracle_missing: ({ reportedMinutes, minutes }) => `prices in ${reportedMinutes} of ${minutes} minutes of a day`,
  sub_account_created: ({ subAccountIndex }) => `number ${subAccountIndex}`,
  parameter_changed: ({ marketId, parameter, newValue }, markets) =>
    `${parameter}${marketId === null ? '' : ` of ${markets.name(marketId)}`} is ${newValue}`,
  proposed: ({ marketId, parameter, newValue, activationHeight }, markets) =>
    `${parameter}${marketId === null ? '' : ` of ${markets.name(marketId)}`} to be ${newValue} in block ${formatInteger(activationHeight)}`,
  voted: ({ yes, yesPower, totalPower }) =>
    `${yes ? 'yes' : 'no'}, ${formatInteger(yesPower)} of ${formatInteger(totalPower)} say yes`,
  proposal_passed: ({ activationHeight }) => `made in block ${formatInteger(activationHeight)}`,
  proposal_ended: ({ reason }) => wordsOf(reason),
  market_status_set: ({ marketId, status, settlementPrice }, markets) =>
    `${markets.name(marketId)}: ${wordsOf(status)}${settlementPrice === null ? '' : ` at ${markets.price(marketId, settlementPrice)}`}`,
  position_settled: ({ marketId, size, amount }, markets) =>
    `${markets.size(marketId, size)} in ${markets.name(marketId)} for ${amountText(amount)}`,
  loss_settled: ({ marketId, amount, price }, markets) =>
    `${amountText(amount)} of an open loss in ${markets.name(marketId)}, at ${markets.price(marketId, price)}`,
  transfer_queued: transferWords,
  transfer_completed: transferWords,
  transfer_failed: (data) => `${transferWords(data)}: ${data.reason}`,
  joined: stakeWords,
  left: stakeWords,
  stake_changed: stakeWords,
  slashed: stakeWords,
  jailed: stakeWords,
  unjailed: stakeWords,
  signer_rotated: stakeWords,
};

const bad: readonly string[] = [
  'action_rejected',
  'transfer_failed',
  'slashed',
  'jailed',
  'bad_debt',
  'oracle_refused',
];
const warned: readonly string[] = ['liquidation', 'deleveraged', 'debt_covered', 'market_debt', 'left', 'oracle_stale'];
const good: readonly string[] = ['collateral_deposited', 'transfer_completed', 'joined', 'unjailed', 'faucet_used'];

function toneOf({ kind, data }: AnyEvent): DescribedEvent['tone'] {
  if (kind === 'trade') return (data as DomainEventData['trade']).side;
  if (bad.includes(kind)) return 'bad';
  if (warned.includes(kind)) return 'warn';
  return good.includes(kind) ? 'good' : 'plain';
}

/** In the order in which fields of all kinds are looked at: the one that an event is about first. */
const accountFields = [
  'owner',
  'account',
  'address',
  'taker',
  'maker',
  'from',
  'to',
  'counterparty',
  'agent',
  'validator',
];
const isAccount = (value: unknown): value is Address => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);

/** @param markets those that are known, for human units */
export function describeEvent(event: AnyEvent, markets: Markets): DescribedEvent {
  const { kind } = event;
  const data = event.data as unknown as Readonly<Record<string, unknown>>;
  const accounts = accountFields.map((field) => data[field]).filter(isAccount);
  return {
    title: wordsOf(kind),
    words: wordsFor(kind, data, textsOf(markets)),
    accounts: [...new Set(accounts)],
    tone: toneOf(event),
  };
}

function wordsFor(kind: string, data: Readonly<Record<string, unknown>>, markets: MarketTexts): string {
  // A newer node may send kinds that this page does not know.
  if (!Object.hasOwn(describers, kind))
    return Object.entries(data)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ');
  const describe = describers[kind as DomainEventKind] as (data: unknown, markets: MarketTexts) => string;
  return describe(data, markets);
}

/** Every kind of event that this page has words for. */
export const eventKinds = Object.keys(describers) as readonly DomainEventKind[];
