import { describe, expect, it } from '@jest/globals';
import { bytesEqual, type Address, type Hash, type Height, type Round } from '@prime/primitives';
import type { Proposal, Vote } from '@prime/codec';
import type { MessageSigner, RemoteSigner, SignRequest, SignStateRecord, SignStateStore } from '../ports.ts';
import { createSigningGuard, type GuardedSigner, type Signed } from './signing.ts';

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
    isSealed: () => false,
    unseal: () => undefined,
    close: () => undefined,
  };
  return store;
}

const closed = { isOpen: false };

type Guard = ReturnType<typeof createSigningGuard>;
const guardOf = (store: SignStateStore, { isOpen } = { isOpen: true }): Guard =>
  createSigningGuard({ domain, store, isOpen });

/** Signs and hands out what was delivered, in order; null where nothing was. */
function collecting(guarded: GuardedSigner) {
  const votes: Signed<Vote>[] = [];
  const proposals: Signed<Proposal>[] = [];
  type Args<Kind extends 'vote' | 'proposal'> = [
    Parameters<GuardedSigner[Kind]>[0],
    Parameters<GuardedSigner[Kind]>[1],
  ];
  return {
    votes,
    vote: (...args: Args<'vote'>): Signed<Vote> | null => {
      const before = votes.length;
      guarded.vote(...args, (signed) => votes.push(signed));
      return votes[before] ?? null;
    },
    proposal: (...args: Args<'proposal'>): Signed<Proposal> | null => {
      const before = proposals.length;
      guarded.proposal(...args, (signed) => proposals.push(signed));
      return proposals[before] ?? null;
    },
  };
}

/** Signatures that differ with every call, so that a repeated one shows. */
function localKey(): MessageSigner {
  let calls = 0;
  return { address: validator, sign: (digest) => Uint8Array.of(...digest, ++calls) };
}

const open = (store: SignStateStore) => collecting(guardOf(store).of(validator, localKey(), () => true));

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

  it('while it is closed everything waits, and is signed in order when it opens', () => {
    const store = createStore();
    const guard = guardOf(store, closed);
    const signer = collecting(guard.of(validator, localKey(), () => true));
    expect(signer.vote(prevote(0, hash('01')), unlocked)).toBeNull();
    expect(signer.vote(prevote(1, null), unlocked)).toBeNull();
    guard.open();
    expect(signer.votes.map(({ message }) => message.round)).toEqual([0, 1]);
    expect(signer.vote(prevote(2, null), unlocked)).not.toBeNull();
  });

  it('what waits for a height that is over is not signed any more', () => {
    const store = createStore();
    const guard = guardOf(store, closed);
    let isWanted = true;
    const signer = collecting(guard.of(validator, localKey(), () => isWanted));
    signer.vote(prevote(0, hash('01')), unlocked);
    isWanted = false;
    guard.open();
    expect(signer.votes).toEqual([]);
    // Nothing was signed there, so that a decision of another process is not contradicted.
    expect(collecting(guard.of(validator, localKey(), () => true)).vote(prevote(0, null), unlocked)).not.toBeNull();
  });

  it('a raised watermark: nothing at or before it, and it is durable at once', () => {
    const store = createStore();
    const guard = guardOf(store);
    const raised = {
      ...prevote(3, null),
      step: 3 as const,
      signBytes: Uint8Array.of(1),
      signature: Uint8Array.of(2),
      ...unlocked,
    };
    guard.raise(raised);
    expect(store.record).toBe(raised);
    const signer = collecting(guard.of(validator, localKey(), () => true));
    expect(signer.vote(prevote(3, null), unlocked)).toBeNull();
    guard.raise({ ...raised, height: 4 as Height });
    expect(store.record).toBe(raised);
    expect(signer.vote(prevote(4, null), unlocked)).not.toBeNull();
  });

  it('what the log recalls counts as signed here: durable at once, given again, never contradicted', () => {
    const killed = open(createStore());
    const lost = killed.vote(prevote(1, hash('01')), unlocked)!.message;
    const store = createStore();
    const guarded = guardOf(store).of(validator, localKey(), () => true);
    const lock = { ...unlocked, lockedRound: 0 as Round, lockedValue: hash('01') };
    guarded.recall(lost, lock);
    expect(store.record).toMatchObject({ height: 5, round: 1, step: 2, signature: lost.signature, ...lock });
    const signer = collecting(guarded);
    expect(signer.vote(prevote(1, hash('01')), lock)?.message.signature).toEqual(lost.signature);
    expect(() => signer.vote(prevote(1, null), lock)).toThrow(doubleSign);
    const { record } = store;
    const proposal = { height: 5 as Height, round: 1 as Round, polRound: -1 as Round, blockHash: hash('02') };
    guarded.recall({ ...proposal, proposer: validator, signature: Uint8Array.of(1) }, lock);
    expect(store.record).toBe(record);
    guarded.recall({ ...proposal, round: 2 as Round, proposer: validator, signature: Uint8Array.of(1) }, lock);
    expect(store.record).toMatchObject({ round: 2, step: 1 });
  });
});

describe('createSigningGuard with a remote signer', () => {
  /** Answers when it is told to. */
  function remoteKey() {
    const asked: { request: SignRequest; answer(signature: Uint8Array): void }[] = [];
    const key: RemoteSigner = {
      address: validator,
      isReady: () => true,
      request: (request, _isWanted, answer) => asked.push({ request, answer }),
      signAction: () => Promise.reject(new Error('not asked')),
    };
    return { key, asked };
  }
  const signature = new Uint8Array(65).fill(9);

  it('what is signed comes when the answer comes, with the lock of the time of asking', () => {
    const store = createStore();
    const { key, asked } = remoteKey();
    const signer = collecting(guardOf(store).of(validator, key, () => true));
    expect(signer.vote(prevote(0, hash('01')), { ...unlocked, validRound: 0 as Round })).toBeNull();
    expect(asked[0]!.request).toMatchObject({ height: 5, round: 0, step: 2, lock: { validRound: 0 } });
    asked[0]!.answer(signature);
    expect(signer.votes[0]!.message).toMatchObject({ validator, signature });
    expect(store.record).toBeNull();
    signer.votes[0]!.seal();
    expect(store.record).toMatchObject({ height: 5, step: 2, signature, validRound: 0 });
  });

  it('an answer after the end of its height is dropped, and does not go into the record', () => {
    const store = createStore();
    const { key, asked } = remoteKey();
    let isWanted = true;
    const signer = collecting(guardOf(store).of(validator, key, () => isWanted));
    signer.vote(prevote(0, hash('01')), unlocked);
    isWanted = false;
    asked[0]!.answer(signature);
    expect([signer.votes, store.record]).toEqual([[], null]);
  });

  it('a place that another node used first is passed over: that is no broken promise of this one', () => {
    const store = createStore();
    const guard = guardOf(store);
    const { key, asked } = remoteKey();
    guard.raise({ ...prevote(0, null), step: 2, signBytes: Uint8Array.of(1), signature, ...unlocked });
    const signer = collecting(guard.of(validator, key, () => true));
    expect(signer.vote(prevote(0, hash('01')), unlocked)).toBeNull();
    expect(asked).toEqual([]);
  });
});
