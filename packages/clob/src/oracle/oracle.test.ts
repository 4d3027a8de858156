import { describe, expect, it } from '@jest/globals';
import {
  type ActionResult,
  type ClobParams,
  defaultOracle,
  type DomainEvent,
  type OracleParams,
  type ReportedPrice,
} from '@prime/codec';
import type { Address, TimestampMs } from '@prime/primitives';
import type { OracleSet } from '../ports.ts';
import {
  addressOf,
  alice,
  bob,
  carol,
  createHarness,
  defaultMarkets,
  type Harness,
  marketId,
  order,
  startMs,
  type Step,
} from '../testing/harness.ts';

const params = { ...defaultOracle, eventBps: 0 };
const validators = [1, 2, 3].map((index) => addressOf(0xab0 + index));
const keyOf = (validator: Address): Address => addressOf(Number(BigInt(validator)) + 0x1000);
const oracle: OracleSet = {
  precisionMs: 500,
  reporters: validators.map((validator) => ({ validator, keys: [keyOf(validator)], power: 1n })),
};
/** Market 2 has an oracle, market 1 has none. */
const markets = defaultMarkets.map((market, index) => (index === 1 ? { ...market, oracle: true } : market));

const create = (more: Partial<OracleParams> = {}, rules: Partial<ClobParams> = {}): Harness =>
  createHarness({ params: { oracle: { ...params, ...more }, ...rules }, markets, oracle });

const report = (
  validator: Address,
  price: bigint | readonly ReportedPrice[],
  observedAtMs: number,
  more: Partial<Step> = {},
): Step => ({
  account: validator,
  payload: {
    type: 'oracleReport',
    observedAtMs: observedAtMs as TimestampMs,
    prices: typeof price === 'bigint' ? [{ marketId: marketId(2), price }] : price,
  },
  signer: keyOf(validator),
  signatureKind: 'raw',
  ...more,
});

const codeOf = (result: ActionResult | undefined): string | null => (result?.ok === false ? result.error.code : null);
const indexOf = (harness: Harness): bigint | null => harness.state.market(2)!.oracle!.index;
const told = (harness: Harness): readonly string[] => harness.events().map(({ kind }: DomainEvent) => kind);

/** A block in which all validators tell a price, and the block after it. */
function agree(harness: Harness, price: bigint, atMs: number): void {
  harness.block(
    validators.map((validator) => report(validator, price, atMs)),
    atMs,
  );
  harness.block([], atMs + 1);
}

describe('a report of prices', () => {
  it.each<[string, (at: number) => Step, string | null]>([
    ['of the validator’s key', (at) => report(validators[0]!, 100n, at), null],
    [
      'of another validator’s key',
      (at) => report(validators[0]!, 100n, at, { signer: keyOf(validators[1]!) }),
      'CLOB_NOT_A_REPORTER',
    ],
    [
      'of the owner itself',
      (at) => report(validators[0]!, 100n, at, { signer: validators[0]! }),
      'CLOB_NOT_A_REPORTER',
    ],
    ['for somebody who is no validator', (at) => report(alice, 100n, at, { signer: alice }), 'CLOB_NOT_A_REPORTER'],
    [
      'that a gateway vouches for',
      (at) => report(validators[0]!, 100n, at, { signatureKind: 'gateway' }),
      'CLOB_NOT_A_REPORTER',
    ],
    ['as old as may be', (at) => report(validators[0]!, 100n, at - 10_000), null],
    ['one ms older', (at) => report(validators[0]!, 100n, at - 10_001), 'CLOB_BAD_REPORT'],
    ['as far ahead as clocks may be', (at) => report(validators[0]!, 100n, at + 500), null],
    ['one ms further', (at) => report(validators[0]!, 100n, at + 501), 'CLOB_BAD_REPORT'],
    ['of nothing', (at) => report(validators[0]!, [], at), 'CLOB_BAD_REPORT'],
    ['of 0', (at) => report(validators[0]!, 0n, at), 'CLOB_BAD_REPORT'],
    ['on no grid', (at) => report(validators[0]!, 1n, at), null],
    [
      'of a market without oracle',
      (at) => report(validators[0]!, [{ marketId: marketId(1), price: 5n }], at),
      'CLOB_BAD_REPORT',
    ],
    ['of no market', (at) => report(validators[0]!, [{ marketId: marketId(9), price: 5n }], at), 'CLOB_UNKNOWN_MARKET'],
    [
      'of a market twice',
      (at) =>
        report(
          validators[0]!,
          [1n, 2n].map((price) => ({ marketId: marketId(2), price })),
          at,
        ),
      'CLOB_BAD_REPORT',
    ],
  ])('%s', (_, step, code) => {
    const harness = create();
    const at = startMs + 60_000;
    const outcome = harness.block([step(at)], at);
    expect(codeOf(outcome.results[0])).toBe(code);
    expect(told(harness)).toEqual(code === null ? [] : ['oracle_refused']);
    const reported = [...harness.state.reporters.values()].filter(({ prices }) => prices.length > 0);
    expect(reported.length).toBe(code === null ? 1 : 0);
    // It says nothing about the validator's account.
    expect(harness.state.accountOf.has(validators[0]!)).toBe(false);
  });

  it('is taken once for each moment, and never for an earlier one', () => {
    const harness = create();
    const at = startMs + 60_000;
    const codes = [at, at, at - 1, at + 1].map((observed) =>
      codeOf(harness.block([report(validators[0]!, 100n, observed)], at).results[0]),
    );
    expect(codes).toEqual([null, 'CLOB_BAD_REPORT', 'CLOB_BAD_REPORT', null]);
  });

  it.each([255, 256, 257, 300])('may have told of %d markets in all, in parts', (count) => {
    const many = Array.from({ length: count }, (_, index) => ({
      ...defaultMarkets[1]!,
      symbol: `M${index + 1}/USD`,
      oracle: true,
    }));
    const harness = createHarness({ params: { oracle: params }, markets: many, oracle });
    const at = startMs + 60_000;
    const prices = many.map((_, index): ReportedPrice => ({ marketId: marketId(index + 1), price: BigInt(index + 1) }));
    const parts = [prices.slice(0, 200), prices.slice(200)];
    parts.forEach((part, index) => {
      const { results } = harness.block(
        validators.map((validator) => report(validator, part, at + index)),
        at + index,
      );
      expect(results.map(codeOf)).toEqual([null, null, null]);
    });
    harness.block([], at + 2);
    expect(harness.state.markets.map((market) => market.oracle!.index)).toEqual(prices.map(({ price }) => price));
    harness.restart();
    const record = harness.state.reporters.get(validators[0]!)!;
    expect(record.prices.length + record.earlier.length).toBe(count);
  });

  it.each([
    [(1n << 127n) - 1n, null],
    [1n << 127n, 'CLOB_BAD_REPORT'],
    [(1n << 128n) - 1n, 'CLOB_BAD_REPORT'],
  ] as const)('of %d leaves the mark what a record can hold, or is refused', (price, code) => {
    const harness = create({ premiumMaxBps: 10_000 });
    harness.deposit(alice, 1n << 140n);
    const { results } = harness.block(
      validators.map((validator) => report(validator, price, startMs + 10_000)),
      startMs + 10_000,
    );
    expect(results.map(codeOf)).toEqual([code, code, code]);
    // Far above the index, so that the premium goes as far as it may.
    harness.act(alice, order('buy', (1n << 128n) - 2n, 1n));
    harness.act(alice, order('sell', (1n << 128n) - 1n, 1n));
    harness.block([]);
    harness.restart();
    expect(harness.state.market(2)!.oracle!.index).toBe(code === null ? price : null);
  });

  it.each([
    ['a usual block', {}],
    ['a block that is told of the validators for its votes', { oracle }],
  ])('is not available where genesis has no oracle: %s', (_what, options) => {
    const harness = createHarness(options);
    expect(codeOf(harness.block([report(validators[0]!, 100n, startMs)], startMs).results[0])).toBe(
      'CLOB_NOT_A_REPORTER',
    );
  });
});

describe('an index', () => {
  it('needs more than two thirds of the power', () => {
    const harness = create();
    harness.block([report(validators[0]!, 100n, startMs), report(validators[1]!, 102n, startMs)], startMs);
    harness.block([], startMs + 1);
    expect(indexOf(harness)).toBeNull();
    harness.block([report(validators[2]!, 900n, startMs)], startMs + 2);
    harness.block([], startMs + 3);
    expect(indexOf(harness)).toBe(102n);
  });

  it('goes no further in a block than it may, and the rest in later ones', () => {
    const harness = create();
    agree(harness, 1_000n, startMs);
    agree(harness, 1_100n, startMs + 1_000);
    expect(indexOf(harness)).toBe(1_050n);
    harness.block([], startMs + 1_002);
    expect(indexOf(harness)).toBe(1_100n);
  });

  it.each([
    [1n, 2n],
    [19n, 20n],
    [39n, 40n],
    [40n, 42n],
  ])('of %d can move, however little its part is', (from, to) => {
    const harness = create();
    agree(harness, from, startMs);
    agree(harness, 10n * from, startMs + 1_000);
    expect(indexOf(harness)).toBe(to);
  });

  it('is stale when prices are older than they may be by one ms, and keeps its value', () => {
    const harness = create();
    agree(harness, 1_000n, startMs);
    harness.block([], startMs + 15_000);
    expect(told(harness)).toEqual([]);
    harness.block([], startMs + 15_001);
    expect(told(harness)).toEqual(['oracle_stale']);
    expect(indexOf(harness)).toBe(1_000n);
  });

  it.each<[string, number, bigint, boolean]>([
    ['after a short silence goes on at once', 75_000, 1_000n, false],
    ['after a silence that is as long as may be goes on at once', 75_001, 1_000n, false],
    ['after one that is longer is post-only at first', 75_002, 1_000n, true],
    ['that is as far off as may be goes on at once', 20_000, 1_100n, false],
    ['that is further off is post-only at first', 20_000, 1_101n, true],
  ])('%s', (_, silenceMs, price, waits) => {
    const harness = create();
    agree(harness, 1_000n, startMs);
    harness.block([], startMs + 15_001);
    // The median of a block counts at the begin of the next one.
    agree(harness, price, startMs + silenceMs - 1 + (silenceMs > 70_000 ? 0 : 1));
    const { resumesAtMs, staleSinceMs } = harness.state.market(2)!.oracle!;
    expect(staleSinceMs).toBeNull();
    expect(resumesAtMs > 0).toBe(waits);
    expect(told(harness)).toContain('oracle_resumed');
  });
});

describe('a market whose index is stale', () => {
  const buy = (size: bigint, more = {}) => order('buy', 1_000n, size, more);
  const sell = (size: bigint, more = {}) => order('sell', 1_000n, size, more);

  function withPosition(rules: Partial<ClobParams> = {}): Harness {
    const harness = create({}, rules);
    for (const account of [alice, bob, carol]) harness.deposit(account, 1_000_000n);
    agree(harness, 1_000n, startMs + 10_000);
    harness.act(alice, sell(10n));
    harness.act(bob, buy(10n));
    return harness;
  }

  it('takes orders that make a position smaller, and cancels', () => {
    const harness = withPosition();
    harness.act(carol, buy(30n));
    const resting = harness.state.globals.nextOrderId - 1;
    harness.block([], startMs + 60_000);
    expect(codeOf(harness.act(carol, sell(1n)))).toBe('CLOB_ORACLE_STALE');
    expect(codeOf(harness.act(bob, sell(11n)))).toBe('CLOB_ORACLE_STALE');
    expect(codeOf(harness.act(bob, buy(1n)))).toBe('CLOB_ORACLE_STALE');
    expect(codeOf(harness.act(bob, sell(4n)))).toBeNull();
    expect(codeOf(harness.act(bob, sell(100n, { tif: 'ioc', reduceOnly: true })))).toBeNull();
    expect(harness.state.accountOf.get(bob)!.exposures[0]!.size).toBe(0n);
    expect(codeOf(harness.act(carol, { type: 'cancel', orderId: resting as never }))).toBeNull();
    // Other markets go on.
    expect(codeOf(harness.act(carol, { ...order('buy', 100n, 10n), marketId: marketId(1) } as never))).toBeNull();
  });

  it('then takes post-only orders for a while, and then all', () => {
    const harness = withPosition();
    const at = startMs + 200_000;
    harness.block([], at - 100_000);
    agree(harness, 1_000n, at);
    expect(codeOf(harness.act(carol, buy(1n)))).toBe('CLOB_POST_ONLY_MARKET');
    expect(codeOf(harness.act(bob, sell(1n)))).toBe('CLOB_POST_ONLY_MARKET');
    expect(codeOf(harness.act(carol, buy(1n, { postOnly: true })))).toBeNull();
    agree(harness, 1_000n, at + 10_000);
    agree(harness, 1_000n, at + 20_000);
    expect(codeOf(harness.block([{ account: bob, payload: sell(1n) }], at + 30_000).results[0])).toBe(
      'CLOB_POST_ONLY_MARKET',
    );
    expect(codeOf(harness.block([{ account: bob, payload: sell(1n) }], at + 30_001).results[0])).toBeNull();
  });

  it('liquidates nobody, and does when its price is known again', () => {
    const harness = create({ maxMoveBps: 0 });
    harness.deposit(alice, 1_000_000n);
    harness.deposit(bob, 1_060n);
    agree(harness, 1_000n, startMs + 10_000);
    harness.act(alice, sell(10n));
    harness.act(bob, buy(10n));
    harness.act(alice, { type: 'cancelAll', marketId: null });
    const at = startMs + 11_000;
    agree(harness, 940n, at);
    harness.block([], at + 20_000);
    expect(harness.state.market(2)!.oracle!.staleSinceMs).not.toBeNull();
    expect(codeOf(harness.act(alice, { type: 'liquidate', address: bob }))).toBe('CLOB_NOT_LIQUIDATABLE');
    agree(harness, 940n, at + 21_000);
    harness.block([], at + 21_002);
    expect(codeOf(harness.act(alice, { type: 'liquidate', address: bob }))).toBeNull();
  });
});

describe('the mark of a market with an oracle', () => {
  it('is not moved by one side of the book by more than the premium may be', () => {
    const harness = create({}, { mark: { impactNotional: 0n, emaWeight: 64, maxMoveBps: 0, minTrades: 0 } });
    harness.deposit(alice, 10n ** 12n);
    agree(harness, 10_000n, startMs);
    for (let block = 0; block < 50; block++) harness.act(alice, order('buy', 20_000n + BigInt(block), 1n));
    expect(harness.state.market(2)!.markPrice).toBe(10_000n);
    harness.act(alice, order('sell', 30_000n, 1n));
    for (let block = 0; block < 50; block++) harness.block([]);
    expect(harness.state.market(2)!.markPrice).toBe(10_200n);
  });
});
