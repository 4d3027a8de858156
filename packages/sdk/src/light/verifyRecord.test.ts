import { describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  encodeAccountRecord,
  encodeGlobalRecord,
  encodeLevelRecord,
  encodeMarketRecord,
  encodeOrderPage,
  encodeOrderRecord,
  globalRecordKey,
  levelRecordKey,
  marketRecordKey,
  orderPageKey,
  orderPageOf,
} from '@prime/codec';
import { type Address, bytesToHex, hexToBytes, type MarketId, type OrderId } from '@prime/primitives';
import { expectTypeOf } from 'expect-type';
import fc from 'fast-check';
import { InvalidActionError } from '../errors/own.ts';
import { type Leaf, LightNetwork, LightState, startMs } from '../testing/lightNetwork.ts';
import { refusal } from '../testing/lightRefusal.ts';
import type { OrdersProof } from '../types/chain.ts';
import type { Hex } from '../types/primitives.ts';
import {
  type AccountRecord,
  type LevelRecord,
  type MarketRecord,
  type OrderRecord,
  type RecordReference,
  trustGenesis,
  verifyBlock,
  type VerifiedBlock,
  verifyRecord,
} from './index.ts';

const network = new LightNetwork();
const marketId = 3 as MarketId;
const alice = `0x${'a1'.repeat(20)}` as Address;
const stranger: Hex = `0x${'05'.repeat(20)}`;
const hex = (bytes: Uint8Array): Hex => bytesToHex(bytes) as Hex;

const orderOf = (id: number) => ({
  orderId: id as OrderId,
  marketId,
  owner: alice,
  side: 'buy' as const,
  price: 100n,
  size: 10n,
  remaining: 7n,
  tif: 'gtc' as const,
  postOnly: true,
  reduceOnly: false,
  selfTrade: 'cancel_maker' as const,
  clientId: `0x${'c1'.repeat(16)}`,
  expiresAt: 1_800_000_000,
  createdBlock: 4,
});
const page = (...ids: readonly number[]): Leaf => ({
  key: orderPageKey(orderPageOf(ids[0]!)),
  value: encodeOrderPage(ids.map((id) => encodeOrderRecord(orderOf(id)))),
});
const level = { marketId, side: 'buy', price: 100n, size: 14n } as const;
const account = {
  address: alice,
  collateral: -5n,
  locked: true,
  positions: [{ marketId, size: -2n, entry: 200n }],
};
const market = {
  marketId,
  symbol: 'ETH/USD',
  tickSize: 5n,
  lotSize: 2n,
  baseDecimals: 4,
  quoteDecimals: 18,
  lastPrice: 100n,
  markPrice: null,
  margin: null,
  status: 'trading' as const,
  tradeBlocks: 3,
};
const totals = {
  nextOrderId: 19 as OrderId,
  nextTradeId: 5,
  nextMarketId: 4 as MarketId,
  nextTransferId: 1,
  insurance: 6n,
  totalDeposits: 1_000n,
  totalWithdrawals: 7n,
  defaultMargin: { initialMarginBps: 1_000, maintenanceMarginBps: 500 },
};
const leaves: readonly Leaf[] = [
  { key: globalRecordKey(), value: encodeGlobalRecord(totals) },
  { key: marketRecordKey(marketId), value: encodeMarketRecord(market) },
  page(8, 11),
  page(16, 17, 18),
  { key: accountRecordKey(alice), value: encodeAccountRecord(account) },
  { key: levelRecordKey(level), value: encodeLevelRecord(level) },
];
const state = new LightState(leaves);

/** The verified block after a state. */
function blockAfter(of: LightState, chain = network): VerifiedBlock {
  const { parentResults } = chain.header(6);
  const header = { parentResults: { ...parentResults, stateRoot: of.stateRoot } };
  return verifyBlock(chain.genesis, { blocks: chain.block(6, { header }), nowMs: startMs + 60_000 });
}
const block = blockAfter(state);
const keys = {
  order: (id: number) => orderPageKey(orderPageOf(id)),
  account: (address: Hex) => accountRecordKey(address as string as Address),
  level: (side: 'buy' | 'sell', price: bigint) => levelRecordKey({ marketId, side, price }),
};
const proofOf = (key: Uint8Array): OrdersProof => state.proof(key, 5n);
const place = { blockNumber: 5n, blockHash: block.parentHash };
const absent = { ...place, present: false, record: null };

describe('a record that is proven', () => {
  it('an order that rests, whole, out of its page', () => {
    const verified = verifyRecord(block, { record: { orderId: 11 }, proof: proofOf(keys.order(11)) });
    const { expiresAt, createdBlock, ...order } = orderOf(11);
    expect(verified).toEqual({
      ...place,
      present: true,
      record: { ...order, filled: 3n, createdBlock: BigInt(createdBlock), expiresAtSeconds: expiresAt },
    });
    expectTypeOf(verified.record).toEqualTypeOf<OrderRecord | null>();
  });

  it('a price level, an account, a market, the totals', () => {
    const found = verifyRecord(block, {
      record: { market: marketId, side: 'buy', price: 100n },
      proof: proofOf(keys.level('buy', 100n)),
    });
    expect(found).toEqual({ ...place, present: true, record: level });
    expectTypeOf(found.record).toEqualTypeOf<LevelRecord | null>();

    const owner = verifyRecord(block, {
      record: { address: alice as string as Hex },
      proof: proofOf(keys.account(alice as string as Hex)),
    });
    expect(owner.record).toEqual(account);
    expectTypeOf(owner.record).toEqualTypeOf<AccountRecord | null>();

    const pair = verifyRecord(block, { record: { market: { marketId } }, proof: proofOf(marketRecordKey(marketId)) });
    const { margin, tradeBlocks, ...shown } = market;
    expect(pair.record).toEqual(shown);
    expect([margin, tradeBlocks]).toEqual([null, 3]);
    expectTypeOf(pair.record).toEqualTypeOf<MarketRecord | null>();

    const sums = verifyRecord(block, { record: { global: true }, proof: proofOf(globalRecordKey()) });
    expect(sums.record).toMatchObject({ insurance: 6n, totalDeposits: 1_000n, totalWithdrawals: 7n, nextOrderId: 19 });
  });

  it('an address counts in any letter case', () => {
    const record = { address: alice.toUpperCase().replace('0X', '0x') as Hex };
    expect(verifyRecord(block, { record, proof: proofOf(keys.account(alice as string as Hex)) }).present).toBe(true);
  });
});

describe('absence that is proven', () => {
  it.each([8, 9, 10, 15, 16, 19, 7, 24, 1, Number.MAX_SAFE_INTEGER])('of order %i, or that it is there', (orderId) => {
    const isThere = [8, 11, 16, 17, 18].includes(orderId);
    const verified = verifyRecord(block, { record: { orderId }, proof: proofOf(keys.order(orderId)) });
    expect(verified.present).toBe(isThere);
    if (!isThere) expect(verified).toEqual(absent);
  });

  it('of a level, an account and a market', () => {
    for (const [side, price] of [
      ['buy', 99n],
      ['buy', 101n],
      ['sell', 100n],
      ['buy', 0n],
      ['buy', 2n ** 128n - 1n],
    ] as const)
      expect(
        verifyRecord(block, { record: { market: marketId, side, price }, proof: proofOf(keys.level(side, price)) }),
      ).toEqual(absent);
    expect(verifyRecord(block, { record: { address: stranger }, proof: proofOf(keys.account(stranger)) })).toEqual(
      absent,
    );
    expect(verifyRecord(block, { record: { market: 4 }, proof: proofOf(marketRecordKey(4 as MarketId)) })).toEqual(
      absent,
    );
  });

  it('of everything, in a book without records', () => {
    // The trie stores no zero: a network always has its totals, so that its orders root is never zero.
    const lonely = new LightState([leaves[0]!]);
    const proof = lonely.proof(keys.order(8), 5n);
    expect(verifyRecord(blockAfter(lonely), { record: { orderId: 8 }, proof })).toMatchObject({ present: false });
  });
});

describe('a proof that lies', () => {
  const kindOf = (record: RecordReference, proof: OrdersProof, of = block): string =>
    refusal(() => verifyRecord(of, { record, proof })).kind;
  const honest = proofOf(keys.order(11));
  const record = { orderId: 11 } as const;
  const { accountProof: slots } = honest;
  const withSlot = (changes: Partial<OrdersProof['accountProof']>): OrdersProof => ({
    ...honest,
    accountProof: { ...slots, ...changes },
  });
  const storage = slots.storageProof[0]!;
  const page11 = honest.record!;
  const emptied = { key: page11.key, value: hex(page(8).value) };

  it('is more than one step, so that the test has what to tamper with', () => {
    expect(honest.steps.length).toBeGreaterThan(1);
    expect(slots.accountProof.length).toBe(2);
  });

  it.each([
    ['a page without the order', { ...honest, record: emptied }],
    ['a page with another remainder', { ...honest, record: { ...page11, value: flip(page11.value, 60) } }],
    [
      'the page of others under its key',
      { ...honest, record: { ...proofOf(keys.order(16)).record!, key: page11.key } },
    ],
    ['the leaf of others', { ...honest, record: proofOf(keys.order(16)).record }],
    ['no leaf', { ...honest, record: null }],
    ['a leaf with another key', { ...honest, record: { ...page11, key: hex(keys.order(24)) } }],
    ['one step less at the end', { ...honest, steps: honest.steps.slice(0, -1) }],
    ['one step less at the beginning', { ...honest, steps: honest.steps.slice(1) }],
    ['no steps', { ...honest, steps: [] }],
    ['a step twice', { ...honest, steps: [honest.steps[0]!, ...honest.steps] }],
    ['steps in another order', { ...honest, steps: honest.steps.toReversed() }],
    ['three children', mapStep((step) => ({ ...step, children: step.children.slice(1) }))],
    ['children in another order', mapStep((step) => ({ ...step, children: step.children.toReversed() }))],
    ['another depth', mapStep((step) => ({ ...step, depth: step.depth + 1 }))],
    ['a depth of more than two bytes', mapStep((step) => ({ ...step, depth: step.depth + 0x1_0000 }))],
    ['no nodes of the account', withSlot({ accountProof: [] })],
    ['one node of the account less', withSlot({ accountProof: slots.accountProof.slice(1) })],
    ['one node of the account more', withSlot({ accountProof: [...slots.accountProof, slots.accountProof[0]!] })],
    ['nodes of the slot in place of the account', withSlot({ accountProof: storage.proof })],
    ['no nodes of the slot', withSlot({ storageProof: [{ ...storage, proof: [] }] })],
    [
      'nodes of the account in place of the slot',
      withSlot({ storageProof: [{ ...storage, proof: slots.accountProof }] }),
    ],
  ] as const)('%s', (_, forged) => {
    expect(kindOf(record, forged)).toBe('wrong_proof');
  });

  it.each([
    ['no storage proof', withSlot({ storageProof: [] })],
    ['nodes that are no hex', withSlot({ accountProof: ['node' as Hex] })],
    ['children that are no hex', mapStep((step) => ({ ...step, children: ['0x', '0x', '0x', 'x' as Hex] }))],
    ['a leaf that is no hex', { ...honest, record: { key: '0x02' as Hex, value: 'value' as Hex } }],
    ['no steps at all', { ...honest, steps: undefined as never }],
  ])('%s: it can not be read', (_, forged) => {
    expect(kindOf(record, forged)).toBe('malformed');
  });

  function mapStep(change: (step: OrdersProof['steps'][number]) => OrdersProof['steps'][number]): OrdersProof {
    return { ...honest, steps: honest.steps.map((step, index) => (index === 1 ? change(step) : step)) };
  }

  it('is for another record: it shows no more than what lies on the way to the one that was asked for', () => {
    const address = alice as string as Hex;
    expect(kindOf({ orderId: 16 }, honest)).toBe('wrong_proof');
    expect(kindOf({ address }, honest)).toBe('wrong_proof');
    // The only account ends the way to every other one, so that one proof shows both.
    const shared = proofOf(keys.account(stranger));
    expect(verifyRecord(block, { record: { address }, proof: shared }).present).toBe(true);
    expect(verifyRecord(block, { record: { address: stranger }, proof: shared }).present).toBe(false);
  });

  it('says itself whether the record is there: nobody listens', () => {
    const lie = { ...honest, present: false, key: '0x00', stateRoot: `0x${'00'.repeat(32)}`, blockHash: '0x' } as const;
    expect(verifyRecord(block, { record, proof: lie }).present).toBe(true);
  });

  it('is of another state: a record from before is no record of now', () => {
    const before = new LightState(leaves.filter(({ key }) => key[0] !== 3));
    const address = alice as string as Hex;
    expect(kindOf({ address }, before.proof(keys.account(address), 5n))).toBe('wrong_proof');
    expect(
      verifyRecord(blockAfter(before), { record: { address }, proof: before.proof(keys.account(address), 5n) }).present,
    ).toBe(false);
  });

  it('is of another block than the one before: n - 1 and n + 1', () => {
    for (const blockNumber of [4n, 6n])
      expect(refusal(() => verifyRecord(block, { record, proof: { ...honest, blockNumber } }))).toMatchObject({
        kind: 'wrong_block',
        data: { blockNumber },
      });
  });

  it('of a level where genesis has none: absence would mean nothing', () => {
    const chain = new LightNetwork({ genesis: { clob: { ...network.genesis.clob, levelProofs: false } } });
    const without = blockAfter(state, chain);
    expect(trustGenesis(chain.genesis).levelProofs).toBe(false);
    const proof = proofOf(keys.level('buy', 101n));
    expect(kindOf({ market: marketId, side: 'buy', price: 101n }, proof, without)).toBe('levels_not_provable');
    expect(verifyRecord(without, { record: { orderId: 8 }, proof: proofOf(keys.order(8)) }).present).toBe(true);
  });

  it('any bit of any node flipped: refused, and never with another error', () => {
    const places: ((bit: number) => OrdersProof)[] = [
      ...slots.accountProof.map(
        (_, at) => (bit: number) =>
          withSlot({ accountProof: slots.accountProof.map((node, index) => (index === at ? flip(node, bit) : node)) }),
      ),
      ...storage.proof.map(
        (_, at) => (bit: number) =>
          withSlot({
            storageProof: [
              { ...storage, proof: storage.proof.map((node, index) => (index === at ? flip(node, bit) : node)) },
            ],
          }),
      ),
      ...honest.steps.flatMap((step, at) =>
        step.children.map((_, child) => (bit: number) => ({
          ...honest,
          steps: honest.steps.map((each, index) =>
            index === at
              ? { ...each, children: each.children.map((hash, of) => (of === child ? flip(hash, bit) : hash)) }
              : each,
          ),
        })),
      ),
      (bit) => ({ ...honest, record: { ...page11, value: flip(page11.value, bit) } }),
      (bit) => ({ ...honest, record: { ...page11, key: flip(page11.key, bit) } }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.nat(), (forge, bit) => {
        expect(['wrong_proof', 'malformed']).toContain(kindOf(record, forge(bit)));
      }),
      { numRuns: 400 },
    );
  });
});

function flip(text: Hex, bit: number): Hex {
  const bytes = hexToBytes(text);
  const at = bit % (bytes.length * 8);
  bytes[at >> 3]! ^= 1 << (at & 7);
  return hex(bytes);
}

describe('any state', () => {
  it('shows for every order what is in it', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 90 }),
        (ids, asked) => {
          const pages = new Map<number, number[]>();
          for (const id of ids.toSorted((a, b) => a - b))
            pages.set(orderPageOf(id), [...(pages.get(orderPageOf(id)) ?? []), id]);
          const any = new LightState([leaves[0]!, ...[...pages.values()].map((of) => page(...of))]);
          const header = { parentResults: { ...network.header(6).parentResults, stateRoot: any.stateRoot } };
          // What is verified of the block is not the subject here.
          const after = { ...block, parentStateRoot: header.parentResults.stateRoot as string as Hex };
          const shown = verifyRecord(after, { record: { orderId: asked }, proof: any.proof(keys.order(asked), 5n) });
          expect(shown.record?.orderId ?? null).toBe(ids.includes(asked) ? asked : null);
        },
      ),
    );
  });
});

describe('a reference that names nothing', () => {
  it.each([
    [{ orderId: 0 }, 'orderId'],
    [{ orderId: 1.5 }, 'orderId'],
    [{ address: '0x12' }, 'address'],
    [{ market: 0 }, 'market'],
    [{ market: 1, side: 'buy', price: -1n }, 'price'],
    [{ market: 1, side: 'buy', price: 2n ** 128n }, 'price'],
    [{ market: 1, side: 'up', price: 1n }, 'side'],
  ] as const)('%p', (reference, field) => {
    const attempt = () => verifyRecord(block, { record: reference as never, proof: proofOf(keys.order(8)) });
    expect(attempt).toThrow(InvalidActionError);
    expect(attempt).toThrow(field);
  });
});
