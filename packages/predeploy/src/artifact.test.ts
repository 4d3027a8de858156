import { ordersAddress } from '@prime/codec';
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { primeOrdersAbi as abi } from '@prime/contracts';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import { actionTopic, contractActionOf, contractWritesOf, primeOrdersCode } from './index.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

describe('the code of genesis', () => {
  it('is byte for byte what packages/contracts has compiled', async () => {
    await promisify(execFile)(process.execPath, [at('scripts/generateCode.mjs'), '--check']);
    const { code } = createRequire(import.meta.url)('@prime/contracts/artifacts/PrimeOrders.json') as { code: Hex };
    expect(bytesToHex(primeOrdersCode)).toBe(code);
  });
});

const account = '0x00000000000000000000000000000000000000a1';
const other = '0x00000000000000000000000000000000000000b2';
const transactionHash = `0x${'7'.repeat(64)}` as never;

/** A receipt with one log as the contract makes it. */
function receiptOf(kind: number, types: readonly string[], values: readonly unknown[], address = ordersAddress) {
  const topics = encodeEventTopics({ abi, eventName: 'Action', args: { account, kind } } as never) as never;
  const inner = encodeAbiParameters(
    types.map((type) => ({ type })),
    values as never,
  );
  const data = hexToBytes(encodeAbiParameters([{ type: 'uint64' }, { type: 'bytes' }], [9n, inner]));
  return { transactionHash, logs: [{ address, topics, data }] } as never;
}

const payloadOf = (kind: number, types: readonly string[], values: readonly unknown[]) => {
  const [write] = contractWritesOf([receiptOf(kind, types, values)]);
  expect(write).toMatchObject({ ticket: 9, account, transactionHash, kind });
  return contractActionOf(write!).payload;
};

describe('logs of the contract', () => {
  it.each([
    [2, ['uint64'], [2n ** 53n - 1n], { type: 'cancel', orderId: 2 ** 53 - 1 }],
    [3, ['uint128'], [5n], { type: 'cancelByClientId', clientId: `0x${'5'.padStart(32, '0')}` }],
    [4, ['uint32'], [0], { type: 'cancelAll', marketId: null }],
    [4, ['uint32'], [3], { type: 'cancelAll', marketId: 3 }],
    [7, ['address', 'uint256'], [other, 2n ** 255n], { type: 'deposit', to: other, amount: 2n ** 255n }],
    [8, ['uint256', 'address'], [7n, other], { type: 'withdraw', to: other, amount: 7n }],
    [10, ['address'], [other], { type: 'liquidate', address: other }],
    [
      13,
      ['address', 'uint64', 'uint32'],
      [other, 8n, 3],
      { type: 'approveAgent', agent: other, expiry: 8, permissions: 3, name: '' },
    ],
    [14, ['address'], [other], { type: 'revokeAgent', agent: other }],
  ])('kind %i', (kind, types, values, payload) => {
    expect(payloadOf(kind, types, values)).toEqual(payload);
  });

  it('an order, with each flag in its bit', () => {
    const types = ['uint32', 'bool', 'uint256', 'uint256', 'uint8', 'uint8', 'uint128'];
    expect(payloadOf(1, types, [2, true, 2n ** 128n - 1n, 10n, 1, 0b1110, 0n])).toEqual({
      type: 'order',
      marketId: 2,
      side: 'buy',
      price: 2n ** 128n - 1n,
      size: 10n,
      tif: 'ioc',
      postOnly: false,
      reduceOnly: true,
      selfTrade: 'decrement',
      clientId: null,
      expiresAt: 0,
    });
    expect(payloadOf(1, types, [2, false, 1n, 1n, 0, 1, 255n])).toMatchObject({
      side: 'sell',
      tif: 'gtc',
      postOnly: true,
      selfTrade: 'cancel_maker',
      clientId: `0x${'ff'.padStart(32, '0')}`,
    });
  });

  it('the same log at another address, or another log of the same address, is no write', () => {
    expect(contractWritesOf([receiptOf(2, ['uint64'], [1n], other as never)])).toEqual([]);
    const { logs } = receiptOf(2, ['uint64'], [1n]) as { logs: { topics: string[] }[] };
    const changed = [{ ...logs[0]!, topics: [`0x${'1'.repeat(64)}`, ...logs[0]!.topics.slice(1)] }];
    expect(contractWritesOf([{ transactionHash, logs: changed } as never])).toEqual([]);
    expect(logs[0]!.topics[0]).toBe(actionTopic);
  });

  it('a log that the contract does not make is a broken invariant', () => {
    expect(() => payloadOf(99, ['uint64'], [1n])).toThrow('kind 99');
  });
});
