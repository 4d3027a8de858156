import {
  decodeRlp,
  encodeRlp,
  type OrderName,
  orderNameBytes,
  type RlpItem,
  type Side,
  statePrefix,
} from '@prime/codec';
import {
  type Address,
  assert,
  bigintToBytes,
  bigintToNumber,
  bytesToBigint,
  concatBytes,
  hexToBytes,
} from '@prime/primitives';

/**
 * What contracts ask the order book that its records do not hold as it stands, as entries of their own. All of them follow from the
 * records, so they are no part of the orders root.
 */
const viewKind = { level: 0, openOrders: 1, clientOrder: 2 } as const;

const [prefixBytes, marketBytes, priceBytes] = [2, 4, 16];
const priceLimit = 1n << 128n;

/** b 00 | market | side | price, of bids from above, so that the best level of a side comes first → base units. */
export function levelKey(marketId: number, side: Side, price: bigint): Uint8Array {
  const key = new Uint8Array(prefixBytes + marketBytes + 1 + priceBytes);
  key.set(levelPrefix(marketId, side));
  const bytes = bigintToBytes(side === 'buy' ? priceLimit - 1n - price : price);
  key.set(bytes, key.length - bytes.length);
  return key;
}

/** Beginning of the keys of a side. */
export function levelPrefix(marketId: number, side: Side): Uint8Array {
  const key = new Uint8Array(prefixBytes + marketBytes + 1);
  key.set([statePrefix.orderView, viewKind.level]);
  new DataView(key.buffer).setUint32(prefixBytes, marketId);
  key[key.length - 1] = side === 'buy' ? 0 : 1;
  return key;
}

/** Wei per base unit. */
export function priceOfLevelKey(key: Uint8Array, side: Side): bigint {
  const value = bytesToBigint(key.subarray(key.length - priceBytes));
  return side === 'buy' ? priceLimit - 1n - value : value;
}

/** What the open orders of an account in one market add up to: base units, and wei of remaining times limit. */
export interface OpenOrderSums {
  readonly marketId: number;
  readonly buySize: bigint;
  readonly buyNotional: bigint;
  readonly sellSize: bigint;
  readonly sellNotional: bigint;
}

/** b 01 | address → rlp of the account's {@link OpenOrderSums}, ascending by market. */
export const openOrdersKey = (owner: Address): Uint8Array => viewKey(viewKind.openOrders, hexToBytes(owner));

/** Value under {@link openOrdersKey}. */
export const encodeOpenOrders = (sums: readonly OpenOrderSums[]): Uint8Array =>
  encodeRlp(sums.map((one) => [one.marketId, one.buySize, one.buyNotional, one.sellSize, one.sellNotional]));

/** Undoes {@link encodeOpenOrders}. @throws InvariantError when it is no such value */
export const decodeOpenOrders = (bytes: Uint8Array): OpenOrderSums[] =>
  listOf(decodeRlp(bytes)).map((item) => {
    const [marketId, buySize, buyNotional, sellSize, sellNotional] = listOf(item).map(integerOf) as [
      bigint,
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    return { marketId: bigintToNumber(marketId), buySize, buyNotional, sellSize, sellNotional };
  });

/** The numbers that orderByClientId answers with. */
export const orderStatus = { unknown: 0, open: 1, filled: 2, cancelled: 3, rejected: 4 } as const;

/** The latest order that an owner gave a name. */
export interface ClientOrder {
  /** 0 for one that was rejected. */
  readonly orderId: number;
  readonly status: number;
  /** Base units; of an open order its record knows. */
  readonly filled: bigint;
  /** Of the block that closed or rejected it; 0 while it is open. */
  readonly height: number;
}

/** b 02 | address | client id → rlp of {@link ClientOrder}. */
export const clientOrderKey = (name: OrderName): Uint8Array => viewKey(viewKind.clientOrder, orderNameBytes(name));

/** Value under {@link clientOrderKey}. */
export const encodeClientOrder = ({ orderId, status, filled, height }: ClientOrder): Uint8Array =>
  encodeRlp([orderId, status, filled, height]);

/** Undoes {@link encodeClientOrder}. @throws InvariantError when it is no such value */
export function decodeClientOrder(bytes: Uint8Array): ClientOrder {
  const [orderId, status, filled, height] = listOf(decodeRlp(bytes)).map(integerOf) as [bigint, bigint, bigint, bigint];
  const number = bigintToNumber;
  return { orderId: number(orderId), status: number(status), filled, height: number(height) };
}

const viewKey = (kind: number, named: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(statePrefix.orderView, kind), named);

function listOf(item: RlpItem): readonly RlpItem[] {
  assert(Array.isArray(item), 'a view of the order book has bytes where a list belongs');
  return item as readonly RlpItem[];
}

function integerOf(item: RlpItem): bigint {
  assert(!Array.isArray(item), 'a view of the order book has a list where bytes belong');
  return bytesToBigint(item as Uint8Array);
}
