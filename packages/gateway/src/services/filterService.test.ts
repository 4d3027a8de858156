import { afterEach, describe, expect, it } from '@jest/globals';
import type { Log } from '@prime/codec';
import { type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { defaultRpcLimits, historyPruned, type LogQuery } from '@prime/rpc';
import fc from 'fast-check';
import { addressOf, type FakeTransaction, hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

const started: RunningGateway[] = [];
async function start(...settings: Parameters<typeof startGateway>): Promise<RunningGateway> {
  const running = await startGateway(...settings);
  started.push(running);
  return running;
}
afterEach(async () => {
  for (const { gateway } of started.splice(0)) await gateway.close();
});

const token = addressOf('token');
const transfer = hashOf('Transfer');
let counter = 0;
const log = (text: string, fields: Partial<Log> = {}): Log => ({
  address: token,
  topics: [transfer],
  data: utf8ToBytes(text),
  ...fields,
});
const transaction = (logs: readonly Log[]): FakeTransaction => ({
  raw: utf8ToBytes(`transaction ${++counter}`),
  from: addressOf('alice'),
  to: token,
  type: 2,
  effectiveGasPrice: 1n,
  logs,
});
const text = (data: string): string => Buffer.from(data.slice(2), 'hex').toString();
const dataOf = (logs: unknown): string[] => (logs as { data: string }[]).map(({ data }) => text(data));

/** Commits a block with the logs and tells the gateway. */
function commit({ node, gateway }: Pick<RunningGateway, 'node' | 'gateway'>, ...logs: readonly Log[]): Hash {
  const delta = node.commit({ transactions: logs.length === 0 ? [] : [transaction(logs)] });
  gateway.applyDelta(delta);
  return delta.hash;
}
const pendingOf = (names: readonly string[], missed = 0) => ({
  missed,
  transactions: names.map((name) => ({ hash: hashOf(name), transaction: null })),
});

describe('block filters', () => {
  it('tell each block since the last poll once, in order, whoever polls', async () => {
    const running = await start();
    commit(running);
    const id = await running.call('eth_newBlockFilter');
    expect(id).toMatch(/^0x[89a-f][0-9a-f]{31}$/);
    expect(await running.call('eth_getFilterChanges', id)).toEqual([]);
    const hashes = [commit(running), commit(running), commit(running)];
    expect(await running.call('eth_getFilterChanges', id)).toEqual(hashes);
    expect(await running.call('eth_getFilterChanges', id)).toEqual([]);
    const next = commit(running);
    const polls = await Promise.all(Array.from({ length: 8 }, () => running.call('eth_getFilterChanges', id)));
    expect(polls.flat()).toEqual([next]);
  });

  it('go on over many more blocks than are in memory, a bounded number per poll', async () => {
    const running = await start({ limits: { recentBlocks: 4, filterChangesMax: 7 } });
    const id = await running.call('eth_newBlockFilter');
    const hashes = Array.from({ length: 20 }, () => commit(running));
    const polls: unknown[][] = [];
    while (polls.flat().length < hashes.length)
      polls.push((await running.call('eth_getFilterChanges', id)) as unknown[]);
    expect(polls.flat()).toEqual(hashes);
    expect(polls.map((poll) => poll.length)).toEqual([7, 7, 6]);
  });
});

describe('log filters', () => {
  it('tell the logs of new blocks that match, and getFilterLogs all of the range', async () => {
    const running = await start();
    commit(running, log('old'));
    const id = await running.call('eth_newFilter', { fromBlock: '0x0', address: token, topics: [[transfer, null]] });
    commit(running, log('a'), log('other', { address: addressOf('other') }));
    commit(running, log('b'));
    expect(dataOf(await running.call('eth_getFilterChanges', id))).toEqual(['a', 'b']);
    expect(await running.call('eth_getFilterChanges', id)).toEqual([]);
    expect(dataOf(await running.call('eth_getFilterLogs', id))).toEqual(['old', 'a', 'b']);
  });

  it('begin and end where the filter says', async () => {
    const running = await start();
    const id = await running.call('eth_newFilter', { fromBlock: '0x2', toBlock: '0x3' });
    for (const name of ['1', '2', '3', '4']) commit(running, log(name));
    expect(dataOf(await running.call('eth_getFilterChanges', id))).toEqual(['2', '3']);
    const past = await running.call('eth_newFilter', { fromBlock: 'earliest', toBlock: '0x1' });
    commit(running, log('5'));
    expect(await running.call('eth_getFilterChanges', past)).toEqual([]);
    expect(dataOf(await running.call('eth_getFilterLogs', past))).toEqual(['1']);
  });

  it('by block hash bring no changes', async () => {
    const running = await start();
    const blockHash = commit(running, log('1'));
    const id = await running.call('eth_newFilter', { blockHash });
    commit(running, log('2'));
    expect(await running.call('eth_getFilterChanges', id)).toEqual([]);
    expect(dataOf(await running.call('eth_getFilterLogs', id))).toEqual(['1']);
  });

  it('refuse ranges that are upside down, and too many alternatives', async () => {
    const running = await start({ info: { limits: { ...defaultRpcLimits, filterAlternatives: 2 } } });
    for (const range of [
      { fromBlock: '0x5', toBlock: '0x4' },
      { fromBlock: '0x1', toBlock: 'earliest' },
    ])
      expect(await running.failure('eth_newFilter', range)).toMatchObject({ code: -32602 });
    commit(running);
    expect(await running.failure('eth_newFilter', { toBlock: '0x0' })).toMatchObject({ code: -32602 });
    expect(await running.failure('eth_newFilter', { address: [token, token, token] })).toMatchObject({
      code: -32005,
      data: { limit: 'filterAlternatives', maximum: 2 },
    });
  });

  it('tell every log exactly once, however blocks, polls and limits fall', async () => {
    const steps = fc.array(fc.oneof(fc.constant('poll'), fc.array(fc.nat(3), { maxLength: 5 })), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (plan, most, far) => {
          const running = await start({
            limits: { recentBlocks: 2, filterChangesMax: most, filterBlocksMax: far },
          });
          const id = await running.call('eth_newFilter', {});
          const expected: string[] = [];
          const told: string[] = [];
          const poll = async (): Promise<number> => {
            const logs = dataOf(await running.call('eth_getFilterChanges', id));
            expect(logs.length).toBeLessThanOrEqual(most);
            told.push(...logs);
            return logs.length;
          };
          for (const step of plan) {
            if (typeof step === 'string') {
              await poll();
              continue;
            }
            const names = step.map((value, index) => `${running.node.height}:${index}:${value}`);
            commit(running, ...names.map((name) => log(name)));
            expected.push(...names);
          }
          for (let height = 0; height <= running.node.height * 5; height++) await poll();
          expect(told).toEqual(expected);
          await running.gateway.close();
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('filters whose blocks are pruned meanwhile', () => {
  it('say so once, and go on with the blocks that come, although ever more are pruned', async () => {
    const running = await start({ limits: { recentBlocks: 2 } });
    const { call, failure, node } = running;
    const [blocks, logs] = [await call('eth_newBlockFilter'), await call('eth_newFilter', {})];
    let oldest = 0;
    /** As a node that prunes with each block: what is oldest at one poll is gone at the next. */
    const comes = (name: string): Hash => {
      oldest += 1;
      return commit(running, log(name));
    };
    for (let index = 1; index <= 9; index++) comes(`${index}`);
    const kept = <T>(height: number, read: () => T): T => {
      if (height < oldest) throw historyPruned(height as Height, oldest as Height);
      return read();
    };
    const { reader } = node.backends;
    const { block, logs: logsOf } = reader;
    Object.assign(reader, {
      block: async (key: { readonly height: Height }) => kept(key.height, () => block(key)),
      logs: async (query: LogQuery) => kept(query.fromHeight, () => logsOf(query)),
    });
    for (const filter of [blocks, logs])
      expect(await failure('eth_getFilterChanges', filter)).toMatchObject({ code: 4444, data: { oldest: '0x9' } });
    const next = [comes('10'), comes('11')];
    expect(await call('eth_getFilterChanges', blocks)).toEqual(next);
    expect(dataOf(await call('eth_getFilterChanges', logs))).toEqual(['10', '11']);
    expect(await call('eth_getFilterChanges', blocks)).toEqual([]);
  });
});

describe('filters of pending transactions', () => {
  it('listen while there is one, and tell hashes once', async () => {
    const { call, gateway, node } = await start();
    const first = await call('eth_newPendingTransactionFilter');
    gateway.applyPending(pendingOf(['a']));
    const second = await call('eth_newPendingTransactionFilter');
    gateway.applyPending(pendingOf(['b', 'c']));
    expect(await call('eth_getFilterChanges', first)).toEqual(['a', 'b', 'c'].map(hashOf));
    expect(await call('eth_getFilterChanges', second)).toEqual(['b', 'c'].map(hashOf));
    expect(await call('eth_getFilterChanges', first)).toEqual([]);
    await call('eth_uninstallFilter', first);
    expect(node.pendingDetails).toEqual(['hashes']);
    await call('eth_uninstallFilter', second);
    expect(node.pendingDetails).toEqual(['hashes', 'none']);
  });

  it('say once what was missed, and go on', async () => {
    const { call, failure, gateway } = await start({ limits: { pendingHashesMax: 3 } });
    const id = await call('eth_newPendingTransactionFilter');
    gateway.applyPending(pendingOf(['a', 'b', 'c', 'd', 'e']));
    expect(await failure('eth_getFilterChanges', id)).toMatchObject({
      code: -32005,
      message: '2 pending transactions since the last poll are gone, the limit is 3',
      data: { limit: 'pendingHashes', maximum: 3 },
    });
    expect(await call('eth_getFilterChanges', id)).toEqual(['c', 'd', 'e'].map(hashOf));
    gateway.applyPending(pendingOf(['g'], 1));
    expect(await failure('eth_getFilterChanges', id)).toMatchObject({ code: -32005 });
    expect(await call('eth_getFilterChanges', id)).toEqual([hashOf('g')]);
  });

  it('that could not be installed leave nothing behind', async () => {
    const { call, failure, node } = await start({ limits: { filtersMax: 1 } });
    node.backends.consensus.listenPending = () => Promise.reject(new Error('no room'));
    expect(await failure('eth_newPendingTransactionFilter')).toMatchObject({ code: -32603 });
    expect(await call('eth_newBlockFilter')).toMatch(/^0x/);
  });
});

describe('filters', () => {
  it('that do not exist are not found', async () => {
    const { call, failure } = await start();
    const missing = { code: -32000, message: 'filter not found' };
    for (const id of ['0x1', '0x', `0x${'ab'.repeat(16)}`]) {
      expect(await failure('eth_getFilterChanges', id)).toEqual(missing);
      expect(await failure('eth_getFilterLogs', id)).toEqual(missing);
      expect(await call('eth_uninstallFilter', id)).toBe(false);
    }
    const blocks = await call('eth_newBlockFilter');
    expect(await failure('eth_getFilterLogs', blocks)).toEqual(missing);
    expect(await call('eth_uninstallFilter', (blocks as string).toUpperCase().replace('X', 'x'))).toBe(true);
    expect(await failure('eth_getFilterChanges', blocks)).toEqual(missing);
    for (const id of [1, null, 'abc', { id: '0x1' }])
      expect(await failure('eth_getFilterChanges', id)).toMatchObject({ code: -32602 });
  });

  it('are bounded per client and together', async () => {
    const few = await start({ limits: { filtersPerClientMax: 2 } });
    await few.call('eth_newBlockFilter');
    const removed = await few.call('eth_newFilter', {});
    expect(await few.failure('eth_newBlockFilter')).toEqual({
      code: -32005,
      message: 'the client has 2 filters, the limit is 2',
      data: { limit: 'filtersPerClient', maximum: 2 },
    });
    await few.call('eth_uninstallFilter', removed);
    await few.call('eth_newBlockFilter');
    const all = await start({ limits: { filtersMax: 1 } });
    await all.call('eth_newBlockFilter');
    expect(await all.failure('eth_newFilter', {})).toMatchObject({ data: { limit: 'filters', maximum: 1 } });
  });

  it('that nobody asks are gone after a while, and make room', async () => {
    let now = 0;
    const running = await start({ limits: { filterIdleMs: 1000, filtersMax: 2 }, options: { nowMs: () => now } });
    const [used, idle] = [
      await running.call('eth_newBlockFilter'),
      await running.call('eth_newPendingTransactionFilter'),
    ];
    now = 999;
    await running.call('eth_getFilterChanges', used);
    now = 1000;
    expect(await running.failure('eth_getFilterChanges', idle)).toMatchObject({ message: 'filter not found' });
    expect(running.node.pendingDetails).toEqual(['hashes', 'none']);
    const hash = commit(running);
    expect(await running.call('eth_getFilterChanges', used)).toEqual([hash]);
    expect(await running.call('eth_newFilter', {})).toMatch(/^0x/);
  });

  it('of logs are silent on the public surface after the privacy fork', async () => {
    const running = await start({ info: { privacyForkBlock: 1 } });
    const [logs, blocks] = [await running.call('eth_newFilter', {}), await running.call('eth_newBlockFilter')];
    const hash = commit(running, log('secret'));
    for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs'])
      expect(await running.failure(method, logs)).toMatchObject({ code: -32004 });
    expect(await running.failure('eth_newFilter', {})).toMatchObject({ code: -32004 });
    expect(await running.call('eth_getFilterChanges', blocks)).toEqual([hash]);
  });
});
