import { describe, expect, it } from '@jest/globals';
import { giveFunds, parseAmount, parseReceiver, readFunds } from './funds.ts';

const address = `0x${'ab'.repeat(20)}`;
const nodeWith = (answers: Readonly<Record<string, unknown>>) => {
  const asked: unknown[] = [];
  const request = async ({
    method,
    params = [],
  }: {
    method: string;
    params?: readonly unknown[];
  }): Promise<unknown> => {
    asked.push([method, params]);
    return answers[method];
  };
  return { asked, request };
};

describe('test funds', () => {
  it('are what genesis and the node give', async () => {
    const node = nodeWith({
      prime_getGenesis: { faucet: address, actions: 'open' },
      eth_accounts: [address],
      eth_getBalance: '0x10',
    });
    expect(await readFunds(node)).toEqual({ hasFaucet: true, accounts: [{ address, wei: 16n }] });
  });

  it('come from no faucet where actions have to be signed, or genesis has none', async () => {
    for (const genesis of [{ faucet: address, actions: 'signed' }, { actions: 'open' }])
      expect(await readFunds(nodeWith({ prime_getGenesis: genesis, eth_accounts: [] }))).toEqual({
        hasFaucet: false,
        accounts: [],
      });
  });

  it('are given by the methods of the node', async () => {
    const node = nodeWith({});
    await giveFunds.coins(node, 'a', 'b', 16n);
    await giveFunds.collateral(node, 'b', 1n);
    expect(node.asked).toEqual([
      ['eth_sendTransaction', [{ from: 'a', to: 'b', value: '0x10' }]],
      ['primeorders_depositCollateral', ['b', '0x1']],
    ]);
  });
});

describe('what is typed', () => {
  it('is an exact amount of whole units', () => {
    expect(parseAmount(' 1.5 ')).toBe(1_500_000_000_000_000_000n);
    expect(parseAmount('0.000000000000000001')).toBe(1n);
    for (const text of ['', '-1', '1e3', '1.', '.5', '0', '1000001', '0.0000000000000000001', '1,5'])
      expect(typeof parseAmount(text)).toBe('string');
  });

  it('is an address', () => {
    expect(parseReceiver(` ${address.toUpperCase().replace('0X', '0x')} `)).toEqual({ address });
    expect(typeof parseReceiver('0x12')).toBe('string');
  });
});
