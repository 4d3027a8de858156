import { describe, expect, it } from '@jest/globals';
import { encodeStoredBlock, type Header, headerHash, type StoredBlock } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { KeptSnapshot, PeerMessage, SnapshotShelf } from '../ports.ts';
import { serveKept } from './serving.ts';

const peer = `0x${'01'.repeat(20)}` as Address;
const hash = `0x${'22'.repeat(32)}` as Hash;
/** Of a frame with blocks, docs/protocol/p2p.md. */
const frameBytes = 2 << 20;

const header = (height: number): Header => ({
  version: 1,
  chainId: 7919,
  height: height as Height,
  timestampMs: 1_700_000_000_000 as Header['timestampMs'],
  parentHash: hash,
  proposer: peer,
  validatorsHash: hash,
  nextValidatorsHash: hash,
  bodyRoot: hash,
  lastCommitHash: hash,
  evidenceHash: hash,
  gasLimit: 2n ** 40n,
  baseFee: 2n ** 60n,
  parentResults: { stateRoot: hash, receiptsRoot: hash, eventsRoot: hash, gasUsed: 2n ** 40n },
});

const certificate = (height: number, count: number) => ({
  height: height as Height,
  round: 0 as Round,
  blockHash: headerHash(header(height)),
  signatures: Array.from({ length: count }, (_, index) => ({
    validator: `0x${(index + 1).toString(16).padStart(40, '0')}` as Address,
    signature: new Uint8Array(65).fill(0xff),
  })),
});

/** Blocks of so many bytes of transactions, decided by so many validators. */
function answerTo(bodyBytes: number, validators: number): readonly StoredBlock[] {
  const get = (height: Height): StoredBlock => ({
    hash: headerHash(header(height)),
    certificate: certificate(height, validators),
    block: {
      header: header(height),
      transactions: Array.from({ length: Math.ceil(bodyBytes / 110) }, () => new Uint8Array(110).fill(0xff)),
      actions: [],
      evidence: [],
      lastCommit: certificate(height - 1, validators),
    },
  });
  const sent: PeerMessage[] = [];
  const blocks = { get, head: () => 100, base: () => 1 } as never;
  const network = { send: (_: Address, message: PeerMessage) => sent.push(message) > 0 } as never;
  serveKept({ blocks, network }, peer, { kind: 'blocksRequest', requestId: 1, from: 2 as Height, count: 64 });
  const [answer] = sent;
  return answer?.kind === 'blocks' ? answer.blocks : [];
}

const bytesOf = (blocks: readonly StoredBlock[]): number =>
  blocks.reduce((sum, stored) => sum + encodeStoredBlock(stored).length + 5, 16);

describe('blocks in one answer', () => {
  it.each([
    ['empty ones of a small set', 0, 4],
    ['empty ones of the largest set', 0, 100],
    ['middling ones of the largest set', 14_600, 100],
    ['large ones of small transactions', 500_000, 100],
  ])('%s: they fit a frame, and it is used well', (_, bodyBytes, validators) => {
    const blocks = answerTo(bodyBytes, validators);
    expect(bytesOf(blocks)).toBeLessThanOrEqual(frameBytes);
    expect(blocks.length === 64 || bytesOf(blocks) > frameBytes / 4).toBe(true);
  });

  it('one goes alone however large it is', () => {
    expect(answerTo(1_500_000, 100)).toHaveLength(1);
  });
});

describe('a chunk of a snapshot', () => {
  const kept: KeptSnapshot = { id: hash, encoded: Uint8Array.of(7), manifest: { height: 8 as Height } as never };
  /** A shelf with one snapshot that has one chunk. */
  const shelf: SnapshotShelf = {
    list: () => [kept],
    find: (height) => (height === 8 ? kept : null),
    chunk: (height, index) => (height === 8 && index === 0 ? Uint8Array.of(1) : null),
  };
  const ask = (fields: { snapshot: Hash; height: number; index: number }, snapshots?: SnapshotShelf): PeerMessage => {
    const sent: PeerMessage[] = [];
    const network = { send: (_: Address, message: PeerMessage) => sent.push(message) > 0 } as never;
    const request = { kind: 'chunkRequest', requestId: 3, ...fields, height: fields.height as Height } as const;
    serveKept({ blocks: {} as never, network, ...(snapshots && { snapshots }) }, peer, request);
    return sent[0]!;
  };
  const other = `0x${'33'.repeat(32)}` as Hash;

  it.each([
    ['that is kept', { snapshot: hash, height: 8, index: 0 }, [1]],
    ['of another name', { snapshot: other, height: 8, index: 0 }, []],
    ['of another height', { snapshot: hash, height: 9, index: 0 }, []],
    ['beyond its end', { snapshot: hash, height: 8, index: 1 }, []],
  ])('%s', (_name, fields, bytes) => {
    expect(ask(fields, shelf)).toEqual({ kind: 'chunk', requestId: 3, bytes: Uint8Array.from(bytes) });
  });

  it('of a node that takes none: nothing', () => {
    const answer = { kind: 'chunk', requestId: 3, bytes: new Uint8Array(0) };
    expect(ask({ snapshot: hash, height: 8, index: 0 })).toEqual(answer);
  });
});
