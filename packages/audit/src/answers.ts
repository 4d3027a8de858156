import { textOf } from '@prime/model';
import type { JudgedAction } from './audit.ts';
import { fromHex } from './rpc/call.ts';

/** What clients were told of their actions, against what the model made of the actions in the blocks. */

type Json = Readonly<Record<string, unknown>>;

/** Error object of a JSON-RPC 2.0 answer (section 5.1), as the node sent it. */
export interface JsonError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a client asked for and what it was told; `lost`: its node ended before, or did not know the outcome. */
export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly outcome:
    | { readonly kind: 'result'; readonly result: unknown }
    | { readonly kind: 'refused'; readonly error: JsonError }
    | { readonly kind: 'lost'; readonly reason: string };
}

const numberOf = (value: unknown): bigint => fromHex(String(value));

/** A trade of an answer in the model's words. */
export const tradeWords = (trade: Json): string => {
  const [id, size, price] = [trade['trade_id'], trade['size'], trade['price']].map(numberOf);
  const [maker, taker] = [trade['maker_order_id'], trade['taker_order_id']].map(numberOf);
  const fee = numberOf(trade['fee'] ?? trade['fees']);
  return `${id} ${size}@${price} ${maker}/${String(trade['maker'])} ${taker}/${String(trade['taker'])} ${String(trade['side'])} ${fee}`;
};

const numbers = (list: unknown): number[] => (list as unknown[]).map((entry) => Number(numberOf(entry)));

function orderOf(result: Json): unknown {
  return {
    type: 'order',
    id: Number(result['order_id']),
    filled: numberOf(result['filled']),
    remaining: numberOf(result['remaining']),
    trades: (result['trades'] as Json[]).map(tradeWords),
    status: result['status'],
  };
}

function batchItem(result: Json): unknown {
  if (result['error'] !== undefined) return 'refused';
  if (result['cancelled_orders'] !== undefined)
    return { type: 'cancelAll', orderIds: numbers(result['cancelled_orders']) };
  if (result['trades'] !== undefined) return orderOf(result);
  return { type: 'cancel', id: Number(result['order_id']), remaining: numberOf(result['remaining']) };
}

/** An answer in the model's form: what is left out of it is left out of the model's result too. */
interface Told {
  readonly type: string;
  /** Null where the method does not tell. */
  readonly account: string | null;
  readonly words: string;
}

function toldBy({ method, params, outcome }: Asked): Told | null {
  if (outcome.kind !== 'result') return null;
  const result = outcome.result as Json;
  const lower = (value: unknown): string => String(value).toLowerCase();
  switch (method) {
    case 'primeorders_submitOrder':
      return { type: 'order', account: lower((params[0] as Json)['owner']), words: textOf(orderOf(result)) };
    case 'primeorders_batch': {
      const results = (result['results'] as Json[]).map(batchItem);
      return { type: 'batch', account: lower(params[0]), words: textOf({ type: 'batch', results }) };
    }
    case 'primeorders_cancelOrder':
      return { type: 'cancel', account: null, words: textOf(Number(params[0])) };
    case 'primeorders_cancelAll':
      return { type: 'cancelAll', account: lower(params[0]), words: textOf(numbers(result['cancelled_orders'])) };
    case 'primeorders_depositCollateral':
      return { type: 'deposit', account: lower(params[0]), words: textOf(numberOf(result['collateral'])) };
    case 'primeorders_liquidate': {
      const { cancelled_orders: cancelled, collateral, bad_debt: debt } = result;
      const words = [numbers(cancelled), numberOf(collateral), numberOf(debt), positionsOf(result)];
      return { type: 'liquidate', account: null, words: textOf(words) };
    }
    case 'primebridge_enqueueEvmToOrders':
    case 'primebridge_enqueueOrdersToEvm': {
      const type = method.endsWith('ToEvm') ? 'withdraw' : 'enqueueEvmToOrders';
      return { type, account: lower((params[0] as Json)['from']), words: textOf(Number(result['transfer_id'])) };
    }
    case 'primebridge_dequeueEvmToOrders':
    case 'primebridge_dequeueOrdersToEvm': {
      const ids = (result['processed'] as Json[]).map((transfer) => Number(transfer['transfer_id']));
      return { type: 'bridgeDequeue', account: null, words: textOf([ids, Number(result['pending'])]) };
    }
    default:
      return null;
  }
}

const positionsOf = (result: Json): unknown =>
  (result['positions'] as Json[]).map((position) => [
    Number(position['market_id']),
    (position['trades'] as Json[]).map(tradeWords),
    numberOf(position['fee']),
    (position['adl'] as Json[]).map((other) => [other['address'], numberOf(other['size']), numberOf(other['value'])]),
  ]);

interface ModelPosition {
  readonly market: number;
  readonly trades: readonly string[];
  readonly fee: bigint;
  readonly adl: readonly { readonly address: string; readonly size: bigint; readonly value: bigint }[];
}

const orderWords = (value: unknown): unknown => {
  const { type, id, filled, remaining, trades, status } = value as Json;
  return { type, id, filled, remaining, trades, status };
};

const itemWords = (result: unknown): unknown => {
  if (typeof result === 'string') return 'refused';
  const { type, id, orderIds, remaining } = result as Json;
  if (type === 'order') return orderWords(result);
  return type === 'cancelAll' ? { type, orderIds } : { type, id, remaining };
};

/** The same part of the model's result that {@link toldBy} has of an answer. */
function modelWords(type: string, expected: unknown): string {
  const value = expected as Json;
  switch (type) {
    case 'order':
      return textOf(orderWords(value));
    case 'batch':
      return textOf({ type: 'batch', results: (value['results'] as unknown[]).map(itemWords) });
    case 'cancel':
    case 'withdraw':
    case 'enqueueEvmToOrders':
      return textOf(value['id']);
    case 'cancelAll':
      return textOf(value['orderIds']);
    case 'deposit':
      return textOf(value['collateral']);
    case 'liquidate': {
      const positions = (value['positions'] as ModelPosition[]).map(({ market, trades, fee, adl }) => [
        market,
        trades,
        fee,
        adl.map(({ address, size, value: paid }) => [address, size, paid]),
      ]);
      return textOf([value['cancelledOrders'], value['collateral'], value['badDebt'], positions]);
    }
    case 'bridgeDequeue':
      return textOf([value['ids'], value['pending']]);
    default:
      return '';
  }
}

const hashOf = ({ outcome }: Asked): string | null => {
  const from = outcome.kind === 'result' ? outcome.result : outcome.kind === 'refused' ? outcome.error.data : null;
  const hash = typeof from === 'object' && from !== null ? (from as Json)['hash'] : null;
  return typeof hash === 'string' ? hash : null;
};

/**
 * @returns a line for each answer that the blocks do not bear out: of an action that is in none, with other values than the model's, or given
 * to more callers than there were actions
 */
export function wrongAnswers(asked: readonly Asked[], actions: ReadonlyMap<string, JudgedAction>): string[] {
  const faults: string[] = [];
  const open = new Map<string, number>();
  for (const { type, account, expected } of actions.values()) {
    if (typeof expected === 'string') continue;
    for (const of of [account, null]) {
      const key = `${type} ${of} ${modelWords(type, expected)}`;
      open.set(key, (open.get(key) ?? 0) + 1);
    }
  }
  for (const one of asked) {
    const { method, params, outcome } = one;
    if (outcome.kind === 'lost') continue;
    const hash = hashOf(one);
    const what = `${method} ${textOf(params).slice(0, 200)} was answered ${textOf(outcome).slice(0, 400)}`;
    if (hash !== null) {
      const judged = actions.get(hash);
      if (judged === undefined) faults.push(`${what}, and is in no block`);
      else faults.push(...wrongAbout(one, judged).map((why) => `${what}, ${why}`));
      continue;
    }
    const told = toldBy(one);
    if (told === null) continue;
    const key = `${told.type} ${told.account} ${told.words}`;
    const left = open.get(key) ?? 0;
    if (left === 0) faults.push(`${what}, and no action in a block did so`);
    else open.set(key, left - 1);
  }
  return faults;
}

function wrongAbout(asked: Asked, judged: JudgedAction): string[] {
  const { outcome } = asked;
  const { expected, words, type, height } = judged;
  if (outcome.kind === 'refused') return wrongRefusal(outcome.error, judged);
  if (typeof expected === 'string') return [`the model refuses it in block ${height}: ${expected}`];
  const told = toldBy(asked);
  if (told === null || told.words === modelWords(type, expected)) return [];
  return [`the model in block ${height}: ${modelWords(type, expected).slice(0, 400)} ${words ?? ''}`];
}

function wrongRefusal({ message }: JsonError, { expected, words, height }: JudgedAction): string[] {
  if (typeof expected !== 'string') return [`the model does it in block ${height}`];
  return words === message ? [] : [`block ${height} has the words ${String(words)}`];
}
