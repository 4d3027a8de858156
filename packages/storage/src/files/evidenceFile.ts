import { readFileSync } from 'node:fs';
import { decodeEvidence, decodeRlp, encodeEvidence, encodeRlp, type Evidence } from '@prime/codec';
import type { EvidenceStore } from '@prime/engine';
import { concatBytes, isPrimeError } from '@prime/primitives';
import { readU32, writeU32 } from './bigEndian.ts';
import { crc32c } from './crc32c.ts';
import { systemCodeOf } from '../errors.ts';
import { writeFileDurably } from './files.ts';

/**
 * Evidence that waits for a block, in one small file that is replaced as a whole: CRC-32C of the rest, then the RLP list of the pieces.
 *
 * A file that is missing or damaged is empty: what it held is with the other validators as well, and is judged anew before it is used.
 */
export const openEvidenceFile = (path: string): EvidenceStore => ({
  read: () => readEvidence(path),
  write(evidence) {
    const list = encodeRlp(evidence.map(encodeEvidence));
    const checksum = new Uint8Array(4);
    writeU32(checksum, 0, crc32c(list));
    writeFileDurably(path, concatBytes(checksum, list), 0o600);
  },
});

function readEvidence(path: string): readonly Evidence[] {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(readFileSync(path));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
  const list = bytes.subarray(4);
  if (bytes.length < 5 || crc32c(list) !== readU32(bytes, 0)) return [];
  try {
    const items = decodeRlp(list);
    return Array.isArray(items) ? items.map((item) => decodeEvidence(item as Uint8Array)) : [];
  } catch (error) {
    if (isPrimeError(error)) return [];
    throw error;
  }
}
