import { describe, expect, it } from '@jest/globals';
import {
  type ActionPayload,
  type ActionResult,
  decodeAccountRecord,
  decodeResultFrames,
  defaultClobParams,
  defaultStakingParams,
  type Genesis,
  prefixedKey,
  signerRecordKey,
  accountRecordKey,
  statePrefix,
  type VerifiedAction,
} from '@prime/codec';
import type { Address } from '@prime/primitives';
import { action, alice, bob, createTestChain, faucet, type TestChain, testGenesis } from '../testing/chain.ts';

const fresh = `0x${'0'.repeat(38)}c1` as Address;
const clob = { ...defaultClobParams, ownersOnly: true };
const noop: ActionPayload = { type: 'noop' };

let count = 0;
/** Signed by the account, or by another key. */
const signed = (account: Address, payload: ActionPayload, signer = account): VerifiedAction => {
  const made = action(account, payload, 1_700_000_000_000 + count++);
  return { ...made, signer, transaction: { ...made.transaction, signatureKind: 'raw' } };
};
const codeOf = (result: ActionResult | undefined): string | null => (result?.ok === false ? result.error.code : null);
const run = async (chain: TestChain, ...actions: VerifiedAction[]): Promise<(string | null)[]> =>
  decodeResultFrames((await chain.run({ actions })).actionResults).map(codeOf);
const isStored = ({ database }: TestChain, key: Uint8Array): boolean =>
  database.getSync(prefixedKey(statePrefix.clobRecord, key)) !== undefined;

describe('where only owners act', () => {
  const chainOf = (changes: Partial<Genesis> = {}): Promise<TestChain> =>
    createTestChain(testGenesis({ clob, ...changes }));

  it('what a key without anything signs is refused in the block, and nothing is stored', async () => {
    const chain = await chainOf();
    expect(await run(chain, signed(fresh, noop), signed(fresh, { type: 'deposit', amount: 1n }))).toEqual([
      'CLOB_OWNS_NOTHING',
      'CLOB_OWNS_NOTHING',
    ]);
    expect(isStored(chain, signerRecordKey(fresh))).toBe(false);
    expect(isStored(chain, accountRecordKey(fresh))).toBe(false);
  });

  it('wei are something, also where a deposit of the same block takes all of them', async () => {
    const chain = await chainOf();
    expect(await run(chain, signed(bob, { type: 'deposit', amount: 1000n }), signed(bob, noop))).toEqual([null, null]);
    expect(chain.balance(bob)).toBe(0n);
    expect(await run(chain, signed(bob, noop))).toEqual([null]);
    const record = chain.database.getSync(prefixedKey(statePrefix.clobRecord, accountRecordKey(bob)))!;
    expect(decodeAccountRecord(record)).toMatchObject({ collateral: 1000n, locked: true });
  });

  it('the faucet pays for the first deposit', async () => {
    const chain = await chainOf({ faucet });
    expect(await run(chain, signed(fresh, { type: 'deposit', amount: 7n }), signed(fresh, noop))).toEqual([
      null,
      'CLOB_OWNS_NOTHING',
    ]);
    expect(await run(chain, signed(fresh, noop))).toEqual([null]);
  });

  it('collateral that somebody else gave is something', async () => {
    const chain = await chainOf();
    await run(chain, signed(alice, { type: 'deposit', amount: 10n }));
    expect(await run(chain, signed(alice, { type: 'transfer', to: fresh, amount: 3n }))).toEqual([null]);
    expect(await run(chain, signed(fresh, noop))).toEqual([null]);
  });

  it('a validator whose wei are all at stake acts', async () => {
    const validator = { address: fresh, publicKey: new Uint8Array(33).fill(2), stake: 10n ** 18n, moniker: 'v' };
    const chain = await chainOf({ validators: [validator], staking: defaultStakingParams });
    expect(chain.balance(fresh)).toBe(0n);
    expect(await run(chain, signed(fresh, noop))).toEqual([null]);
  });

  it('unsigned calls are not meant', async () => {
    const chain = await chainOf();
    expect(await run(chain, action(fresh, noop))).toEqual([null]);
  });
});

describe('where genesis says nothing about owners', () => {
  it('a block is carried out as it always was: the nonce of a key without anything is used', async () => {
    const chain = await createTestChain(testGenesis());
    expect(await run(chain, signed(fresh, noop))).toEqual([null]);
    expect(isStored(chain, signerRecordKey(fresh))).toBe(true);
  });
});
