import { describe, expect, it } from '@jest/globals';
import { explainedRefusals } from '@prime/sdk/explain';
import { CliError } from '../errors.ts';
import { accountNamed } from './liquidated.ts';
import { validatorNamed } from './names.ts';
import { orderKey } from './order.ts';
import { whyRefused } from './refused.ts';
import { wrap } from './tell.ts';
import { transactionHash } from './transaction.ts';

const refused = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof CliError) return `${error.message} [${error.code}]`;
  }
  throw new Error('it was not refused');
};

describe('what names something', () => {
  it('an order: its id, or with its owner its client id', () => {
    const owner = `0x${'A1'.repeat(20)}`;
    expect([orderKey('1', undefined), orderKey('0x1f', undefined)]).toEqual([{ orderId: 1 }, { orderId: 31 }]);
    expect(orderKey(`${Number.MAX_SAFE_INTEGER}`, undefined)).toEqual({ orderId: Number.MAX_SAFE_INTEGER });
    expect(orderKey('quote', owner)).toEqual({
      owner: owner.toLowerCase(),
      clientId: `0x${'71756f7465'.padEnd(32, '0')}`,
    });
    for (const id of ['0', '-1', '1.5', 'quote', '9007199254740992', '0xzz', ''])
      expect(refused(() => orderKey(id, undefined))).toContain('a whole number of 1 to 9007199254740991');
    expect(refused(() => orderKey('quote', '0x12'))).toContain('--owner must be an address');
  });

  it('what names something else says which command is meant', () => {
    expect(refused(() => orderKey(`0x${'ab'.repeat(32)}`, undefined))).toContain('prime why transaction 0xab');
    expect(refused(() => orderKey(`0x${'ab'.repeat(20)}`, undefined))).toContain('prime why liquidated 0xab');
    expect(refused(() => transactionHash('17'))).toContain('prime why order 17');
    expect(refused(() => transactionHash('0xabc'.padEnd(65, '0')))).toContain('0x and 64 hex digits');
    expect(refused(() => accountNamed(`0x${'ab'.repeat(32)}`))).toContain('0x and 40 hex digits');
    expect(transactionHash(`0x${'AB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  });

  it('a validator: its address or its moniker, where one has it', () => {
    const validators = ['north', 'south', 'twin', 'twin'].map((moniker, index) => ({
      moniker,
      address: `0x${`${index}`.repeat(40)}` as const,
    }));
    expect(validatorNamed(validators, 'south')).toBe(validators[1]);
    expect(validatorNamed(validators, validators[3]!.address.toUpperCase())).toBe(validators[3]);
    expect(refused(() => validatorNamed(validators, 'west'))).toMatch(
      /north, south, twin and twin[^]*\[CLI_NOT_FOUND\]$/,
    );
    expect(refused(() => validatorNamed(validators, 'twin'))).toMatch(
      /^2 validators are called twin[^]*\[CLI_USAGE\]$/,
    );
  });
});

describe('what a refusal means', () => {
  it.each([
    ['insufficient_margin', 'insufficient_margin'],
    ['CLOB_PRICE_OFF_TICK', 'tick'],
    ['CLOB_POST_ONLY_WOULD_CROSS', 'post_only'],
    ['staking_still_jailed', 'still_jailed'],
    ['mempool_underpriced', 'MEMPOOL_UNDERPRICED'],
    ['replacement transaction underpriced', 'MEMPOOL_REPLACEMENT_UNDERPRICED'],
  ])('%s is %s', (words, code) => {
    expect(whyRefused(words)).toMatchObject({ explanation: { title: code }, facts: { code } });
  });

  it('is known of every kind; what nobody knows says what is allowed', () => {
    for (const kind of explainedRefusals) expect(whyRefused(kind).explanation.text).toMatch(/^[A-Z].*\.$/s);
    for (const words of ['', 'nonsense', 'ENGINE_DIVERGED', '__proto__'])
      expect(refused(() => whyRefused(words))).toMatch(/^nothing is known of[^]*unknown_market[^]*\[CLI_USAGE\]$/);
  });
});

describe('sentences in lines', () => {
  it('break between words, and a word that is too long has a line of its own', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap(`a ${'x'.repeat(12)} b`, 5)).toEqual(['a', 'x'.repeat(12), 'b']);
    expect(wrap('', 5)).toEqual(['']);
  });
});
