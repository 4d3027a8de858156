import { describe, expect, it } from '@jest/globals';
import { interpret } from './interpret.ts';

const validator = `0x${'1'.repeat(40)}` as const;
const account = `0x${'2'.repeat(40)}` as const;
const hash = `0x${'3'.repeat(64)}` as const;
const known = {
  markets: [{ symbol: 'ETH/USD' }, { symbol: 'PRM/USD' }],
  validators: [{ address: validator, moniker: 'Alice & <Bob>' }],
};
const found = (text: string): string[] =>
  interpret(text, known).suggestions.map(({ kind, text: shown }) => `${kind} ${shown}`);

describe('what a text in the search box means', () => {
  it.each(['42', '#42', ' 42 '])('%j is a block', (text) => {
    expect(interpret(text, known).suggestions).toEqual([
      { kind: 'Block', text: '42', route: { page: 'block', block: '42' } },
    ]);
  });

  it('numbers may have their groups', () => {
    expect(found('1,204,331')).toEqual(['Block 1204331']);
  });

  it.each(['eth', 'ETH/USD', 'eth-usd', 'eth usd', 'ETHUSD'])('%s is a market', (text) => {
    expect(interpret(text, known).suggestions).toEqual([
      { kind: 'Market', text: 'ETH/USD', route: { page: 'market', market: 'ETH-USD' } },
    ]);
  });

  it('a part of several names is all of them', () => {
    expect(found('usd')).toEqual(['Market ETH/USD', 'Market PRM/USD']);
  });

  it('a moniker or an address of a validator is the validator; the address is an account, too', () => {
    expect(found('bob')).toEqual(['Validator Alice & <Bob>']);
    expect(found(validator.toUpperCase().replace('0X', '0x'))).toEqual([
      'Validator Alice & <Bob>',
      `Account ${validator}`,
    ]);
    expect(found(account)).toEqual([`Account ${account}`]);
    expect(found(account.slice(2))).toEqual([`Account ${account}`]);
  });

  it('a hash has to be asked for', () => {
    expect(interpret(hash, known)).toEqual({ suggestions: [], hash, help: null });
    expect(interpret(hash.slice(2), known).hash).toBe(hash);
  });

  it('of what is nothing is told what would be something', () => {
    expect(interpret('', known)).toEqual({ suggestions: [], hash: null, help: null });
    expect(interpret('0x123', known).help).toMatch('this has 3');
    expect(interpret(`${account}1`, known).help).toMatch('this has 41');
    expect(interpret('nobody', known).help).toMatch('Nothing is called so');
  });

  it('no more than eight things are proposed', () => {
    const markets = Array.from({ length: 20 }, (_, index) => ({ symbol: `A${index}/USD` }));
    expect(interpret('a', { markets, validators: [] }).suggestions.length).toBe(8);
  });
});
