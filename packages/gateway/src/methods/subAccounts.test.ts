import { afterEach, describe, expect, it } from '@jest/globals';
import { accountRecordKey, encodeAccountRecord, subAccountAddress } from '@prime/codec';
import { addressOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

const running: RunningGateway[] = [];
afterEach(() => Promise.all(running.splice(0).map(({ gateway }) => gateway.close())));
async function start(): Promise<RunningGateway> {
  const started = await startGateway();
  running.push(started);
  return started;
}

const [alice, bob] = [addressOf('alice'), addressOf('bob')];
const made = (owner: typeof alice, index: number, collateral = 0n) => {
  const address = subAccountAddress(owner, index);
  const record = { address, collateral, locked: true, positions: [], subAccount: { owner, index } };
  return { key: accountRecordKey(address), value: encodeAccountRecord(record) };
};

describe('primeorders_getSubAccounts', () => {
  it('tells the accounts of an owner by index, those of others not', async () => {
    const { call, gateway, node } = await start();
    expect(await call('primeorders_getSubAccounts', alice)).toEqual([]);
    gateway.applyDelta(node.commit({ records: [made(alice, 300), made(bob, 1), made(alice, 2)] }));
    gateway.applyDelta(node.commit({ records: [made(alice, 2, 5n), made(alice, 0xffffffff)] }));
    expect(await call('primeorders_getSubAccounts', alice)).toEqual(
      [2, 300, 0xffffffff].map((index) => ({ address: subAccountAddress(alice, index), index })),
    );
    expect(await call('primeorders_getSubAccounts', bob)).toEqual([{ address: subAccountAddress(bob, 1), index: 1 }]);
    expect(await call('primeorders_getSubAccounts', subAccountAddress(alice, 2))).toEqual([]);
  });
});

describe('primeorders_getAccount', () => {
  it('tells whose sub-account an account is, and nothing of it for others', async () => {
    const { call, gateway, node } = await start();
    gateway.applyDelta(node.commit({ records: [made(alice, 2, 5n)] }));
    const address = subAccountAddress(alice, 2);
    expect(await call('primeorders_getAccount', address)).toMatchObject({
      address,
      collateral: '0x5',
      locked: true,
      sub_account: { owner: alice, index: 2 },
    });
    expect(await call('primeorders_getAccount', alice)).not.toHaveProperty('sub_account');
  });
});
