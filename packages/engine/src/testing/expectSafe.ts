import { expect } from '@jest/globals';
import { type Block, decodeBlock, encodeBlock, headerHash } from '@prime/codec';
import type { Hash } from '@prime/primitives';
import type { Cluster } from './cluster.ts';

/** A block as it would come out of a store. */
const roundTrip = (block: Block): Hash => headerHash(decodeBlock(encodeBlock(block)).header);

/** One block per height over all disks, no signature that contradicts another one, and no node that gave up. */
export function expectSafe(cluster: Cluster): void {
  const byHeight = new Map<number, string>();
  for (const { index, disk, fatal } of cluster.nodes) {
    expect({ index, fatal }).toEqual({ index, fatal: null });
    for (const { block, hash } of disk.blocks) {
      expect(roundTrip(block)).toBe(hash);
      expect({ index, height: block.header.height, hash: byHeight.get(block.header.height) ?? hash }).toEqual({
        index,
        height: block.header.height,
        hash,
      });
      byHeight.set(block.header.height, hash);
    }
    const places = disk.signed.map(({ height, round, step }) => `${height}/${round}/${step}`);
    expect(new Set(places).size).toBe(places.length);
  }
}
