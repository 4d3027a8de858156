import { describe, expect, it } from '@jest/globals';
import type { ActionPayload } from '@prime/codec';
import { bytesToBigint } from '@prime/primitives';
import type { Draft } from '../draft.ts';
import { firstDrafts, scenarioOf } from '../testing/networks.ts';

/** Drafts of one kind at a size, with room for several lanes. */
const draftsOf = (kind: string, size: number, count: number, more = ''): Draft[] =>
  firstDrafts(scenarioOf([`kind = "${kind}"\nweight = 1`], `size = ${size}\naccounts = 8\n${more}`), count);

const actions = (drafts: readonly Draft[]) => drafts.flatMap((draft) => (draft.as === 'action' ? [draft] : []));
const ordersIn = (payload: ActionPayload): number =>
  payload.type === 'batch'
    ? payload.items.reduce((sum, item) => sum + ordersIn(item), 0)
    : payload.type === 'order'
      ? 1
      : 0;

/** How many orders each account had placed when a cancelAll of it came. */
function ordersPerEnd(drafts: readonly Draft[]): number[] {
  const open = new Map<string, number>();
  const ends: number[] = [];
  for (const { account, payload } of actions(drafts)) {
    if (payload.type !== 'cancelAll') open.set(account, (open.get(account) ?? 0) + ordersIn(payload));
    else {
      ends.push(open.get(account) ?? 0);
      open.delete(account);
    }
  }
  return ends;
}

describe('sizes of shapes', () => {
  it.each([1, 63, 64, 65, 1_000, 10_001])('cancel_all and burst at %d: so many orders end at once', (size) => {
    for (const kind of ['cancel_all', 'burst']) {
      const ends = ordersPerEnd(draftsOf(kind, size, 25_000));
      expect(ends.length).toBeGreaterThan(0);
      expect([kind, ...new Set(ends)]).toEqual([kind, size]);
    }
  });

  it.each([1, 19, 20, 21, 255, 4_097])(
    'sweep at %d: makers bring as many orders, and one taker wants all of them but a lot',
    (size) => {
      const drafts = actions(draftsOf('sweep', size, 3_000, 'markets = 1'));
      const first = drafts.findIndex(({ kind }) => kind === 'sweep');
      const makers = drafts.slice(0, first).filter(({ kind }) => kind === 'sweep/makers');
      expect(makers.reduce((sum, { payload }) => sum + ordersIn(payload), 0)).toBe(size);
      const takers = drafts.slice(first, first + 2).map(({ payload }) => payload);
      expect(takers).toMatchObject([
        { type: 'order', side: 'buy', size: BigInt(2 * size - 1), tif: 'ioc' },
        { type: 'order', side: 'buy', size: 1n, tif: 'fok' },
      ]);
    },
  );

  it('expire: the orders of an account end in one second, later than they are sent, those of all accounts in few', () => {
    const scenario = scenarioOf(['kind = "expire"\nweight = 1'], 'size = 65\naccounts = 8');
    const drafts = actions(firstDrafts(scenario, 24)).filter(({ kind }) => kind === 'expire/place');
    const ends = new Map<string, Set<number>>();
    for (const { account, payload } of drafts)
      if (payload.type === 'batch')
        for (const item of payload.items)
          if (item.type === 'order') ends.set(account, (ends.get(account) ?? new Set()).add(item.expiresAt));
    expect(ends.size).toBe(8);
    expect([...new Set([...ends.values()].flatMap((times) => [...times]))]).toEqual([1_790_000_020]);
    expect(drafts.reduce((sum, { payload }) => sum + ordersIn(payload), 0)).toBe(8 * 65);
  });

  it.each([1, 64, 1_001])('liquidate at %d: an account that has as many orders is liquidated', (size) => {
    const drafts = actions(draftsOf('liquidate', size, 25_000));
    const closed = drafts.flatMap(({ payload }) => (payload.type === 'liquidate' ? [payload.address] : []));
    expect(closed.length).toBeGreaterThan(1);
    expect(new Set(closed).size).toBe(closed.length);
    for (const address of closed) {
      const placed = drafts.filter(({ account, kind }) => account === address && kind === 'liquidate/place');
      expect(placed.reduce((sum, { payload }) => sum + ordersIn(payload), 0)).toBe(size);
    }
  });

  it.each([1, 64, 65])(
    'cascade at %d: each account is given collateral, buys, and is liquidated at one of the prices',
    (size) => {
      const drafts = actions(draftsOf('cascade', size, 25_000));
      const given = drafts.flatMap(({ payload }) => (payload.type === 'transfer' ? [payload.to] : []));
      const closed = drafts.flatMap(({ payload }) => (payload.type === 'liquidate' ? [payload.address] : []));
      expect(closed.length).toBeGreaterThanOrEqual(size);
      expect(closed.slice(0, size).toSorted()).toEqual(given.slice(0, size).toSorted());
    },
  );

  it.each([1, 65, 1_000, 1_001])(
    'bridge at %d: as many transfers wait, and as many dequeues as they need come then',
    (size) => {
      for (const [kind, type] of [
        ['bridge_out', 'withdraw'],
        ['bridge_in', 'enqueueEvmToOrders'],
      ] as const) {
        const drafts = actions(draftsOf(kind, size, 20_000));
        const queued = drafts.filter(({ payload }) => payload.type === type);
        const dequeues = drafts.filter(({ payload }) => payload.type === 'bridgeDequeue');
        // All but what the last rounds have queued.
        const rounds = Math.floor(dequeues.length / Math.ceil(size / 1_000));
        expect(queued.length).toBeGreaterThanOrEqual(rounds * size);
        expect(queued.length).toBeLessThan((rounds + 5) * size);
        const stuck = queued.filter(({ payload }) => payload.type === 'withdraw' && payload.to.endsWith('0100'));
        expect(stuck.length > 0).toBe(kind === 'bridge_out');
      }
    },
  );

  it.each([1, 64, 1_024])(
    'agent at %d: approved, they trade, and they are revoked; an account has 1024 of them at most',
    (size) => {
      const drafts = actions(draftsOf('agent', size, 40_000));
      const approved = new Map<string, Set<string>>();
      const revoked = new Set<string>();
      for (const { account, signer, payload } of drafts) {
        const agents = approved.get(account) ?? new Set();
        approved.set(account, agents);
        if (payload.type === 'approveAgent') agents.add(payload.agent);
        else if (payload.type === 'revokeAgent') revoked.add(payload.agent);
        else if (payload.type !== 'noop')
          expect([payload.type, agents.has(signer.address), revoked.has(signer.address)]).toEqual([
            payload.type,
            true,
            false,
          ]);
      }
      expect(Math.max(...[...approved.values()].map((agents) => agents.size))).toBeLessThanOrEqual(1_024);
      // The last agents of the last account stay, so that there is always somebody who may trade.
      expect(drafts.slice(-size - 1_000).some(({ kind }) => kind === 'agent/order' || kind === 'agent/cancel')).toBe(
        true,
      );
    },
  );

  it.each([1, 24_576, 24_577])('deploy at %d: init code gives back as many bytes', (size) => {
    const codes = draftsOf('deploy', size, 3).map((draft) =>
      draft.as === 'transaction' ? draft.data : '',
    ) as Uint8Array[];
    for (const code of codes) {
      expect(code.length).toBe(11 + size);
      expect(bytesToBigint(code.subarray(1, 4))).toBe(BigInt(size));
      // Code that begins with STOP is never refused for its first byte.
      expect(code[11]).toBe(0);
    }
    expect(new Set(codes.map((code) => code.join())).size).toBe(size === 1 ? 1 : 3);
  });

  it('many markets: as many as the size', () => {
    const scenario = scenarioOf(['kind = "order_gtc"\nweight = 1\nsize = 4'], 'markets = "size"\nsize = 65');
    const ids = actions(firstDrafts(scenario, 4_000)).flatMap(({ payload }) =>
      payload.type === 'order' ? [payload.marketId] : [],
    );
    expect(new Set(ids).size).toBe(65);
  });

  it('resting orders: about as many as the size, whatever comes and goes', () => {
    for (const size of [64, 1_000]) {
      const kinds = ['order_gtc', 'order_ioc', 'cancel', 'move'].map((kind) => `kind = "${kind}"\nweight = 1`);
      const drafts = actions(firstDrafts(scenarioOf(kinds, `size = ${size}\nmarkets = 1`), 30_000));
      const open = new Set<string>();
      for (const { payload } of drafts)
        for (const item of payload.type === 'batch' ? payload.items : [payload]) {
          if (item.type === 'order' && item.tif === 'gtc') open.add(item.clientId!);
          if (item.type === 'cancelByClientId') {
            // Nobody cancels what was not placed, or twice.
            expect(open.delete(item.clientId)).toBe(true);
          }
        }
      expect(open.size).toBeGreaterThan(size / 2);
    }
  });
});

describe('steps', () => {
  it('of a shape have so many operations of others between them as its time and the rate say', () => {
    const scenario = scenarioOf(['kind = "cancel_all"\nweight = 1'], 'size = 25\naccounts = 400\nstep_ms = 100');
    const drafts = actions(firstDrafts(scenario, 5_000, { rate: 2_000 }));
    const placedAt = new Map<string, number>();
    let seen = 0;
    for (const [turn, { account, payload }] of drafts.entries()) {
      if (payload.type === 'batch') placedAt.set(account, turn);
      if (payload.type !== 'cancelAll') continue;
      expect(turn - placedAt.get(account)!).toBeGreaterThanOrEqual(200);
      seen++;
    }
    expect(seen).toBeGreaterThan(1_000);
  });
});
