import { beforeAll, describe, expect, it } from '@jest/globals';
import { genesisHash, headerHash, type StoredBlock } from '@prime/codec';
import { validatorsFromGenesis, verifyCommitCertificate } from '@prime/consensus';
import { createCryptoProvider, type CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Height } from '@prime/primitives';
import { Cluster } from '../testing/cluster.ts';
import type { ReceivedBlock } from './scheduler.ts';
import { proveSegment, type SegmentContext } from './segment.ts';

const peers = ['a1', 'a2'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const other = `0x${'77'.repeat(32)}` as Hash;
let chain: StoredBlock[];
let context: SegmentContext;
let verifications = 0;

beforeAll(async () => {
  const cluster = await Cluster.create(4, 31);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) >= 8, 60_000);
  chain = cluster.nodes[0]!.disk.blocks.slice(0, 8);
  const { genesis } = cluster;
  const provider = await createCryptoProvider();
  const counting: CryptoProvider = {
    ...provider,
    verify: (...input) => {
      verifications += 1;
      return provider.verify(...input);
    },
  };
  context = {
    parent: { height: 0 as Height, hash: genesisHash(genesis) },
    validators: validatorsFromGenesis(genesis.validators),
    domain: { chainId: genesis.chainId, genesisHash: genesisHash(genesis) },
    provider: counting,
  };
});

/** The first half from one peer, the second from the other. */
const received = (change: (stored: StoredBlock, index: number) => StoredBlock = (stored) => stored): ReceivedBlock[] =>
  chain.map((stored, index) => ({ peer: peers[index < 4 ? 0 : 1], stored: change(stored, index) }));
const unsigned = (stored: StoredBlock): StoredBlock => ({
  ...stored,
  certificate: { ...stored.certificate, signatures: [] },
});
const at = (wanted: number, change: (stored: StoredBlock) => StoredBlock) => (stored: StoredBlock, index: number) =>
  index === wanted ? change(stored) : stored;
const reheaded = (stored: StoredBlock): StoredBlock => {
  const header = { ...stored.block.header, bodyRoot: other };
  const hash = headerHash(header);
  return { block: { ...stored.block, header }, hash, certificate: { ...stored.certificate, blockHash: hash } };
};

it('eight blocks of the same validators: proven with the signatures of one certificate', () => {
  verifications = 0;
  const verdict = proveSegment(received(), context);
  expect(verdict).toMatchObject({ ok: true, proven: { length: 8 } });
  expect(verifications).toBeLessThanOrEqual(4);
});

it('certificates beside earlier blocks are not looked at: what is kept is the one inside of the next block', () => {
  const verdict = proveSegment(
    received((stored, index) => (index < 7 ? unsigned(stored) : stored)),
    context,
  );
  if (!verdict.ok) throw new Error(verdict.reason);
  const { validators, domain, provider } = context;
  for (const { stored } of verdict.proven) {
    expect(stored.certificate.blockHash).toBe(headerHash(stored.block.header));
    expect(verifyCommitCertificate(stored.certificate, validators, { ...domain, provider })).toMatchObject({
      ok: true,
    });
  }
});

it('a block of other validators ends the segment', () => {
  const verdict = proveSegment(
    received(
      at(5, (stored) => ({
        ...stored,
        block: { ...stored.block, header: { ...stored.block.header, validatorsHash: other } },
      })),
    ),
    context,
  );
  expect(verdict).toMatchObject({ ok: true, proven: { length: 5 } });
});

describe('who lies is named', () => {
  it('a last certificate without signatures: the sender of the last block', () => {
    expect(proveSegment(received(at(7, unsigned)), context)).toMatchObject({ ok: false, peer: peers[1] });
  });

  it('a forged block in the middle: all before it is proven, then its sender is named', () => {
    const blocks = received(at(3, reheaded));
    // Block 4 of the chain does not lead back to the forged one: the run ends there, with the forged certificate.
    expect(proveSegment(blocks, context)).toMatchObject({ ok: false, peer: peers[0] });
  });

  it('a forged block at the start of the second half: the first half is proven, then the second peer is named', () => {
    const blocks = received(
      at(4, (stored) => ({
        ...stored,
        block: { ...stored.block, header: { ...stored.block.header, parentHash: other } },
      })),
    );
    const first = proveSegment(blocks, context);
    expect(first).toMatchObject({ ok: true, proven: { length: 4 } });
    const parent = { height: 4 as Height, hash: chain[3]!.hash };
    expect(proveSegment(blocks.slice(4), { ...context, parent })).toMatchObject({ ok: false, peer: peers[1] });
  });

  it('a certificate of another block inside of a block: it is not taken over', () => {
    const stranger = at(4, (stored) => ({ ...stored, block: { ...stored.block, lastCommit: chain[6]!.certificate } }));
    expect(proveSegment(received(stranger), context)).toMatchObject({ ok: true, proven: { length: 4 } });
  });

  it('a decided block that does not follow the own head is handed on: it is no lie', () => {
    const parent = { height: 0 as Height, hash: other };
    expect(proveSegment(received(), { ...context, parent })).toMatchObject({ ok: true, proven: { length: 1 } });
  });
});
