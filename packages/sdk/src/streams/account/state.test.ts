import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { alice, bob, deposited, fundingPaid, lossSettled } from '../../testing/node/events.ts';
import { TestChain } from '../../testing/node/testChain.ts';
import { TestMarket } from '../../testing/node/testMarket.ts';
import type { TestNode } from '../../testing/node/testNode.ts';
import { Signal } from '../../testing/node/until.ts';
import type { StreamError } from '../errors.ts';
import type { Streams } from '../streams.ts';
import { watchAccount } from '../watchAccount.ts';
import { compareLedgers, createLedger, type Ledger } from './ledger.ts';
import {
  type AccountChange,
  type AccountView,
  createLocalAccountState,
  type LocalAccountState,
  type LocalAccountStateParameters,
} from './state.ts';
import { useStreams } from '../../testing/node/useStreams.ts';

const { startNode: startPlain, streamsOf, closeAll } = useStreams();

async function startNode(market: TestMarket, head?: number): Promise<TestNode> {
  const node = await startPlain(market.chain, head);
  market.serve(node);
  return node;
}

interface Followed {
  readonly streams: Streams;
  readonly state: LocalAccountState;
  readonly errors: StreamError[];
  readonly changes: AccountChange[];
  readonly signal: Signal;
}

function follow(urls: readonly string[], parameters: Partial<LocalAccountStateParameters> = {}): Followed {
  const signal = new Signal();
  const [errors, changes]: [StreamError[], AccountChange[]] = [[], []];
  const streams = streamsOf(urls);
  const state = createLocalAccountState(streams, {
    address: alice,
    onError: signal.into(errors),
    onChange: (_, change) => {
      changes.push(change);
      signal.notify();
    },
    ...parameters,
  });
  return { streams, state, errors, changes, signal };
}

const ledgerOf = ({ blockNumber, collateral, positions, openOrders }: AccountView): Ledger =>
  createLedger(blockNumber ?? -1n, collateral, positions, openOrders);
const kindsOf = ({ changes }: Followed): string[] =>
  changes.map((change) => (change.kind === 'status' ? change.status : change.kind));

function marketOf(blocks: number): TestMarket {
  const market = new TestMarket(new TestChain());
  for (let block = 0; block < blocks; block++) market.block([0.1, 0.3, 0.9].slice(0, 1 + (block % 3)));
  return market;
}

describe('an account that is followed', () => {
  it('is read from the chain, sure, and then kept by blocks', async () => {
    const market = marketOf(6);
    const node = await startNode(market);
    const followed = follow([node.url]);
    expect(followed.state.current).toMatchObject({ status: 'syncing', blockNumber: null, fills: [] });
    const first = await followed.state.whenSure();
    expect(first).toMatchObject({ status: 'sure', blockNumber: 6n });
    expect(compareLedgers(ledgerOf(first), market.ledgerAt(6))).toEqual([]);
    market.block([0.3, 0.9]);
    node.show();
    await followed.signal.until(() => kindsOf(followed).includes('block'));
    const view = followed.state.current;
    expect(compareLedgers(ledgerOf(view), market.ledgerAt(7))).toEqual([]);
    expect([view.status, view.blockNumber, kindsOf(followed)]).toEqual(['sure', 7n, ['snapshot', 'sure', 'block']]);
    expect(followed.changes.at(-1)).toMatchObject({
      kind: 'block',
      blockNumber: 7n,
      fills: [{ liquidity: 'maker', side: 'sell', cause: 'order', tradeId: market.tradesBetween(7, 7)[0] }],
      orders: expect.arrayContaining([expect.objectContaining({ status: 'open', filled: 0n })]),
    });
    expect(followed.errors).toEqual([]);
  });

  it('has each fill once and in order and is the account of the chain, over any drops, changes of node and lag', async () => {
    let [drops, fills] = [0, 0];
    const choice = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1_000);
    const round = fc.record({
      blocks: fc.array(fc.array(choice, { maxLength: 4 }), { maxLength: 5 }),
      drop: fc.constantFrom('none', 'first', 'both', 'middle'),
      lag: fc.nat(3),
    });
    const property = fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 8 }), async (rounds) => {
      const market = marketOf(3);
      const [first, second] = [await startNode(market), await startNode(market)];
      const followed = follow([first.url, second.url], { reconcileBlocks: 3 });
      const start = Number((await followed.state.whenSure()).blockNumber);
      for (const { blocks, drop, lag } of rounds) {
        for (const [index, choices] of blocks.entries()) {
          market.block(choices);
          first.show();
          if (drop === 'middle' && index === 1) first.drop();
        }
        second.show(Math.max(second.head, market.chain.height - lag));
        if (drop === 'first' || drop === 'both') first.drop();
        if (drop === 'both') second.drop();
        if (drop !== 'none') drops++;
        // Some rounds go on while the one before is still made good.
        if (lag === 0) await followed.signal.until(() => followed.state.current.status === 'sure');
      }
      market.block([]);
      first.show();
      second.show();
      const { height } = market.chain;
      const isThere = (): boolean =>
        followed.state.current.status === 'sure' && (followed.state.current.blockNumber ?? 0n) >= BigInt(height - 1);
      // Heads are no changes: a listener of the connection hears of them.
      while (!isThere()) await new Promise((resolve) => setImmediate(resolve));
      const view = followed.state.current;
      expect(view.fills.map(({ tradeId }) => tradeId)).toEqual(market.tradesBetween(start + 1, height));
      expect(compareLedgers(ledgerOf(view), market.ledgerAt(height))).toEqual([]);
      expect(followed.errors.map(({ code }) => code).filter((code) => code !== 'STREAM_DISCONNECTED')).toEqual([]);
      fills += view.fills.length;
      await closeAll();
    });
    await fc.assert(property, { numRuns: 60 });
    expect(Math.min(drops, fills)).toBeGreaterThan(50);
  });

  it('is unsure while there is no connection, and sure when it was compared with the chain', async () => {
    const market = marketOf(2);
    const node = await startNode(market);
    const followed = follow([node.url]);
    await followed.state.whenSure();
    node.drop();
    await followed.signal.until(() => followed.state.current.status === 'unsure');
    market.block([0.1]);
    node.show();
    const asked = node.asked.filter((method) => method === 'primeorders_getAccount').length;
    const view = await followed.state.whenSure();
    expect(kindsOf(followed)).toEqual(['snapshot', 'sure', 'unsure', 'block', 'sure']);
    expect(node.asked.filter((method) => method === 'primeorders_getAccount').length).toBe(asked + 1);
    expect(compareLedgers(ledgerOf(view), market.ledgerAt(3))).toEqual([]);
  });

  it('that is not what the chain has says so, where, and takes the version of the chain', async () => {
    const market = marketOf(3);
    const node = await startNode(market);
    const followed = follow([node.url], { reconcileBlocks: 2 });
    await followed.state.whenSure();
    // A block of which the node tells nothing: it should not, and nobody can see it by the stream.
    node.tamper = (text) => (text.includes('"block_number":"0x4"') ? null : text);
    market.block([0.1, 0.3]);
    node.show();
    market.block([]);
    market.block([0.15]);
    node.show();
    await followed.signal.until(() => followed.errors.length > 0 && followed.state.current.status === 'sure');
    const after = market.ledgerAt(node.head);
    const { detail, isFatal } = followed.errors[0]!;
    if (detail.code !== 'STREAM_ACCOUNT_DISAGREES') throw followed.errors[0]!;
    const [money, order] = detail.differences;
    expect([followed.errors.length, isFatal, detail.address, detail.differences.length]).toEqual([1, false, alice, 2]);
    expect(money?.what === 'collateral' ? money.chain - money.local : money).toBe(101n);
    expect(order).toMatchObject({ what: 'order', local: null, chain: { size: 10n, createdBlock: 4n } });
    await followed.signal.until(() => compareLedgers(ledgerOf(followed.state.current), after).length === 0);
    expect(kindsOf(followed)).toContain('corrected');
  });

  it('whose collateral an event tells otherwise is compared at once', async () => {
    const market = marketOf(1);
    const node = await startNode(market);
    const followed = follow([node.url], { reconcileBlocks: null });
    const { collateral } = await followed.state.whenSure();
    node.tamper = (text) => (text.includes('"block_number":"0x2"') ? null : text);
    market.block([0.1]);
    node.show();
    market.chain.add([deposited(5n, collateral + 101n + 5n)]);
    node.show();
    await followed.signal.until(() => followed.errors.length > 0);
    expect(followed.errors[0]!.detail).toMatchObject({
      code: 'STREAM_ACCOUNT_DISAGREES',
      blockNumber: 3n,
      differences: [{ what: 'collateral', local: collateral + 5n, chain: collateral + 106n }],
    });
    await followed.signal.until(() => followed.state.current.status === 'sure');
    expect(kindsOf(followed).slice(-2)).toEqual(['unsure', 'sure']);
    expect(followed.state.current.collateral).toBe(market.ledgerAt(3).collateral);
  });

  it.each([
    [4n, 4, 6],
    [5n, 5, 6],
    [6n, 6, 6],
    [7n, 7, 6],
    [9n, 7, 6],
  ])(
    'is told with its fills from block %s on, to the newest of 6, and goes on behind it',
    async (fillsFrom, from, to) => {
      const market = new TestMarket(new TestChain());
      market.block([0.3]);
      for (let block = 1; block < 6; block++) market.block([0.3, 0.9]);
      const node = await startNode(market);
      const followed = follow([node.url], { fillsFrom });
      await followed.state.whenSure();
      const told = (fills: readonly { readonly tradeId: number | null }[]) => fills.map(({ tradeId }) => tradeId);
      const [snapshot] = followed.changes;
      expect(snapshot).toMatchObject({ kind: 'snapshot', blockNumber: 6n, gaps: [] });
      expect(told(snapshot?.kind === 'snapshot' ? snapshot.fills : [])).toEqual(market.tradesBetween(from, to));
      market.block([0.9]);
      node.show();
      await followed.signal.until(() => kindsOf(followed).includes('block'));
      expect(told(followed.state.current.fills)).toEqual(market.tradesBetween(Math.min(from, 7), 7));
    },
  );

  it('is told funding that was settled for it, of the past and as it comes', async () => {
    const market = marketOf(1);
    market.chain.add([fundingPaid(-5n), fundingPaid(-6n, bob)]);
    market.chain.add([fundingPaid(3n)]);
    const node = await startNode(market);
    const followed = follow([node.url], { fillsFrom: 2n });
    const { collateral } = await followed.state.whenSure();
    market.chain.add([fundingPaid(-2n), fundingPaid(9n, bob)]);
    node.show();
    await followed.signal.until(() => kindsOf(followed).includes('block'));
    const paid = (blockNumber: bigint, amount: bigint) =>
      expect.objectContaining({ blockNumber, marketId: 1, size: 10n, amount });
    expect(followed.changes.filter(({ kind }) => kind !== 'status')).toMatchObject([
      { kind: 'snapshot', funding: [paid(2n, -5n), paid(3n, 3n)] },
      { kind: 'block', fills: [], funding: [paid(4n, -2n)] },
    ]);
    expect([followed.state.current.collateral, followed.errors]).toEqual([collateral - 2n, []]);
  });

  it('has the entry and the collateral that a settled loss leaves, and nothing else is changed', async () => {
    const market = marketOf(3);
    const node = await startNode(market);
    const followed = follow([node.url], { reconcileBlocks: null });
    const { collateral, positions } = ledgerOf(await followed.state.whenSure());
    const { size, entry } = positions.get(1)!;
    market.chain.add([lossSettled(4n, entry - 4n)]);
    node.show();
    await followed.signal.until(() => kindsOf(followed).includes('block'));
    const after = ledgerOf(followed.state.current);
    expect([after.collateral, after.positions.get(1)]).toMatchObject([collateral - 4n, { size, entry: entry - 4n }]);
    expect(followed.changes.at(-1)).toMatchObject({ kind: 'block', fills: [], funding: [] });
    expect(followed.errors).toEqual([]);
  });

  it('says with the snapshot which of the wanted blocks nobody keeps, and fetches the others', async () => {
    const market = marketOf(1);
    for (let block = 0; block < 5; block++) market.block([0.3, 0.9]);
    const node = await startNode(market);
    node.oldest = 4;
    const followed = follow([node.url], { fillsFrom: 2n });
    const view = await followed.state.whenSure();
    const gap = { fromBlock: 2n, toBlock: 3n, reason: 'pruned', oldestBlock: 4n };
    expect(followed.changes[0]).toMatchObject({ kind: 'snapshot', gaps: [gap] });
    expect([view.gaps, view.fills.map(({ tradeId }) => tradeId)]).toEqual([[gap], market.tradesBetween(4, 6)]);
  });

  it('of which blocks are lost is read anew, and says which fills it lacks', async () => {
    const market = marketOf(3);
    const node = await startNode(market);
    const followed = follow([node.url]);
    await followed.state.whenSure();
    node.drop();
    for (let block = 0; block < 5; block++) market.block([0.3, 0.9]);
    node.show();
    node.oldest = 7;
    await followed.signal.until(() => kindsOf(followed).filter((kind) => kind === 'sure').length === 2);
    const view = followed.state.current;
    const gap = { fromBlock: 4n, toBlock: 8n, reason: 'pruned', oldestBlock: 7n };
    expect([view.gaps, view.fills]).toEqual([[gap], []]);
    expect(compareLedgers(ledgerOf(view), market.ledgerAt(8))).toEqual([]);
    expect(kindsOf(followed)).toEqual(['snapshot', 'sure', 'unsure', 'gap', 'snapshot', 'sure']);
    market.block([0.9]);
    node.show();
    await followed.signal.until(() => followed.state.current.fills.length === 1);
    expect(compareLedgers(ledgerOf(followed.state.current), market.ledgerAt(9))).toEqual([]);
  });

  it('that gets fees of all trades hears of all trades', async () => {
    const chain = new TestChain();
    const node = await startNode(new TestMarket(chain));
    node.methods['prime_getParameters'] = () => ({
      clob: { fees: { treasury: alice.toUpperCase().replace('0X', '0x') } },
    });
    const followed = follow([node.url], { reconcileBlocks: null });
    await followed.state.whenSure();
    const fees = { trade_id: 1, market_id: 1, taker: bob, taker_fee: 9n, maker: bob, maker_fee: 1n };
    chain.add([{ kind: 'trade_fees', data: { ...fees, insurance: 3n, treasury: 7n } }]);
    node.show();
    await followed.signal.until(() => followed.state.current.collateral !== 0n);
    expect(followed.state.current.collateral).toBe(7n);
  });

  it('keeps so many fills as it may, the newest', async () => {
    const market = marketOf(1);
    const node = await startNode(market);
    const followed = follow([node.url], { fillsMax: 3 });
    await followed.state.whenSure();
    for (let block = 0; block < 5; block++) market.block([0.3, 0.9]);
    node.show();
    await followed.signal.until(() => followed.changes.filter(({ kind }) => kind === 'block').length === 5);
    const ids = followed.state.current.fills.map(({ tradeId }) => tradeId);
    expect(ids).toEqual(market.tradesBetween(2, 6).slice(-3));
  });

  it('that was stopped, or whose streams were closed, is not sure any more', async () => {
    const market = marketOf(1);
    const node = await startNode(market);
    const [one, two] = [follow([node.url]), follow([node.url])];
    await one.state.whenSure();
    one.state.stop();
    expect(one.state.current.status).toBe('ended');
    await expect(one.state.whenSure()).rejects.toMatchObject({ code: 'STREAM_CLOSED' });
    const waiting = two.state.whenSure();
    two.streams.close();
    await expect(waiting).rejects.toMatchObject({ code: 'STREAM_CLOSED' });
  });

  it('tells its listeners, and goes on when one of them throws', async () => {
    const market = marketOf(1);
    const node = await startNode(market);
    const followed = follow([node.url]);
    const off = followed.state.onChange(() => {
      throw new Error('of a listener');
    });
    await followed.state.whenSure();
    expect(followed.errors.map(({ code, details }) => [code, details])).toEqual([
      ['STREAM_HANDLER_FAILED', 'of a listener'],
      ['STREAM_HANDLER_FAILED', 'of a listener'],
    ]);
    off();
    market.block([0.1]);
    node.show();
    await followed.signal.until(() => kindsOf(followed).includes('block'));
    expect(followed.errors.length).toBe(2);
  });

  it('is what watchAccount tells', async () => {
    const market = marketOf(4);
    const node = await startNode(market);
    const signal = new Signal();
    const views: AccountView[] = [];
    const unwatch = watchAccount(streamsOf([node.url]), {
      address: alice,
      onAccount: (account) => {
        views.push(account);
        signal.notify();
      },
    });
    await signal.until(() => views.at(-1)?.status === 'sure');
    expect(compareLedgers(ledgerOf(views.at(-1)!), market.ledgerAt(4))).toEqual([]);
    unwatch();
    expect(views.at(-1)?.status).toBe('ended');
  });
});
