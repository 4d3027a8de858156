import { describe, expect, it } from '@jest/globals';
import type { SignerReader } from '@prime/engine';
import type { Address, Height } from '@prime/primitives';
import { RecentSigners } from './recentSigners.ts';

const signer = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;
const [one, other] = [signer(1), signer(2)];
const approval = { account: one, agent: other, expiry: 0, permissions: 1, name: '', revoked: false };

/** A database whose signers used one nonce, the height of the block that is written. */
function scene({ newest, written = newest }: { readonly newest: number; readonly written?: number | null }) {
  const database = { height: written as Height | null, reads: 0, looks: 0 };
  const records: SignerReader = {
    signerNonces() {
      database.reads++;
      return [database.height ?? 0];
    },
    agent: (account, agent) => (account === one && agent === other ? approval : null),
    authority: (account) => (account === other ? one : account),
    isLocked: (account) => account === one,
    isKnown: (account) => account === other,
  };
  const height = (): Height | null => {
    database.looks++;
    return database.height;
  };
  const signers = new RecentSigners().over({ records, height }, newest as Height);
  return {
    database,
    signers,
    commit: (to: number): void => signers.onCommit({ height: to as Height }),
    write: (to: number): void => void (database.height = to as Height),
  };
}

describe('nonces of signers', () => {
  it('are read once a block', () => {
    const { signers, database, commit, write } = scene({ newest: 7 });
    for (let time = 0; time < 3; time++)
      expect([signers.signerNonces(one), signers.signerNonces(other)]).toEqual([[7], [7]]);
    expect(database).toMatchObject({ reads: 2, looks: 1 });
    commit(8);
    write(8);
    for (let time = 0; time < 3; time++) expect(signers.signerNonces(one)).toEqual([8]);
    expect(database).toMatchObject({ reads: 3, looks: 2 });
  });

  it('are those of the newest block as soon as it is written, and of the one before it until then', () => {
    const { signers, commit, write } = scene({ newest: 7 });
    expect(signers.signerNonces(one)).toEqual([7]);
    commit(8);
    expect([signers.signerNonces(one), signers.signerNonces(one)]).toEqual([[7], [7]]);
    write(8);
    expect([signers.signerNonces(one), signers.signerNonces(one)]).toEqual([[8], [8]]);
  });

  it('a block that is written before its results are told is seen with them at the latest', () => {
    const { signers, commit, write } = scene({ newest: 7 });
    expect(signers.signerNonces(one)).toEqual([7]);
    write(8);
    expect(signers.signerNonces(one)).toEqual([7]);
    commit(8);
    expect(signers.signerNonces(one)).toEqual([8]);
  });

  it('are known where no block was written yet', () => {
    const { signers, database } = scene({ newest: 0, written: null });
    expect([signers.signerNonces(one), signers.signerNonces(one)]).toEqual([[0], [0]]);
    expect(database.reads).toBe(1);
  });

  it('of 4096 signers are kept, and of more read each time', () => {
    const { signers, database } = scene({ newest: 7 });
    for (let time = 0; time < 2; time++)
      for (let index = 0; index <= 4_096; index++) expect(signers.signerNonces(signer(index))).toEqual([7]);
    expect(database.reads).toBe(4_098);
  });
});

describe('what else is known of signers', () => {
  it('is what is stored', () => {
    const { signers } = scene({ newest: 7 });
    expect([signers.agent(one, other), signers.agent(other, one)]).toEqual([approval, null]);
    expect([signers.authority(one), signers.authority(other)]).toEqual([one, one]);
    expect([signers.isLocked(one), signers.isLocked(other)]).toEqual([true, false]);
    expect([signers.isKnown(one), signers.isKnown(other)]).toEqual([false, true]);
  });

  it('can not be looked up before the database is open', () => {
    expect(() => new RecentSigners().signerNonces(one)).toThrow('before the database was open');
  });
});
