import { describe, expect, it } from '@jest/globals';
import { encodeSnapshotManifest, type SnapshotManifest, snapshotFormat, snapshotId } from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';
import { SnapshotOffers, stallMs } from './snapshotOffers.ts';

const [one, two] = ['01', '02'].map((byte) => `0x${byte.repeat(20)}` as Address) as [Address, Address];
const hash = `0x${'5a'.repeat(32)}` as Hash;
const at = (height: number, chunks = 1, format: number = snapshotFormat): SnapshotManifest => ({
  format,
  height: height as Height,
  blockHash: hash,
  stateRoot: hash,
  ordersRoot: hash,
  chunkHashes: Array.from({ length: chunks }, () => hash),
});
const encoded = (...manifests: readonly SnapshotManifest[]): Uint8Array[] => manifests.map(encodeSnapshotManifest);
/** Long enough for all to have said what they have. */
const laterMs = 1_000;

describe('offers of snapshots', () => {
  it('nothing is chosen before others had time to offer theirs', () => {
    const offers = new SnapshotOffers();
    expect(offers.take(one, encoded(at(5)), null, 0)).toBe(true);
    expect(offers.choose(laterMs - 1)).toBeNull();
    expect(offers.choose(laterMs)).toEqual({ id: snapshotId(at(5)), manifest: at(5) });
  });

  it('what two peers have goes before what is newer, and what is newer before the rest', () => {
    const offers = new SnapshotOffers();
    offers.take(one, encoded(at(5), at(9)), null, 0);
    expect(offers.choose(laterMs)?.manifest.height).toBe(9);
    offers.take(two, encoded(at(5)), null, 0);
    expect(offers.choose(laterMs)?.manifest.height).toBe(5);
  });

  it('of another format, or of nothing, it is passed over; one that can not be read is told', () => {
    const offers = new SnapshotOffers();
    expect(offers.take(one, encoded(at(5, 1, snapshotFormat + 1), at(6, 0)), null, 0)).toBe(true);
    expect(offers.choose(laterMs)).toBeNull();
    expect(offers.take(one, [Uint8Array.of(1)], null, 0)).toBe(false);
  });

  it('what was refused is never taken again, and all who offered it are named', () => {
    const offers = new SnapshotOffers();
    for (const peer of [one, two]) offers.take(peer, encoded(at(5)), null, 0);
    expect(offers.refuse(snapshotId(at(5)))).toEqual([one, two]);
    offers.take(one, encoded(at(5)), null, laterMs);
    expect(offers.choose(2 * laterMs)).toBeNull();
  });

  it('what stalled comes back after a while, behind the offers of those who let nobody wait', () => {
    const offers = new SnapshotOffers();
    offers.take(one, encoded(at(9)), null, 0);
    offers.stalled(snapshotId(at(9)), 0);
    offers.take(one, encoded(at(9)), null, 0);
    expect(offers.choose(stallMs - 1)).toBeNull();
    offers.take(two, encoded(at(5)), null, stallMs);
    expect(offers.choose(stallMs + laterMs)?.manifest.height).toBe(5);
    offers.forget(two);
    expect(offers.choose(stallMs + laterMs)?.manifest.height).toBe(9);
  });

  it('a peer that offers others has no more those of before, but for the one that is fetched', () => {
    const offers = new SnapshotOffers();
    offers.take(one, encoded(at(5), at(6)), null, 0);
    offers.take(one, encoded(at(7)), snapshotId(at(5)), 0);
    const peersAt = (height: number): Address[] => [...offers.peersOf(snapshotId(at(height)))];
    expect([5, 6, 7].map(peersAt)).toEqual([[one], [], [one]]);
  });
});
