import { afterEach, describe, expect, it } from '@jest/globals';
import { type AgentRecord, agentRecordKey, encodeAgentRecord } from '@prime/codec';
import { addressOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

const running: RunningGateway[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ gateway }) => gateway.close())));
async function start(): Promise<RunningGateway> {
  const started = await startGateway();
  running.push(started);
  return started;
}

const alice = addressOf('alice');
const [first, second, third] = [addressOf('a desk'), addressOf('b desk'), addressOf('c desk')].toSorted() as [
  typeof alice,
  typeof alice,
  typeof alice,
];
const approved: AgentRecord = { account: alice, agent: first, expiry: 0, permissions: 3, name: 'desk', revoked: false };
const write = (record: AgentRecord) => ({
  key: agentRecordKey(record.account, record.agent),
  value: encodeAgentRecord(record),
});

describe('primeorders_getAgents', () => {
  it('tells who may sign for an account, for what and until when, and whom it revoked', async () => {
    const { call, gateway, node } = await start();
    const headMs = 1_700_000_001_000;
    const records = [
      { ...approved, agent: third, permissions: 4, expiry: headMs + 1, name: '' },
      { ...approved, agent: second, permissions: 7, expiry: headMs },
      approved,
      { ...approved, account: addressOf('bob'), agent: third },
    ];
    gateway.applyDelta(node.commit({ records: records.map(write) }));
    expect(await call('primeorders_getAgents', alice)).toEqual([
      { agent: first, name: 'desk', permissions: ['trade', 'cancel'], expires_at: '0x0', status: 'live' },
      {
        agent: second,
        name: 'desk',
        permissions: ['trade', 'cancel', 'liquidate'],
        expires_at: `0x${headMs.toString(16)}`,
        status: 'expired',
      },
      {
        agent: third,
        name: '',
        permissions: ['liquidate'],
        expires_at: `0x${(headMs + 1).toString(16)}`,
        status: 'live',
      },
    ]);
    gateway.applyDelta(node.commit({ records: [write({ ...approved, revoked: true })] }));
    const after = (await call('primeorders_getAgents', alice)) as { agent: string; status: string }[];
    // A second passed, too.
    expect(after.map(({ agent, status }) => [agent, status])).toEqual([
      [first, 'revoked'],
      [second, 'expired'],
      [third, 'expired'],
    ]);
  });

  it('an account without any has none; what was undone is gone', async () => {
    const { call, gateway, node } = await start();
    expect(await call('primeorders_getAgents', alice)).toEqual([]);
    gateway.applyDelta(node.commit({ records: [write(approved)] }));
    gateway.applyDelta(node.commit({ records: [{ key: agentRecordKey(alice, first), value: null }] }));
    expect(await call('primeorders_getAgents', alice)).toEqual([]);
  });
});
