import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { type Abi, type Hex, toFunctionSelector } from 'viem';
import * as contracts from './index.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const require = createRequire(import.meta.url);
const { abi, code } = require('../artifacts/PrimeOrders.json') as { abi: Abi; code: Hex };
const mock = require('../artifacts/PrimeOrdersMock.json') as { abi: Abi; code: Hex };

const withoutInternalTypes = (of: Abi): unknown =>
  JSON.parse(JSON.stringify(of, (key, value: unknown) => (key === 'internalType' ? undefined : value)));

describe('the checked-in code', () => {
  it('is byte for byte what the source gives, compiled again', async () => {
    await expect(promisify(execFile)(process.execPath, [at('scripts/compile.mjs'), '--check'])).resolves.toBeDefined();
    expect(contracts.primeOrdersAbi).toEqual(withoutInternalTypes(abi));
    expect(contracts.primeOrdersMockAbi).toEqual(withoutInternalTypes(mock.abi));
    expect(require('../abi/IPrimeOrders.json')).toEqual(abi);
  });

  it('has all functions of the interface, with the signatures of the specification', () => {
    const signatures = abi.flatMap((item) => (item.type === 'function' ? [signatureOf(item)] : []));
    expect(signatures.sort()).toEqual([...specified].sort());
    // A selector is pushed without its leading zeros.
    for (const signature of specified) expect(code).toContain(toFunctionSelector(signature).replace(/^0x(00)*/, ''));
  });

  it('holds no metadata that would depend on names and places', () => {
    const source = readFileSync(at('scripts/compile.mjs'), 'utf8');
    expect(source).toContain('appendCBOR: false');
    expect(code).not.toContain('6970667358');
  });
});

describe('the mock', () => {
  it('has all functions of the interface, and fits into a contract that can be deployed', () => {
    const selectors = (of: Abi) => of.flatMap((item) => (item.type === 'function' ? [signatureOf(item)] : []));
    expect(selectors(mock.abi)).toEqual(expect.arrayContaining(selectors(abi)));
    // EIP-170, in hexadecimal digits.
    expect(mock.code.length).toBeLessThan(2 + 2 * 24_576);
  });
});

describe('constants', () => {
  const solidity = readFileSync(at('PrimeConstants.sol'), 'utf8');
  /** `library Name { … constant A = 1; … }` as `{A: '1'}`. */
  const library = (name: string) => {
    const body = new RegExp(`library ${name} \\{(.*?)\\n\\}`, 's').exec(solidity)![1]!;
    return Object.fromEntries([...body.matchAll(/constant (\w+) = (\w+);/g)].map(([, key, value]) => [key, value]));
  };
  const upper = (names: Readonly<Record<string, number>>) =>
    Object.fromEntries(
      Object.entries(names).map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
        `${value}`,
      ]),
    );

  it.each([
    ['TimeInForce', contracts.timeInForce],
    ['OrderFlags', contracts.orderFlags],
    ['OrderStatus', contracts.orderStatus],
    ['AgentPermissions', contracts.agentPermissions],
  ])('%s has the same numbers in Solidity and in TypeScript', (name, numbers) => {
    expect(library(name)).toEqual(upper(numbers));
  });

  it('addresses and times too', () => {
    expect(library('PrimeAddresses')).toMatchObject({
      ORDERS: contracts.primeOrdersAddress,
      ORDER_READS: contracts.orderReadsAddress,
    });
    expect(library('PrimeTiming')['VISIBLE_AFTER']).toBe(`${contracts.visibleAfterBlocks}`);
  });
});

type FunctionItem = Extract<Abi[number], { type: 'function' }>;
const signatureOf = ({ name, inputs }: FunctionItem): string => `${name}(${inputs.map(({ type }) => type).join(',')})`;
const specified = [
  'markets()',
  'market(uint32)',
  'bestPrices(uint32)',
  'book(uint32,uint16)',
  'position(address,uint32)',
  'account(address)',
  'isLiquidatable(address)',
  'order(uint64)',
  'orderByClientId(address,uint128)',
  'insuranceFund()',
  'clobRoot()',
  'submitOrder(uint32,bool,uint256,uint256,uint8,uint8,uint128)',
  'cancelOrder(uint64)',
  'cancelByClientId(uint128)',
  'cancelAll(uint32)',
  'deposit()',
  'depositFor(address)',
  'withdraw(uint256,address)',
  'liquidate(address)',
  'approveAgent(address,uint64,uint32)',
  'revokeAgent(address)',
];
