import { describe, expect, it } from '@jest/globals';
import { type ActionPayload, decodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { cryptoProvider, recoverAddress } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import type { NetworkFacts, Operation } from '../../scenario/operation.ts';
import { FlowWriter } from '../flow/flowWriter.ts';
import { type Replay, replayOf, type ReplayOptions, type ReplayStep } from './replayOf.ts';
import { ReplayIds } from './replayIds.ts';

const provider = await cryptoProvider();
const plain = { postOnly: false, reduceOnly: false, selfTrade: 'cancel_maker' } as const;
const order = { type: 'order', market: 2, side: 'buy', price: '100', size: '9', tif: 'gtc', ...plain } as const;
const grid = { tick: '1', lot: '1' };
const facts: NetworkFacts = {
  chainId: 7919,
  timeMs: 1_000_000,
  baseFee: 7n,
  gasLimit: 30_000_000n,
  markets: [
    { symbol: 'PRM/USD', tickSize: 1n, lotSize: 1n },
    { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n },
  ],
  nonceOf: () => 0,
};
const inOrder = { facts, secret: 's', speed: null, keepsOrder: true, ownMarkets: false } as const;
const ids = new ReplayIds('s');

function flowOf(write: (writer: FlowWriter) => void): () => AsyncIterable<string> {
  const markets = [
    { market: 1, symbol: 'PRM/USD', ...grid },
    { market: 2, symbol: 'ETH/USD', ...grid },
  ];
  const writer = new FlowWriter({ source: { of: 'itch' }, beganMs: 0, markets });
  for (const name of ['a', 'b', 'c']) writer.account(name);
  write(writer);
  writer.end();
  const lines = writer.take();
  return async function* () {
    yield* lines;
  };
}

async function replay(
  write: (writer: FlowWriter) => void,
  options: Partial<ReplayOptions> = {},
): Promise<{ made: Replay; steps: ReplayStep[] }> {
  const made = await replayOf(flowOf(write), { ...inOrder, ...options });
  const steps: ReplayStep[] = [];
  for await (const step of made.steps()) steps.push(step);
  return { made, steps };
}

const signed = (operation: Operation) => {
  const [raw] = JSON.parse(operation.params) as [string];
  const transaction = decodeNativeTransaction(hexToBytes(raw));
  return { ...transaction, signer: recoverAddress(provider, nativeSigningDigest(transaction), transaction.signature) };
};
const payloadsOf = (steps: readonly ReplayStep[]): ActionPayload[] =>
  steps.flatMap((step) => step.sign(step.names.map(() => 77)).map((operation) => signed(operation).payload));

describe('replayOf', () => {
  it('gives every order a client id that says which one it is, and cancels by it', async () => {
    const { steps } = await replay(
      (writer) => {
        const line = writer.add({ kind: 'action', ms: 0, account: 0, action: order, outcome: { rests: '9' } });
        const removed = [{ order: `${line}`, account: 0, market: 2, reason: 'user' }];
        writer.add({
          kind: 'action',
          ms: 1,
          account: 0,
          action: { type: 'cancel', order: `${line}`, market: 2 },
          outcome: { removed },
        });
      },
      { keepsOrder: false },
    );
    const clientId = ids.clientId('5');
    expect(payloadsOf(steps)).toMatchObject([
      { type: 'order', marketId: 3, price: 100n, size: 9n, clientId, expiresAt: 0 },
      { type: 'cancelByClientId', marketId: 3, clientId },
    ]);
    expect(['5', '5.0', '5.17', '123456789'].map((ref) => ids.refOf(ids.clientId(ref)))).toEqual([
      '5',
      '5.0',
      '5.17',
      '123456789',
    ]);
    expect(ids.refOf(new ReplayIds('t').clientId('5'))).toBeNull();
  });

  it('keeps the order by one agent whose nonces rise, and by batches that do not only cancel', async () => {
    const { made, steps } = await replay((writer) => {
      for (const account of [0, 1, 0])
        writer.add({ kind: 'action', ms: 0, account, action: order, outcome: { rests: '9' } });
      const removed = [{ order: '5', account: 0, market: 2, reason: 'user' }];
      writer.add({
        kind: 'action',
        ms: 9,
        account: 0,
        action: { type: 'cancelAll', market: null },
        outcome: { removed },
      });
      writer.add({
        kind: 'network',
        ms: 9,
        did: [],
        outcome: { removed: [{ ...removed[0]!, order: '6', account: 1, reason: 'expired' }] },
      });
    });
    const sent = steps.flatMap((step) => step.sign([])).map(signed);
    const agent = made.plan.accounts.at(-1)!.address;
    expect(new Set(sent.map(({ signer }) => signer))).toEqual(new Set([agent]));
    expect(sent.map(({ account }) => account)).toEqual(
      [0, 1, 0, 0, 1].map((index) => made.plan.accounts[index]!.address),
    );
    expect(sent.map(({ nonce }) => nonce)).toEqual([1, 2, 3, 4, 5].map((step) => facts.timeMs + step));
    expect(sent.slice(3).map(({ payload }) => payload)).toEqual([
      { type: 'batch', items: [{ type: 'cancelAll', marketId: null }, { type: 'noop' }] },
      {
        type: 'batch',
        items: [{ type: 'cancelByClientId', marketId: 3, clientId: ids.clientId('6') }, { type: 'noop' }],
      },
    ]);
    expect(steps.map(({ dueMs }) => dueMs)).toEqual([0, 0, 0, 0, 0]);
    const approvals = made.plan.setup.find(({ name }) => name === 'agents')!.operations.map(signed);
    expect(approvals.map(({ signer, payload }) => [signer, payload])).toEqual(
      [0, 1].map((index) => [
        made.plan.accounts[index]!.address,
        { type: 'approveAgent', agent, expiry: 0, permissions: 3, name: 'replay' },
      ]),
    );
  });

  it('signs by the accounts themselves where the order is not kept, at the times of the flow by the speed', async () => {
    const { made, steps } = await replay(
      (writer) => {
        for (const [account, ms] of [
          [0, 0],
          [1, 500],
          [0, 1000],
        ] as const)
          writer.add({ kind: 'action', ms, account, action: order, outcome: { rests: '9' } });
      },
      { keepsOrder: false, speed: 10 },
    );
    const sent = steps.flatMap((step) => step.sign([])).map(signed);
    expect(sent.map(({ signer, account }) => signer === account)).toEqual([true, true, true]);
    expect(steps.map(({ dueMs }) => dueMs)).toEqual([0, 50, 100]);
    expect(made.plan.accounts).toHaveLength(3);
    expect(made.plan.setup.map(({ name }) => name)).toEqual(['collateral', 'markets']);
  });

  it('uses the target’s market of the same symbol and grid, and adds others behind those that it has', async () => {
    const write = (writer: FlowWriter) => {
      for (const market of [1, 2])
        writer.add({ kind: 'action', ms: 0, account: 0, action: { ...order, market }, outcome: { rests: '9' } });
    };
    const { made } = await replay(write);
    expect([...made.markets]).toEqual([
      [1, 1],
      [2, 3],
    ]);
    expect(made.plan.markets).toEqual(['PRM/USD', 'ETH/USD']);
    const [added] = made.plan.setup.find(({ name }) => name === 'markets')!.operations.map(signed);
    // The symbol is taken there, by a market of another grid.
    expect(added!.payload).toMatchObject({
      type: 'addMarket',
      tickSize: 1n,
      lotSize: 1n,
      symbol: expect.stringMatching(/^R[0-9a-f]{8}\.0\/USD$/),
    });
    const own = await replay(write, { ownMarkets: true });
    expect([...own.made.markets]).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('asks for the id of an order that shrinks, keeps its nonce for it, and leaves out what the target does not have', async () => {
    const { steps } = await replay((writer) => {
      writer.add({ kind: 'action', ms: 0, account: 1, action: order, outcome: { rests: '9' } });
      writer.add({
        kind: 'action',
        ms: 1,
        account: 1,
        action: { type: 'modify', order: '5', price: '100', size: '4' },
        outcome: {},
      });
      writer.add({ kind: 'action', ms: 2, account: 1, action: order, outcome: { rests: '9' } });
    });
    const [, shrink, last] = steps as [ReplayStep, ReplayStep, ReplayStep];
    expect(shrink.names).toMatchObject([{ clientId: ids.clientId('5') }]);
    const behind = signed(last.sign([])[0]!);
    expect(signed(shrink.sign([77])[0]!)).toMatchObject({
      nonce: behind.nonce - 1,
      payload: { type: 'modify', orderId: 77, price: 100n, size: 4n },
    });
    expect(shrink.sign([null])).toEqual([]);
  });

  it('splits a batch that has more items than one may have', async () => {
    const items = Array.from({ length: 100 }, () => order);
    const { steps } = await replay((writer) => {
      writer.add({
        kind: 'action',
        ms: 0,
        account: 0,
        action: { type: 'batch', items },
        outcome: { items: items.map(() => ({ rests: '9' })) },
      });
    });
    const batches = payloadsOf(steps).map((payload) => (payload.type === 'batch' ? payload.items.length : 0));
    expect(batches).toEqual([99, 1]);
  });

  it('sends transactions to what stands for the accounts and contracts of the flow', async () => {
    const [key, contract] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`];
    const word = (address: string) => `${'00'.repeat(12)}${address.slice(2)}`;
    const { made, steps } = await replay((writer) => {
      const [sender, created, shared, stranger] = [key, contract, `0x${'00'.repeat(19)}09`, `0x${'33'.repeat(20)}`].map(
        (name) => writer.account(name),
      ) as [number, number, number, number];
      const sent = { kind: 'transaction', ms: 0, account: sender, value: '3', gas: '90000' } as const;
      const ok = { status: 'ok', gasUsed: '1' } as const;
      writer.add({ ...sent, to: null, data: `0x6001${word(key)}`, outcome: { ...ok, created } });
      writer.add({
        ...sent,
        to: created,
        data: `0x01020304${word(key)}${word(contract)}${'ff'.repeat(32)}`,
        outcome: ok,
      });
      writer.add({ ...sent, to: shared, data: '0x', outcome: ok });
      writer.add({ ...sent, to: stranger, data: '0x01', outcome: ok });
      writer.add({ ...sent, to: stranger, data: '0x', outcome: ok });
    });
    const raws = steps.map((step) => (JSON.parse(step.sign([])[0]!.params) as [string])[0]);
    const own = made.plan.accounts[3]!.address.slice(2);
    expect(steps.map((step) => step.sign([])[0]!.kind)).toEqual([
      'deploy',
      'transaction',
      'transaction',
      'transaction',
    ]);
    expect(raws[0]).toContain(`6001${'00'.repeat(12)}${own}`);
    const call = /01020304(?:00){12}([0-9a-f]{40})(?:00){12}([0-9a-f]{40})ff/.exec(raws[1]!)!;
    expect(call[1]).toBe(own);
    // The contract that it names is the one that it is sent to.
    expect(raws[1]!.split(call[2]!)).toHaveLength(3);
    expect(call[2]).not.toBe(contract.slice(2));
    expect(raws[2]).toContain(`94${'00'.repeat(19)}09`);
    expect(raws[3]).not.toContain('33'.repeat(20));
    expect([...made.leftOut]).toEqual([['calls of contracts that the flow does not create', 1]]);
    expect(made.plan.accounts[3]!.wei).toBe(15n + 450_000n * (10n * facts.baseFee + 10n ** 9n));
  });

  it('is the same for the same secret, and another one for another', async () => {
    const write = (writer: FlowWriter) =>
      void writer.add({ kind: 'action', ms: 0, account: 0, action: order, outcome: { rests: '9' } });
    const paramsOf = async (secret: string) =>
      (await replay(write, { secret })).steps.map((step) => step.sign([])[0]!.params);
    expect(await paramsOf('s')).toEqual(await paramsOf('s'));
    expect(await paramsOf('s')).not.toEqual(await paramsOf('t'));
  });
});
