import { beforeAll, describe, expect, it } from '@jest/globals';
import { encodeNativeTransaction, proposalSignBytes, voteSignBytes } from '@prime/codec';
import { type CryptoProvider, cryptoProvider, keccak256, publicKeyToAddress, recoverAddress } from '@prime/crypto';
import { comparePlaces, type LockState, type SignStateRecord, type SignStateStore } from '@prime/engine';
import { type Hash, type Height, type Round, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { transportKeyDigest } from '../wire/hello.ts';
import { createSigningDesk, type HeldKey, type SigningDesk } from './desk.ts';

const chainId = 7919;
const hash = (byte: number): Hash => `0x${byte.toString(16).padStart(2, '0').repeat(32)}` as Hash;
const genesisHash = hash(0x99);
const unlocked: LockState = { lockedRound: -1 as Round, lockedValue: null, validRound: -1 as Round, validValue: null };
let provider: CryptoProvider;
beforeAll(async () => {
  provider = await cryptoProvider();
});

const keyOf = (name: string): HeldKey => {
  const privateKey = keccak256(utf8ToBytes(name));
  const publicKey = provider.publicKey(privateKey);
  return { publicKey, address: publicKeyToAddress(publicKey), sign: (digest) => provider.sign(digest, privateKey) };
};

/** Every record in the order in which it became durable. */
function createStore() {
  const records: SignStateRecord[] = [];
  const store: SignStateStore = {
    read: () => records.at(-1) ?? null,
    write: (record) => records.push(record),
    isSealed: () => false,
    unseal: () => undefined,
    close: () => undefined,
  };
  return { records, store };
}

function open(names: readonly string[] = ['one']) {
  const { records, store } = createStore();
  const keys = names.map(keyOf);
  const desk = createSigningDesk({ chainId, genesisHash, store, keys: () => keys, provider });
  return { desk, records, keys, key: keys[0]!.address };
}

const place = (height: number, round: number) => ({ height: height as Height, round: round as Round });
const prevote = (height: number, round: number, blockHash: Hash | null, chain = chainId): Uint8Array =>
  voteSignBytes(chain, genesisHash, { ...place(height, round), type: 'prevote', blockHash });
const precommit = (height: number, round: number, blockHash: Hash | null): Uint8Array =>
  voteSignBytes(chainId, genesisHash, { ...place(height, round), type: 'precommit', blockHash });
const proposal = (height: number, round: number, blockHash: Hash): Uint8Array =>
  proposalSignBytes(chainId, genesisHash, { ...place(height, round), polRound: -1 as Round, blockHash });
const ask = (desk: SigningDesk, key: HeldKey['address'], signBytes: Uint8Array, lock = unlocked) =>
  desk.sign({ key, signBytes, lock });
const refused = (refusal: string) => ({ ok: false, refusal, reason: expect.any(String) });

describe('a signing desk', () => {
  it('signs what a validator signs, and has the record before it answers', () => {
    const { desk, records, key } = open();
    for (const signBytes of [proposal(5, 0, hash(1)), prevote(5, 0, hash(1)), precommit(5, 0, hash(1))]) {
      const verdict = ask(desk, key, signBytes);
      expect(verdict.ok && recoverAddress(provider, keccak256(signBytes), verdict.signature)).toBe(key);
      expect(records.at(-1)).toMatchObject({ height: 5, round: 0, signBytes });
    }
    expect(records.map(({ step }) => step)).toEqual([1, 2, 3]);
  });

  it('what can not be recorded is not answered', () => {
    const { store } = createStore();
    const broken: SignStateStore = {
      ...store,
      write: () => {
        throw new Error('disk full');
      },
    };
    const keys = [keyOf('one')];
    const desk = createSigningDesk({ chainId, genesisHash, store: broken, keys: () => keys, provider });
    expect(() => ask(desk, keys[0]!.address, prevote(1, 0, null))).toThrow('disk full');
  });

  it('the very same message: the same bytes; another one at its place: conflict; a place before it: behind', () => {
    const { desk, records, key } = open();
    const first = ask(desk, key, prevote(5, 1, hash(1)));
    expect(ask(desk, key, prevote(5, 1, hash(1)))).toEqual(first);
    expect(ask(desk, key, prevote(5, 1, hash(2)))).toEqual(refused('conflict'));
    expect(ask(desk, key, prevote(5, 1, null))).toEqual(refused('conflict'));
    expect(ask(desk, key, proposal(5, 1, hash(1)))).toEqual(refused('behind'));
    expect(ask(desk, key, prevote(4, 9, hash(1)))).toEqual(refused('behind'));
    expect(records).toHaveLength(1);
  });

  it('all keys share one sequence: the message of another key at the same place is a conflict', () => {
    const { desk, keys } = open(['one', 'two']);
    expect(ask(desk, keys[0]!.address, prevote(5, 1, hash(1))).ok).toBe(true);
    expect(ask(desk, keys[1]!.address, prevote(5, 1, hash(1)))).toEqual(refused('conflict'));
    expect(ask(desk, keys[1]!.address, prevote(6, 0, hash(1))).ok).toBe(true);
  });

  it('a lock never goes back within a height: who does not know of it can not vote against it', () => {
    const { desk, key } = open();
    const locked = { ...unlocked, lockedRound: 1 as Round, lockedValue: hash(1) };
    expect(ask(desk, key, precommit(5, 1, hash(1)), locked).ok).toBe(true);
    expect(ask(desk, key, prevote(5, 2, hash(2)))).toEqual(refused('lockBehind'));
    expect(ask(desk, key, prevote(5, 2, hash(2)), { ...locked, lockedValue: hash(2) })).toEqual(refused('lockBehind'));
    expect(ask(desk, key, prevote(5, 2, hash(1)), locked).ok).toBe(true);
    const moved = { ...locked, lockedRound: 2 as Round, lockedValue: hash(2) };
    expect(ask(desk, key, precommit(5, 2, hash(2)), moved).ok).toBe(true);
    expect(ask(desk, key, prevote(6, 0, hash(3))).ok).toBe(true);
  });

  it('refuses another network, an unknown key, and anything that is no message of a validator', () => {
    const { desk, key, records } = open();
    expect(ask(desk, key, prevote(5, 0, null, chainId + 1))).toEqual(refused('otherNetwork'));
    expect(ask(desk, keyOf('nobody').address, prevote(5, 0, null))).toEqual(refused('unknownKey'));
    const damaged: readonly (readonly [number, number])[] = [
      [0, 1],
      [56, 7],
      [69, 2],
      [101, 1],
    ];
    for (const [offset, value] of damaged) {
      const bytes = prevote(5, 0, null);
      bytes[offset] = value;
      expect([offset, ask(desk, key, bytes)]).toEqual([offset, refused('malformed')]);
    }
    expect(ask(desk, key, new Uint8Array(102))).toEqual(refused('malformed'));
    expect(ask(desk, key, utf8ToBytes('prime-p2p-key-1'))).toEqual(refused('malformed'));
    expect(records).toEqual([]);
  });

  it('vouches for unsigned calls of its chain, and for no action that an account signs itself', () => {
    const { desk, key } = open();
    const action = (signatureKind: 'gateway' | 'raw', chain = chainId) =>
      encodeNativeTransaction({
        chainId: chain,
        nonce: 1,
        expiresAt: 0,
        account: key,
        payload: { type: 'noop' },
        signatureKind,
        signature: new Uint8Array(65),
      });
    expect(desk.signAction({ key, unsigned: action('gateway') }).ok).toBe(true);
    expect(desk.signAction({ key, unsigned: action('raw') })).toEqual(refused('malformed'));
    expect(desk.signAction({ key, unsigned: action('gateway', 1) })).toEqual(refused('otherNetwork'));
    expect(desk.signAction({ key, unsigned: prevote(5, 0, null) })).toEqual(refused('malformed'));
  });

  it('gives a TLS key its word, which is about that key and this network only', () => {
    const { desk, key } = open();
    const spki = hash(7);
    const [credential] = desk.credentials(spki);
    const digest = transportKeyDigest({ chainId, genesisHash, senderSpki: spki });
    expect(recoverAddress(provider, digest, credential!.credential)).toBe(key);
    const other = transportKeyDigest({ chainId, genesisHash, senderSpki: hash(8) });
    expect(recoverAddress(provider, other, credential!.credential)).not.toBe(key);
  });

  it('a newer record of a node raises it, if one of the keys made it; it never lowers', () => {
    const { desk, keys, key, records } = open();
    const record = (height: number, by = keys[0]!): SignStateRecord => {
      const signBytes = precommit(height, 0, null);
      return { ...place(height, 0), step: 3, signBytes, signature: by.sign(keccak256(signBytes)), ...unlocked };
    };
    expect(desk.raise(record(9, keyOf('nobody')))).toBe(false);
    expect(desk.raise({ ...record(9), height: 10 as Height })).toBe(false);
    expect(desk.raise(record(9))).toBe(true);
    expect(desk.raise(record(8))).toBe(false);
    expect(records.map(({ height }) => height)).toEqual([9]);
    expect(ask(desk, key, prevote(9, 0, null))).toEqual(refused('behind'));
  });

  it('whatever nodes ask in whatever order: one message at each place, and places only go up', () => {
    const request = fc.record({
      height: fc.integer({ min: 1, max: 3 }),
      round: fc.integer({ min: 0, max: 2 }),
      kind: fc.constantFrom('proposal', 'prevote', 'precommit'),
      value: fc.integer({ min: 0, max: 2 }),
      lockedRound: fc.integer({ min: -1, max: 2 }),
      lockedValue: fc.integer({ min: 1, max: 2 }),
    });
    const signBytesOf = ({
      height,
      round,
      kind,
      value,
    }: {
      height: number;
      round: number;
      kind: string;
      value: number;
    }) =>
      kind === 'proposal'
        ? proposal(height, round, hash(value + 1))
        : (kind === 'prevote' ? prevote : precommit)(height, round, value === 0 ? null : hash(value));
    fc.assert(
      fc.property(fc.array(request, { maxLength: 40 }), (requests) => {
        const { desk, records, key } = open();
        const signed = new Map<string, string>();
        for (const one of requests) {
          const lock: LockState =
            one.lockedRound < 0
              ? unlocked
              : { ...unlocked, lockedRound: one.lockedRound as Round, lockedValue: hash(one.lockedValue) };
          const signBytes = signBytesOf(one);
          const verdict = ask(desk, key, signBytes, lock);
          if (!verdict.ok) continue;
          const at = `${one.height}/${one.round}/${one.kind}`;
          const message = `${signBytes.join()} ${verdict.signature.join()}`;
          expect(signed.get(at) ?? message).toBe(message);
          signed.set(at, message);
        }
        for (const [index, record] of records.entries())
          if (index > 0) expect(comparePlaces(record, records[index - 1]!)).toBeGreaterThan(0);
      }),
      { numRuns: 60 },
    );
  });
});
