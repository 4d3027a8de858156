import { describe, expect, it } from '@jest/globals';
import { bytesEqual, type Address, type Hash, type Height, type Round } from '@prime/primitives';
import type { SignStateRecord, SignStateStore } from './ports.ts';
import { createSigningGuard, type GuardedSigner } from './signing.ts';

const hash = (byte: string): Hash => `0x${byte.repeat(32)}` as Hash;
const domain = { chainId: 7919, genesisHash: hash('99') };
const validator = `0x${'aa'.repeat(20)}` as Address;
const unlocked = { lockedRound: -1 as Round, lockedValue: null, validRound: -1 as Round, validValue: null };

/** A store that survives the signer, as a file survives a process. */
function createStore(): SignStateStore & { record: SignStateRecord | null } {
  const store = {
    record: null as SignStateRecord | null,
    read: () => store.record,
    write: (record: SignStateRecord) => {
      store.record = record;
    },
    close: () => undefined,
  };
  return store;
}

/** Signatures that differ with every call, so that a repeated one shows. */
function open(store: SignStateStore): GuardedSigner {
  let calls = 0;
  const sign = (digest: Uint8Array): Uint8Array => Uint8Array.of(...digest, ++calls);
  return createSigningGuard({ domain, store })(validator, { address: validator, sign });
}

const prevote = (round: number, blockHash: Hash | null, height = 5) => ({
  type: 'prevote' as const,
  height: height as Height,
  round: round as Round,
  blockHash,
});
const doubleSign = expect.objectContaining({ code: 'ENGINE_DOUBLE_SIGN' });

describe('createSigningGuard', () => {
  it('the record is durable only once the caller seals, and not before', () => {
    const store = createStore();
    const signed = open(store).vote(prevote(0, hash('01')), unlocked)!;
    expect(store.record).toBeNull();
    signed.seal();
    expect(store.record).toMatchObject({ height: 5, round: 0, step: 2, ...unlocked });
  });

  it('the same message again: the very same signature, also after a restart', () => {
    const store = createStore();
    const first = open(store).vote(prevote(0, hash('01')), unlocked)!;
    first.seal();
    const again = open(store).vote(prevote(0, hash('01')), unlocked)!;
    expect(bytesEqual(again.message.signature, first.message.signature)).toBe(true);
  });

  it('another message at the same place: ENGINE_DOUBLE_SIGN, with the place', () => {
    const store = createStore();
    const signer = open(store);
    signer.vote(prevote(0, hash('01')), unlocked)!.seal();
    expect(() => signer.vote(prevote(0, hash('02')), unlocked)).toThrow(doubleSign);
    expect(() => open(store).vote(prevote(0, null), unlocked)).toThrow(doubleSign);
  });

  it('even when the first one was not sealed: it may have been seen', () => {
    const signer = open(createStore());
    signer.vote(prevote(0, hash('01')), unlocked);
    expect(() => signer.vote(prevote(0, null), unlocked)).toThrow(doubleSign);
  });

  it('a place behind the newest signature: nothing is signed', () => {
    const signer = open(createStore());
    signer.vote({ ...prevote(1, hash('01')), type: 'precommit' }, unlocked)!.seal();
    expect(signer.vote(prevote(1, hash('01')), unlocked)).toBeNull();
    expect(signer.vote(prevote(7, hash('01'), 4), unlocked)).toBeNull();
    const proposal = { height: 5 as Height, round: 1 as Round, polRound: -1 as Round, blockHash: hash('01') };
    expect(signer.proposal(proposal, unlocked)).toBeNull();
    expect(signer.proposal({ ...proposal, round: 2 as Round }, unlocked)).not.toBeNull();
  });
});
