import { describe, expect, it } from '@jest/globals';
import {
  type Address,
  bytesEqual,
  bytesToHex,
  compareBytes,
  createPrng,
  type MarketId,
  type OrderId,
} from '@prime/primitives';
import fc from 'fast-check';
import {
  type AccountRecord,
  accountRecordKey,
  agentRecordKey,
  checkNonce,
  decodeAccountRecord,
  closedOrdersRecordKey,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeTransferRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeTransferRecord,
  globalRecordKey,
  marketRecordKey,
  type NonceRecord,
  nonceRecordKey,
  nonceWindowSize,
  orderRecordKey,
  type PositionRecord,
  recordKind,
  recordNumber,
  transferRecordKey,
  useNonce,
  useNonceOf,
} from './clobRecords.ts';
import { marketDecimalsMax } from '../genesis/marketDecimals.ts';
import { closedOrderIds, decodeRestingOrder, namedClosedOrders } from './recordParts.ts';
import { orderEnds } from '../actions/orderEnds.ts';

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((value) => bytesToHex(value) as Address);
const alice = `0x${'a1'.repeat(20)}` as Address;
const bob = `0x${'b2'.repeat(20)}` as Address;
const marketId = fc.integer({ min: 1, max: 0xffffffff }).map((value) => value as MarketId);
const orderId = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((value) => value as OrderId);
const amount = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
const wei = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const signedWei = fc.bigInt({ min: -(1n << 256n) + 1n, max: (1n << 256n) - 1n });
const signedSize = fc.bigInt({ min: -(1n << 128n) + 1n, max: (1n << 128n) - 1n });
const counter = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const bps = fc.nat(10_000);
const decimals = fc.nat(marketDecimalsMax);
const margin = fc.record({ initialMarginBps: bps, maintenanceMarginBps: bps });
const positions = fc
  .uniqueArray(
    fc
      .record(
        { marketId, size: signedSize, entry: wei, fundingIndex: signedWei },
        { requiredKeys: ['marketId', 'size', 'entry'] },
      )
      .map((record): PositionRecord => record),
    {
      selector: (entry) => entry.marketId,
      maxLength: 5,
    },
  )
  .map((entries) => entries.toSorted((a, b) => a.marketId - b.marketId));

interface Kind<T> {
  readonly arbitrary: fc.Arbitrary<T>;
  encode(value: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}
const kind = <T>(name: string, definition: Kind<T>): readonly [string, Kind<unknown>] => [
  name,
  definition as Kind<unknown>,
];
const closedOrders = fc.record({
  height: fc.maxSafeNat(),
  orders: fc.array(
    fc.record({
      orderId,
      marketId,
      owner: address,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: amount,
      size: amount,
      tif: fc.constantFrom('gtc' as const, 'ioc' as const, 'fok' as const),
      end: fc.constantFrom(...orderEnds),
      filled: amount,
      remaining: amount,
      clientId: fc.option(fc.uint8Array({ minLength: 16, maxLength: 16 }).map(bytesToHex)),
      createdBlock: fc.maxSafeNat(),
      expiresAt: fc.maxSafeNat(),
    }),
    { maxLength: 3 },
  ),
});

const restingOrder = fc.record({
  orderId,
  marketId,
  owner: address,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: amount,
  size: amount,
  remaining: amount,
  tif: fc.constantFrom('gtc' as const, 'ioc' as const, 'fok' as const),
  postOnly: fc.boolean(),
  reduceOnly: fc.boolean(),
  selfTrade: fc.constantFrom(
    'cancel_maker' as const,
    'cancel_taker' as const,
    'cancel_both' as const,
    'decrement' as const,
  ),
  clientId: fc.option(fc.uint8Array({ minLength: 16, maxLength: 16 }).map(bytesToHex)),
  expiresAt: fc.maxSafeNat(),
  createdBlock: fc.maxSafeNat(),
});

const kinds = [
  kind('global', {
    arbitrary: fc.record(
      {
        nextOrderId: orderId,
        nextTradeId: counter,
        nextMarketId: marketId,
        nextTransferId: counter,
        insurance: wei,
        totalDeposits: wei,
        totalWithdrawals: wei,
        defaultMargin: margin,
        funding: fc.record({ interval: fc.maxSafeNat(), pool: signedWei, dust: wei }),
      },
      {
        requiredKeys: [
          'nextOrderId',
          'nextTradeId',
          'nextMarketId',
          'nextTransferId',
          'insurance',
          'totalDeposits',
          'totalWithdrawals',
          'defaultMargin',
        ],
      },
    ),
    encode: encodeGlobalRecord,
    decode: decodeGlobalRecord,
  }),
  kind('market', {
    arbitrary: fc.record(
      {
        marketId,
        symbol: fc.string({ maxLength: 32 }),
        tickSize: amount,
        lotSize: amount,
        baseDecimals: decimals,
        quoteDecimals: decimals,
        lastPrice: fc.option(amount),
        markPrice: fc.option(amount),
        margin: fc.option(margin),
        status: fc.constantFrom('open' as const, 'closed' as const),
        tradeBlocks: fc.nat(0xffffffff),
        riskTiers: fc.array(fc.record({ aboveNotional: wei, initialMarginBps: bps, maintenanceMarginBps: bps }), {
          minLength: 1,
          maxLength: 16,
        }),
        funding: fc.record({
          index: signedWei,
          change: signedWei,
          reference: fc.option(wei),
          markSum: wei,
          markMs: fc.maxSafeNat(),
          countedMs: fc.maxSafeNat(),
        }),
      },
      {
        requiredKeys: [
          'marketId',
          'symbol',
          'tickSize',
          'lotSize',
          'baseDecimals',
          'quoteDecimals',
          'lastPrice',
          'markPrice',
          'margin',
          'status',
          'tradeBlocks',
        ],
      },
    ),
    encode: encodeMarketRecord,
    decode: decodeMarketRecord,
  }),
  kind('transfer', {
    arbitrary: fc.record({
      transferId: counter,
      direction: fc.constantFrom('orders_to_evm' as const, 'evm_to_orders' as const),
      from: address,
      to: address,
      amount: wei,
      createdBlock: fc.maxSafeNat(),
    }),
    encode: encodeTransferRecord,
    decode: decodeTransferRecord,
  }),
  kind('closed orders', {
    arbitrary: closedOrders,
    encode: encodeClosedOrdersRecord,
    decode: decodeClosedOrdersRecord,
  }),
  kind('order', {
    arbitrary: restingOrder,
    encode: encodeOrderRecord,
    decode: decodeOrderRecord,
  }),
  kind('account', {
    arbitrary: fc.record({ address, collateral: signedWei, locked: fc.boolean(), positions }),
    encode: encodeAccountRecord,
    decode: decodeAccountRecord as (value: Uint8Array) => never,
  }),
  kind('nonce', {
    arbitrary: fc.record({
      signer: address,
      newest: fc.maxSafeNat(),
      used: fc.uint8Array({ minLength: 512, maxLength: 512 }),
    }),
    encode: encodeNonceRecord,
    decode: decodeNonceRecord,
  }),
  kind('agent', {
    arbitrary: fc.record({
      account: address,
      agent: address,
      expiry: fc.maxSafeNat(),
      permissions: fc.nat(),
      name: fc.string({ maxLength: 64 }),
      revoked: fc.boolean(),
    }),
    encode: encodeAgentRecord,
    decode: decodeAgentRecord,
  }),
] as const;

describe('records of the order book domain', () => {
  it.each(kinds)(
    '%s: any record survives encoding, and its bytes are canonical',
    (_name, { arbitrary, encode, decode }) => {
      fc.assert(
        fc.property(arbitrary, fc.nat(), fc.nat(255), (record, place, byte) => {
          const bytes = encode(record);
          expect(decode(bytes)).toEqual(record);
          bytes[place % bytes.length] = byte;
          let decoded: unknown;
          try {
            decoded = decode(bytes);
          } catch (error) {
            expect(String((error as { code?: string }).code)).toMatch(/^CODEC_/);
            return;
          }
          expect(encode(decoded)).toEqual(bytes);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('parts of orders are those of whole ones', () => {
    fc.assert(
      fc.property(restingOrder, closedOrders, (order, closed) => {
        expect(encodeOrderRecord({ ...order, ...decodeRestingOrder(encodeOrderRecord(order)) })).toEqual(
          encodeOrderRecord(order),
        );
        expect(order).toMatchObject(decodeRestingOrder(encodeOrderRecord(order)));
        const record = encodeClosedOrdersRecord(closed);
        expect(closedOrderIds(record)).toEqual(closed.orders.map((each) => each.orderId));
        const named = closed.orders.flatMap((each, place) => (each.clientId === null ? [] : [{ place, order: each }]));
        expect(namedClosedOrders(record)).toEqual(named);
      }),
    );
  });

  it('positions out of order or twice are refused', () => {
    const position = (id: number): AccountRecord['positions'][number] => ({
      marketId: id as MarketId,
      size: 1n,
      entry: 1n,
    });
    const encode = (...ids: number[]): Uint8Array =>
      encodeAccountRecord({ address: alice, collateral: 0n, locked: false, positions: ids.map(position) });
    expect(decodeAccountRecord(encode(1, 2)).positions).toHaveLength(2);
    for (const ids of [
      [2, 1],
      [1, 1],
    ])
      expect(() => decodeAccountRecord(encode(...ids))).toThrow(/ascending/);
  });

  it('a key tells its kind and its number, and keys sort by kind, then number', () => {
    const ids = [1, 2, 255, 256, 65_536, 0xffffffff];
    const keys = [
      globalRecordKey(),
      ...ids.map((id) => marketRecordKey(id as MarketId)),
      ...[...ids, 2 ** 32, Number.MAX_SAFE_INTEGER].map((id) => orderRecordKey(id as OrderId)),
      accountRecordKey(alice),
      accountRecordKey(bob),
      nonceRecordKey(alice),
      agentRecordKey(alice, bob),
      ...[1, 256].map(transferRecordKey),
      ...[0, 256].map(closedOrdersRecordKey),
    ];
    expect(keys.toSorted(compareBytes)).toEqual(keys);
    expect(keys.map(recordKind)).toEqual([
      'global',
      ...ids.map(() => 'market'),
      ...[...ids, 0, 0].map(() => 'order'),
      'account',
      'account',
      'nonce',
      'agent',
      'transfer',
      'transfer',
      'closedOrders',
      'closedOrders',
    ]);
    expect(recordNumber(orderRecordKey(Number.MAX_SAFE_INTEGER as OrderId))).toBe(Number.MAX_SAFE_INTEGER);
    expect(recordNumber(marketRecordKey(7 as MarketId))).toBe(7);
    for (const bad of [new Uint8Array(0), Uint8Array.of(6), Uint8Array.of(1), new Uint8Array(22).fill(3)])
      expect(() => recordKind(bad)).toThrow(/record key/);
  });
});

describe('nonce window', () => {
  it('accepts each nonce once, and those too far below the newest never: against a set of all used ones', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const prng = createPrng(seed);
      let record: NonceRecord | null = null;
      let newest = -1;
      const used = new Set<number>();
      let next = prng.below(100_000);
      for (let step = 0; step < 400; step++) {
        if (prng.chance(1, 3)) next += prng.chance(1, 20) ? prng.below(3 * nonceWindowSize) : prng.below(40);
        const nonce = Math.max(0, next - prng.below(prng.chance(1, 10) ? 2 * nonceWindowSize : 60));
        const expected =
          newest >= 0 && nonce <= newest - nonceWindowSize ? 'too_old' : used.has(nonce) ? 'used' : 'fresh';
        expect([seed, step, nonce, checkNonce(record, nonce)]).toEqual([seed, step, nonce, expected]);
        if (expected !== 'fresh') continue;
        const before: NonceRecord | null = record;
        const copy = before?.used.slice();
        record = useNonce(before, alice, nonce);
        expect(before === null || bytesEqual(before.used, copy!)).toBe(true);
        if (before !== null) expect(useNonceOf({ ...before, used: copy! }, nonce)).toEqual(record);
        used.add(nonce);
        newest = Math.max(newest, nonce);
        expect(record.newest).toBe(newest);
      }
    }
  });
});
