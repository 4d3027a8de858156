import { chunkHash } from '@prime/chain';
import { createChunkWriter, createRecordReader, type SnapshotRecord } from '@prime/chain/records';
import { type SnapshotManifest, statePrefix } from '@prime/codec';
import { createStateBuilder } from '@prime/evm';
import { createMemoryDatabase } from '@prime/evm/testing';
import { type Address, bytesEqual, type Hash, hexToBytes } from '@prime/primitives';
import { snapshotChunkBytes, type SnapshotOnDisk } from './snapshots.ts';

/**
 * A snapshot of a state that there never was, in which an account is gone, and all else fits together: trie, results, chunks and manifest. Only the
 * header of the next block says that it is none of this chain.
 *
 * @param claims the root that the manifest names: the one of the forged state, or the true one, which the contents do not have
 */
export async function forgedSnapshot(
  { manifest, chunks }: SnapshotOnDisk,
  victim: Address,
  claims: 'forged' | 'true',
): Promise<SnapshotOnDisk> {
  const reader = createRecordReader();
  const key = Uint8Array.of(statePrefix.account, ...hexToBytes(victim));
  const records = chunks.flatMap((chunk) => reader.add(chunk)).filter((record) => !bytesEqual(record.key, key));
  const stateRoot = await rootOf(records, manifest);
  const forged = claims === 'true' ? records : records.map((record) => replaced(record, manifest.stateRoot, stateRoot));
  const writer = createChunkWriter(snapshotChunkBytes);
  const parts = forged.flatMap((record) => writer.add(record));
  const rest = writer.end();
  const all = rest === null ? parts : [...parts, rest];
  const root = claims === 'true' ? manifest.stateRoot : stateRoot;
  return { manifest: { ...manifest, stateRoot: root, chunkHashes: all.map(chunkHash) }, chunks: all };
}

const ofState = new Set<number>([statePrefix.account, statePrefix.code, statePrefix.storage]);

async function rootOf(records: readonly SnapshotRecord[], { height }: SnapshotManifest): Promise<Hash> {
  const builder = createStateBuilder(createMemoryDatabase(), height);
  for (const { key, value } of records) if (ofState.has(key[0]!)) await builder.add(key, value);
  return builder.finish();
}

/** The results of the block with another state root in them; all else as it is. */
function replaced(record: SnapshotRecord, from: Hash, to: Hash): SnapshotRecord {
  if (record.key[0] !== statePrefix.executed) return record;
  const [text, old] = [record.value, hexToBytes(from)].map((bytes) => Buffer.from(bytes).toString('hex'));
  return { ...record, value: Buffer.from(text!.replace(old!, to.slice(2)), 'hex') };
}
