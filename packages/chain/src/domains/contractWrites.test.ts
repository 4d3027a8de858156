import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  accountRecordKey,
  type BlockDelta,
  closedOrdersRecordKey,
  decodeAccountRecord,
  decodeEventFrames,
  decodeRefusedOrdersRecord,
  decodeResultFrames,
  type DomainEvent,
  type Genesis,
  heightKey,
  noEvents,
  ordersAddress,
  prefixedKey,
  refusedOrdersRecordKey,
  statePrefix,
} from '@prime/codec';
import { contractWritesPerBlock, pendingWritesSlot } from '@prime/predeploy';
import { createAccountReader } from '@prime/evm/accounts';
import type { Address, Hash } from '@prime/primitives';
import { readPendingWrites } from './contractWrites.ts';
import { action, copyOf, createTestChain, type TestChain, testGenesis, orderOf } from '../testing/chain.ts';
import { type Actor, type Compiled, compile, createActor, ordersCall, ordersError } from '../testing/contracts.ts';

const ether = 10n ** 18n;
let adversary: Compiled;
beforeAll(() => {
  adversary = compile('Adversary.sol', 'Adversary');
});

/** A chain on which the actors have 100 ether each. */
async function open(changes: Partial<Genesis> = {}): Promise<{ chain: TestChain; maker: Actor; taker: Actor }> {
  const [maker, taker] = await Promise.all([createActor('maker', 7919), createActor('taker', 7919)]);
  const rich = (address: Address) => ({
    address,
    balance: 100n * ether,
    nonce: 0,
    code: new Uint8Array(0),
    storage: [],
  });
  const base = testGenesis();
  const alloc = [...base.alloc, rich(maker.address), rich(taker.address)];
  return { chain: await createTestChain({ ...base, alloc, ...changes }), maker, taker };
}

const order = (isBuy: boolean, price: bigint, size: bigint, clientId = 0n) => [1, isBuy, price, size, 0, 0, clientId];
const kinds = ({ events }: Pick<BlockDelta, 'events'>): string[] => decodeEventFrames(events).map(({ kind }) => kind);
const rejected = ({ events }: BlockDelta): DomainEvent['data'][] =>
  decodeEventFrames(events).flatMap(({ kind, data }) => (kind === 'action_rejected' ? [data] : []));
const statuses = ({ receipts }: BlockDelta): number[] => receipts.map(({ status }) => status);

function collateral(chain: TestChain, owner: Address): bigint {
  const key = prefixedKey(statePrefix.clobRecord, accountRecordKey(owner));
  const value = chain.database.getSync(key);
  return value === undefined ? 0n : decodeAccountRecord(value).collateral;
}
const pendingHash = (chain: TestChain): Hash =>
  createAccountReader(chain.database).slot(ordersAddress, pendingWritesSlot);

describe('writes of contracts', () => {
  it('run first in the next block, deposits before the rest, and their events name ticket and transaction', async () => {
    const { chain, maker } = await open();
    const writes = [maker.orders('submitOrder', order(true, 100n, 2n, 7n)), maker.orders('deposit', [], ether)];
    const first = await chain.run({ transactions: writes });
    expect(statuses(first)).toEqual([1, 1]);
    expect(first.events).toEqual(noEvents);
    expect(collateral(chain, maker.address)).toBe(0n);
    expect(chain.balance(ordersAddress)).toBe(ether);
    expect(pendingHash(chain)).not.toMatch(/^0x0*$/);

    const second = await chain.run({});
    expect(kinds(second)).toEqual(['collateral_deposited', 'order_accepted']);
    expect(decodeEventFrames(second.events).map(({ contract }) => contract)).toEqual([
      { ticket: 2, transactionHash: writes[1]!.hash },
      { ticket: 1, transactionHash: writes[0]!.hash },
    ]);
    expect(decodeEventFrames(second.events)[1]!.data).toMatchObject({
      owner: maker.address,
      client_id: `0x${'7'.padStart(32, '0')}`,
    });
    expect(collateral(chain, maker.address)).toBe(ether);
    expect(pendingHash(chain)).toMatch(/^0x0*$/);
    expect((await chain.run({})).events).toEqual(noEvents);
  });

  it('a node that ends between the two blocks carries them out when it comes back, to the same roots', async () => {
    const { chain, maker } = await open();
    const writes = [maker.orders('deposit', [], ether), maker.orders('submitOrder', order(false, 50n, 1n))];
    await chain.run({ transactions: writes });
    const again = await createTestChain(chain.genesis, await copyOf(chain.database));
    expect(await again.run({})).toEqual(await chain.run({}));
    expect(again.pipeline.status()).toEqual(chain.pipeline.status());
  });

  it('a database that lacks what the next block has to carry out is refused', async () => {
    const { chain, maker } = await open();
    const { block } = await chain.run({ transactions: [maker.orders('deposit', [], ether)] });
    const database = await copyOf(chain.database);
    const key = heightKey(statePrefix.contractWrites, block.header.height);
    await database.write([{ key, value: null }], { sync: true });
    await expect(createTestChain(chain.genesis, database)).rejects.toMatchObject({
      code: 'CHAIN_CONTRACT_WRITES_MISMATCH',
    });
  });

  it('trade with native actions: contract orders are older', async () => {
    const { chain, maker, taker } = await open();
    await chain.run({
      transactions: [maker.orders('deposit', [], ether), maker.orders('submitOrder', order(false, 50n, 4n))],
    });
    const native = action(
      taker.address,
      orderOf({ marketId: 1 as never, side: 'buy', price: 60n, size: 4n, tif: 'ioc' }),
    );
    const delta = await chain.run({
      actions: [native, action(taker.address, { type: 'deposit', amount: ether })],
    });
    const trade = decodeEventFrames(delta.events).find(({ kind }) => kind === 'trade')!;
    expect(trade.data).toMatchObject({ maker: maker.address, taker: taker.address, price: 50n, size: 4n });
    expect(trade.contract).toBeUndefined();
  });

  it('what the order book refuses is an event and a memory, and changes nothing else', async () => {
    const { chain, maker } = await open();
    await chain.run({
      transactions: [maker.orders('submitOrder', order(true, 100n, 1n, 9n)), maker.orders('cancelOrder', [77n])],
    });
    const delta = await chain.run({});
    expect(rejected(delta)).toEqual([
      // Cancels of a block run before its orders.
      { account: maker.address, hash: null, ticket: 2, reason: 'unknown_order' },
      { account: maker.address, hash: null, ticket: 1, reason: 'insufficient_margin' },
    ]);
    const { height } = delta.block.header;
    const stored = chain.database.getSync(prefixedKey(statePrefix.clobRecord, refusedOrdersRecordKey(height)));
    expect(decodeRefusedOrdersRecord(stored!).orders).toEqual([
      { ticket: 1, owner: maker.address, clientId: `0x${'9'.padStart(32, '0')}` },
    ]);
    expect(chain.database.getSync(prefixedKey(statePrefix.clobRecord, closedOrdersRecordKey(height)))).toBeUndefined();
  });

  it('refusals are forgotten after as many blocks as ended orders, also over a restart', async () => {
    const base = testGenesis();
    const { chain, maker } = await open({ clob: { ...base.clob, orderMemoryBlocks: 3 } });
    await chain.run({ transactions: [maker.orders('submitOrder', order(true, 100n, 1n, 9n))] });
    await chain.run({});
    const restarted = await createTestChain(chain.genesis, chain.database);
    const has = () =>
      restarted.database.getSync(prefixedKey(statePrefix.clobRecord, refusedOrdersRecordKey(2))) !== undefined;
    await restarted.run({});
    await restarted.run({});
    expect(has()).toBe(true);
    await restarted.run({});
    expect(has()).toBe(false);
  });

  it('who acts through 0x…0100 is never again taken at an unsigned word; a gift to him does not count', async () => {
    const { chain, maker, taker } = await open();
    const noop = () => chain.run({ actions: [action(maker.address, { type: 'noop' })] });
    await chain.run({ transactions: [taker.orders('depositFor', [maker.address], ether)] });
    expect(decodeResultFrames((await noop()).actionResults)).toMatchObject([{ ok: true }]);
    expect(collateral(chain, maker.address)).toBe(ether);
    await chain.run({ transactions: [maker.orders('cancelAll', [0])] });
    await chain.run({});
    expect(decodeResultFrames((await noop()).actionResults)).toMatchObject([
      { ok: false, error: { code: 'CLOB_UNAUTHORIZED' } },
    ]);
  });

  it('withdrawals go through the queue of the bridge and pay an account without running its code', async () => {
    const { chain, maker } = await open({ clob: { ...testGenesis().clob, autoDequeue: true } });
    const { transaction, address } = maker.deploy(adversary);
    await chain.run({ transactions: [transaction, maker.orders('deposit', [], ether)] });
    await chain.run({ transactions: [maker.orders('withdraw', [ether / 4n, address])] });
    expect(kinds(await chain.run({}))).toEqual(['collateral_withdrawn', 'transfer_queued']);
    expect(kinds(await chain.run({}))).toEqual(['transfer_completed']);
    expect(chain.balance(address)).toBe(ether / 4n);
    expect(chain.balance(ordersAddress)).toBe((ether * 3n) / 4n);
  });
});

describe('what the contract refuses', () => {
  it.each([
    ['submitOrder', [0, true, 1n, 1n, 0, 0, 0n], 'InvalidMarket(0)'],
    ['submitOrder', [1, true, 0n, 1n, 0, 0, 0n], 'InvalidPrice(0)'],
    ['submitOrder', [1, true, 2n ** 128n, 1n, 0, 0, 0n], `InvalidPrice(${2n ** 128n})`],
    ['submitOrder', [1, true, 1n, 0n, 0, 0, 0n], 'InvalidSize(0)'],
    ['submitOrder', [1, true, 1n, 2n ** 128n, 0, 0, 0n], `InvalidSize(${2n ** 128n})`],
    ['submitOrder', [1, true, 1n, 1n, 3, 0, 0n], 'InvalidTimeInForce(3)'],
    ['submitOrder', [1, true, 1n, 1n, 0, 16, 0n], 'InvalidFlags(16)'],
    ['cancelOrder', [0n], 'InvalidOrderId(0)'],
    ['cancelOrder', [2n ** 53n], `InvalidOrderId(${2n ** 53n})`],
    ['cancelByClientId', [0n], 'InvalidClientId(0)'],
    ['deposit', [], 'InvalidAmount(0)'],
    ['depositFor', [ordersAddress], `InvalidAccount(${ordersAddress})`],
    ['withdraw', [0n, `0x${'a1'.repeat(20)}`], 'InvalidAmount(0)'],
    ['withdraw', [1n, ordersAddress], `InvalidAccount(${ordersAddress})`],
    ['approveAgent', [`0x${'00'.repeat(20)}`, 0n, 1], `InvalidAccount(0x${'00'.repeat(20)})`],
    ['approveAgent', [`0x${'a1'.repeat(20)}`, 2n ** 53n, 1], `InvalidExpiry(${2n ** 53n})`],
  ])('%s%j: %s', async (name, args, words) => {
    const { chain, maker } = await open();
    const delta = await chain.run({ transactions: [maker.orders(name, args)] });
    expect(statuses(delta)).toEqual([0]);
    expect(ordersError(delta.receipts[0]!.output)).toBe(words);
    expect((await chain.run({})).events).toEqual(noEvents);
  });

  it('one write more than a block may have reverts; the next block has its own', async () => {
    const { chain, maker } = await open({ evm: { gasLimit: 400_000_000n, initialBaseFee: 7n } });
    const { transaction, address } = maker.deploy(adversary);
    await chain.run({ transactions: [transaction] });
    const many = (count: number) =>
      maker.call(address, adversary.abi, 'forwardMany', [ordersCall('cancelAll', [0]), BigInt(count)]);
    const portions = Array.from({ length: contractWritesPerBlock / 100 }, () => many(100));
    const full = await chain.run({ transactions: [...portions, many(1)] });
    expect(statuses(full)).toEqual([...portions.map(() => 1), 0]);
    expect(ordersError(full.receipts.at(-1)!.output)).toBe(`TooManyWrites(${contractWritesPerBlock})`);
    expect(readPendingWrites(chain.database, full.block.header.height).writes).toHaveLength(contractWritesPerBlock);
    const next = await chain.run({ transactions: [many(1)] });
    expect(statuses(next)).toEqual([1]);
    expect(readPendingWrites(chain.database, next.block.header.height).writes.map(({ ticket }) => ticket)).toEqual([
      contractWritesPerBlock + 1,
    ]);
  });

  it('genesis may say how many writes a block may have', async () => {
    const { chain, maker } = await open({ clob: { ...testGenesis().clob, contractWritesPerBlock: 1 } });
    const delta = await chain.run({ transactions: [maker.orders('cancelAll', [0]), maker.orders('cancelAll', [0])] });
    expect(statuses(delta)).toEqual([1, 0]);
    expect(ordersError(delta.receipts[1]!.output)).toBe('TooManyWrites(1)');
  });

  it('a write costs 20 000 gas more than its code', async () => {
    const { chain, maker } = await open();
    const delta = await chain.run({ transactions: [maker.orders('cancelAll', [0]), maker.orders('cancelAll', [0])] });
    for (const { gasUsed } of delta.receipts) expect(gasUsed > 21_000n + 20_000n && gasUsed < 100_000n).toBe(true);
  });
});

describe('what somebody might try', () => {
  /** An adversary with one ether of its own. */
  async function openAdversary() {
    const { chain, maker, taker } = await open();
    const { transaction, address } = maker.deploy(adversary, ether);
    await chain.run({ transactions: [transaction] });
    const call = (name: string, args: readonly unknown[]) => maker.call(address, adversary.abi, name, args);
    return { chain, maker, taker, address, call };
  }

  it('the account is the contract that called, never who signed the transaction', async () => {
    const { chain, maker, address, call } = await openAdversary();
    await chain.run({ transactions: [maker.orders('deposit', [], ether)] });
    await chain.run({ transactions: [call('forward', [ordersCall('withdraw', [1n, address]), 0n])] });
    const delta = await chain.run({});
    expect(rejected(delta)).toMatchObject([{ account: address, reason: 'insufficient_collateral' }]);
    expect(collateral(chain, maker.address)).toBe(ether);
  });

  it('delegatecall: refused, and the log would have another address', async () => {
    const { chain, call } = await openAdversary();
    const delta = await chain.run({ transactions: [call('delegate', [ordersCall('cancelAll', [0])])] });
    expect(statuses(delta)).toEqual([0]);
    expect(ordersError(delta.receipts[0]!.output)).toBe('DelegateCallNotAllowed()');
  });

  it('a static call can not write', async () => {
    const { chain, call } = await openAdversary();
    const delta = await chain.run({ transactions: [call('forwardStatic', [ordersCall('cancelAll', [0]), 500_000n])] });
    expect(statuses(delta)).toEqual([1]);
    expect(delta.receipts[0]!.output).toEqual(new Uint8Array(32));
    expect(readPendingWrites(chain.database, delta.block.header.height).writes).toEqual([]);
  });

  it.each([
    ['a revert', false],
    ['out of gas', true],
  ])('%s at depth takes back the write and its value, and only that', async (_name, burn) => {
    const { chain, address, call } = await openAdversary();
    const around = [ordersCall('cancelAll', [0]), ordersCall('deposit'), ether, burn];
    const delta = await chain.run({ transactions: [call('forwardAround', around)] });
    expect(statuses(delta)).toEqual([1]);
    const { writes } = readPendingWrites(chain.database, delta.block.header.height);
    expect(writes.map(({ ticket, account }) => [ticket, account])).toEqual([[1, address]]);
    expect(chain.balance(ordersAddress)).toBe(0n);
    expect(chain.balance(address)).toBe(ether);
  });

  it('a whole transaction that reverts after a deposit leaves nothing', async () => {
    const { chain, address, call } = await openAdversary();
    const delta = await chain.run({ transactions: [call('forwardThenRevert', [ordersCall('deposit'), ether])] });
    expect(statuses(delta)).toEqual([0]);
    expect([chain.balance(ordersAddress), chain.balance(address)]).toEqual([0n, ether]);
    expect((await chain.run({})).events).toEqual(noEvents);
  });

  it('a forged log of another address is only a log', async () => {
    const { chain, maker, address, call } = await openAdversary();
    await chain.run({ transactions: [maker.orders('deposit', [], ether)] });
    const delta = await chain.run({ transactions: [call('forgeLog', [maker.address, 8, 1n, '0x'])] });
    expect(delta.receipts[0]!.logs).toHaveLength(1);
    expect(delta.receipts[0]!.logs[0]!.address).toBe(address);
    expect((await chain.run({})).events).toEqual(noEvents);
    expect(collateral(chain, maker.address)).toBe(ether);
  });

  it("wei that selfdestruct sends are nobody's, and disturb nothing", async () => {
    const { chain, maker, call } = await openAdversary();
    await chain.run({ transactions: [call('destroyInto', []), maker.orders('deposit', [], 5n)] });
    expect(chain.balance(ordersAddress)).toBe(ether + 5n);
    expect(kinds(await chain.run({}))).toEqual(['collateral_deposited']);
    expect(collateral(chain, maker.address)).toBe(5n);
    await chain.run({});
  });

  it('a payment without data is a deposit, and calls back nobody', async () => {
    const { chain, maker } = await openAdversary();
    await chain.run({ transactions: [maker.send(ordersAddress, ether)] });
    await chain.run({});
    expect(collateral(chain, maker.address)).toBe(ether);
  });
});
