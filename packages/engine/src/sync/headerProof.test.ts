import { beforeAll, describe, expect, it } from '@jest/globals';
import { genesisHash, type Header, type StoredBlock, type ValidatorSet } from '@prime/codec';
import { advanceProposer, validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider, type CryptoProvider } from '@prime/crypto';
import type { Hash, Height } from '@prime/primitives';
import type { HeaderRange } from '../ports.ts';
import type { SigningDomain } from '../signing/signing.ts';
import { Cluster } from '../testing/cluster.ts';
import { HeaderProof } from './headerProof.ts';

const other = `0x${'77'.repeat(32)}` as Hash;
let chain: readonly StoredBlock[];
let domain: SigningDomain;
let provider: CryptoProvider;
let set: ValidatorSet;

beforeAll(async () => {
  const cluster = await Cluster.create(4, 41);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) >= 75, 600_000);
  chain = [...cluster.nodes[0]!.disk.blocks];
  const { genesis } = cluster;
  domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  provider = await createCryptoProvider();
  set = advanceProposer(validatorsFromGenesis(genesis.validators));
});

const blockAt = (height: number): StoredBlock => chain[height - 1]!;
const open = (trusted: number, target: number, hash = blockAt(trusted).hash): HeaderProof =>
  new HeaderProof({ trusted: { height: trusted as Height, hash }, target: target as Height, domain, provider });

/** What an honest peer answers. */
function answer(proof: HeaderProof): HeaderRange {
  const { from, count } = proof.next();
  const blocks = chain.slice(from - 1, from - 1 + count);
  // The validators of block 1 are those of genesis and in no block store.
  const validators = from === 1 ? null : set;
  return { headers: blocks.map(({ block }) => block.header), certificate: blocks.at(-1)!.certificate, validators };
}
const withHeader = (range: HeaderRange, at: number, change: Partial<Header>): HeaderRange => ({
  ...range,
  headers: range.headers.map((header, index) => (index === at ? { ...header, ...change } : header)),
});

describe('honest answers', () => {
  it.each([
    ['the trusted block itself', 20, 20, 1],
    ['the one before it', 20, 19, 1],
    ['many blocks before it', 75, 2, 2],
    ['the one after it', 20, 21, 1],
    ['many blocks after it', 2, 75, 2],
    ['many blocks after the first one of all', 1, 75, 3],
  ])('%s: proven after as few requests as there are', (_name, trusted, target, requests) => {
    const proof = open(trusted, target);
    for (let count = 0; count < requests; count++) {
      expect(proof.proven).toBeNull();
      expect(proof.take(answer(proof))).toBeNull();
    }
    expect(proof.proven).toEqual(blockAt(target).block.header);
  });
});

describe('lies', () => {
  it('another trusted hash than the one of the chain: nobody can prove anything', () => {
    for (const target of [10, 30]) {
      const proof = open(20, target, other);
      expect(proof.take(answer(proof))).toMatch(/trusted/);
      expect(proof.proven).toBeNull();
    }
  });

  it.each<[string, number, (range: HeaderRange) => HeaderRange, RegExp]>([
    ['fewer headers', 10, (range) => ({ ...range, headers: range.headers.slice(1) }), /other headers/],
    ['a header changed on the way back', 10, (range) => withHeader(range, 3, { bodyRoot: other }), /follow/],
    ['the last header changed on the way back', 10, (range) => withHeader(range, 10, { bodyRoot: other }), /trusted/],
    ['a header changed on the way forward', 30, (range) => withHeader(range, 3, { bodyRoot: other }), /follow/],
    [
      'the last header changed on the way forward',
      30,
      (range) => withHeader(range, 10, { bodyRoot: other }),
      /another block/,
    ],
    ['no certificate', 30, (range) => ({ ...range, certificate: null }), /without a proof/],
    ['no validators', 30, (range) => ({ ...range, validators: null }), /without a proof/],
    [
      'other validators',
      30,
      (range) => ({ ...range, validators: { validators: set.validators.slice(1) } }),
      /other validators/,
    ],
    [
      'a certificate of another block',
      30,
      (range) => ({ ...range, certificate: blockAt(29).certificate }),
      /another block/,
    ],
    [
      'a certificate without signatures',
      30,
      (range) => ({ ...range, certificate: { ...range.certificate!, signatures: [] } }),
      /refused/,
    ],
  ])('%s: refused, and the honest answer is taken afterwards', (_name, target, change, reason) => {
    const proof = open(20, target);
    expect(proof.take(change(answer(proof)))).toMatch(reason);
    expect(proof.take(answer(proof))).toBeNull();
    expect(proof.proven).toEqual(blockAt(target).block.header);
  });

  it('validators that change within the range: the range is asked for again up to there, and the new ones must be named', () => {
    const proof = open(20, 30);
    const wanted = proof.next();
    const end = answer(proof);
    // As a chain would look whose validators change at 25; the peer's headers do not hash to that chain, so it ends as a lie.
    const headers = end.headers.map((header) => (header.height >= 25 ? { ...header, validatorsHash: other } : header));
    expect(proof.take({ ...end, headers })).toMatch(/follow/);
    expect(proof.next()).toEqual(wanted);
  });
});
