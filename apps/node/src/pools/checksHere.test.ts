import { describe, expect, it } from '@jest/globals';
import type { Verifier } from '@prime/engine';
import { withChecksHere } from './checksHere.ts';

/** Verdicts tell who made them. */
function checks() {
  let nowMs = 1_000;
  const told = (words: string) => (raws: readonly Uint8Array[]) => raws.map(() => ({ failure: words }));
  const pool: Verifier = {
    transactions: async (raws) => told('transactions of the pool')(raws),
    actions: async (raws) => told('actions of the pool')(raws),
  };
  const here = { transactions: told('transactions here'), actions: told('actions here') };
  const verifier = withChecksHere(pool, here, () => nowMs);
  const ask = async (kind: keyof Verifier, ...raws: readonly Uint8Array[]): Promise<string> => {
    const verdicts = (await verifier[kind](raws)) as readonly { readonly failure: string }[];
    expect(verdicts).toHaveLength(raws.length);
    return verdicts[0]!.failure;
  };
  return { ask, pass: (ms: number) => (nowMs += ms) };
}

const raw = (length: number, type = 2): Uint8Array => new Uint8Array(length).fill(type, 0, 1);
const some = (count: number): Uint8Array[] => Array.from({ length: count }, () => raw(200));

describe('signature checks of the consensus thread', () => {
  it('lone transactions and actions are checked here, by the checks of their kind', async () => {
    const { ask } = checks();
    expect(await ask('transactions', raw(1_100))).toBe('transactions here');
    expect(await ask('actions', raw(137, 0x50))).toBe('actions here');
  });

  it('what is long, or may hold many signatures, goes to the pool', async () => {
    const { ask } = checks();
    expect(await ask('transactions', raw(4_096))).toBe('transactions here');
    expect(await ask('transactions', raw(4_097))).toBe('transactions of the pool');
    expect(await ask('transactions', raw(200, 4))).toBe('transactions of the pool');
    expect(await ask('transactions', raw(200), raw(200, 4))).toBe('transactions of the pool');
  });

  it('a batch of nine goes to the pool and leaves what may be checked here untouched', async () => {
    const { ask } = checks();
    expect(await ask('actions', ...some(9))).toBe('actions of the pool');
    expect(await ask('actions', ...some(8))).toBe('actions here');
  });

  it('floods go to the pool: eight in a row here, of both kinds together, and then one each 2 ms', async () => {
    const { ask, pass } = checks();
    for (let index = 0; index < 8; index++)
      expect(await ask(index % 2 === 0 ? 'transactions' : 'actions', raw(200))).toMatch('here');
    expect(await ask('transactions', raw(200))).toBe('transactions of the pool');
    expect(await ask('actions', raw(200))).toBe('actions of the pool');
    pass(2);
    expect(await ask('transactions', raw(200))).toBe('transactions here');
    expect(await ask('transactions', raw(200))).toBe('transactions of the pool');
    pass(6);
    expect(await ask('transactions', ...some(4))).toBe('transactions of the pool');
    expect(await ask('transactions', ...some(3))).toBe('transactions here');
    pass(3_600_000);
    expect(await ask('transactions', ...some(8))).toBe('transactions here');
    expect(await ask('transactions', raw(200))).toBe('transactions of the pool');
  });

  it('a verdict is a promise here as well: what throws refuses it', async () => {
    const failing = (): never => {
      throw new Error('no verdict');
    };
    const pool: Verifier = { transactions: async () => [], actions: async () => [] };
    const verifier = withChecksHere(pool, { transactions: failing, actions: failing }, () => 0);
    await expect(verifier.transactions([raw(200)])).rejects.toThrow('no verdict');
    await expect(verifier.actions([raw(200)])).rejects.toThrow('no verdict');
  });
});
