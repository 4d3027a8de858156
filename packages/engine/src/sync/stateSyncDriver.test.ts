import { beforeAll, describe, expect, it } from '@jest/globals';
import { encodeSnapshotManifest, genesisHash, type SnapshotManifest, type StoredBlock } from '@prime/codec';
import { createCryptoProvider, keccakHex } from '@prime/crypto';
import type { Address, Hash, Height } from '@prime/primitives';
import type { PeerMessage } from '../ports.ts';
import { Cluster } from '../testing/cluster.ts';
import { createSnapshotChecks, type RestoredState } from './snapshotChecks.ts';
import { StateSyncDriver, type StateSyncPorts } from './stateSyncDriver.ts';

const takenAt = 5;
const chunks = [Uint8Array.of(1), Uint8Array.of(2)];
const peer = { address: `0x${'a1'.repeat(20)}` as Address } as const;
const other = `0x${'77'.repeat(32)}` as Hash;
let chain: readonly StoredBlock[];
let manifest: SnapshotManifest;
let truth: RestoredState;
let options: ConstructorParameters<typeof StateSyncDriver>[0];

beforeAll(async () => {
  const cluster = await Cluster.create(4, 44);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) > takenAt, 600_000);
  chain = [...cluster.nodes[0]!.disk.blocks];
  const { genesis } = cluster;
  const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  const provider = await createCryptoProvider();
  const trusted = { height: (takenAt + 1) as Height, hash: chain[takenAt]!.hash };
  options = { trusted, domain, provider, chunkHash: keccakHex, checks: createSnapshotChecks(domain, provider) };
  const next = chain[takenAt]!.block.header;
  const { stateRoot } = next.parentResults;
  const blockHash = chain[takenAt - 1]!.hash;
  const chunkHashes = chunks.map(keccakHex);
  manifest = { format: 1, height: takenAt as Height, blockHash, stateRoot, ordersRoot: other, chunkHashes };
  const { disk } = cluster.nodes[0]!;
  const [validators, nextValidators] = [takenAt, takenAt + 1].map((height) => disk.validators.get(height as Height)!);
  const stored = chain[takenAt - 1]!;
  truth = {
    stored,
    validators: validators!,
    nextValidators: nextValidators!,
    roots: next.parentResults,
    nextBaseFee: next.baseFee,
  };
}, 60_000);

/** A driver whose only peer offers these snapshots and answers everything, but for one chunk. */
function begin(restore: StateSyncPorts['restore'], offered = [manifest], missing: number | null = null) {
  let nowMs = 0;
  const banned: string[] = [];
  const answer = (message: PeerMessage): PeerMessage | null => {
    if (message.kind === 'snapshotsRequest')
      return { kind: 'snapshots', requestId: message.requestId, manifests: offered.map(encodeSnapshotManifest) };
    if (message.kind === 'chunkRequest' && message.index !== missing)
      return { kind: 'chunk', requestId: message.requestId, bytes: chunks[message.index]! };
    if (message.kind !== 'headersRequest') return null;
    const headers = chain.slice(message.from - 1, message.from - 1 + message.count).map(({ block }) => block.header);
    return { kind: 'headers', requestId: message.requestId, headers, certificate: null, validators: null };
  };
  const answers: PeerMessage[] = [];
  const driver = new StateSyncDriver(options, {
    send: (_to, message) => {
      const said = answer(message);
      if (said !== null) answers.push(said);
    },
    ban: (_peer, reason) => void banned.push(reason),
    restore,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  });
  driver.onPeerConnected(peer);
  /** Lets two seconds pass. */
  const pass = async (): Promise<void> => {
    for (const end = nowMs + 2_000; nowMs < end; nowMs += 50) {
      for (const message of answers.splice(0)) driver.onMessage(peer.address, message);
      driver.tick();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { driver, banned, pass };
}

async function readAll(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe('the driver of a state sync', () => {
  it('gives the chunks in order, holds what came out of them against the proven header, and is done', async () => {
    const read: Uint8Array[][] = [];
    const { driver, banned, pass } = begin(async (_manifest, parts, refuse) => {
      read.push(await readAll(parts));
      return refuse(truth);
    });
    expect(driver.status()).toEqual({ trustedHeight: takenAt + 1, peers: 1, snapshot: null });
    await pass();
    await driver.done;
    expect(driver.status()).toMatchObject({ snapshot: { height: takenAt, chunks: 2, received: 2 } });
    driver.onPeerDisconnected(peer);
    expect(driver.status().peers).toBe(0);
    expect(read).toEqual([chunks]);
    expect(banned).toEqual([]);
  });

  it.each<[string, () => Partial<RestoredState>]>([
    ['another state', () => ({ roots: { ...truth.roots, stateRoot: other } })],
    ['other receipts', () => ({ roots: { ...truth.roots, receiptsRoot: other } })],
    ['other events', () => ({ roots: { ...truth.roots, eventsRoot: other } })],
    ['other gas', () => ({ roots: { ...truth.roots, gasUsed: 1n } })],
    ['another base fee', () => ({ nextBaseFee: truth.nextBaseFee + 1n })],
    ['another block', () => ({ stored: chain[takenAt - 2]! })],
    ['another certificate', () => ({ stored: { ...truth.stored, certificate: chain[takenAt - 2]!.certificate } })],
    ['too few signatures', () => ({ stored: withFewer(truth.stored) })],
    ['other next validators', () => ({ nextValidators: { validators: truth.nextValidators.validators.slice(1) } })],
    ['other turns', () => ({ nextValidators: truth.validators })],
  ])('a snapshot that turns out to be of %s: refused, and its sender banned', async (_name, change) => {
    const { driver, banned, pass } = begin(async (_manifest, parts, refuse) => {
      await readAll(parts);
      return refuse({ ...truth, ...change() });
    });
    await pass();
    expect(banned).toHaveLength(1);
    await driver.stop();
  });

  it('a manifest of a state that the header does not name: nothing of it is fetched', async () => {
    let begun = 0;
    const restore = async () => {
      begun += 1;
      return null;
    };
    const { driver, banned, pass } = begin(restore, [{ ...manifest, stateRoot: other }]);
    await pass();
    expect([begun, banned]).toEqual([0, ['the snapshot is not of the state of its block']]);
    await driver.stop();
  });

  it('what has nothing to do with the snapshot ends the sync, and nobody is banned', async () => {
    const { driver, banned, pass } = begin(() => Promise.reject(new Error('the disk is full')));
    await Promise.all([expect(driver.done).rejects.toThrow('the disk is full'), pass()]);
    expect(banned).toEqual([]);
  });

  it('stopped while it waits for chunks: the restore ends first, and says nothing more', async () => {
    let left = false;
    const restore: StateSyncPorts['restore'] = async (_manifest, parts) => {
      try {
        await readAll(parts);
        return null;
      } finally {
        left = true;
      }
    };
    const { driver, pass } = begin(restore, [manifest], 1);
    await pass();
    expect(left).toBe(false);
    await driver.stop();
    expect(left).toBe(true);
  });
});

const withFewer = (stored: StoredBlock): StoredBlock => ({
  ...stored,
  certificate: { ...stored.certificate, signatures: stored.certificate.signatures.slice(0, 2) },
});
