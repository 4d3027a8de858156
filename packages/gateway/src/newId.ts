import { randomBytes } from 'node:crypto';
import { bytesToHex, type Hex } from '@prime/primitives';

const idBytes = 16;

/** Random, and a quantity without a leading zero at the same time: clients know ids of either form. */
export function newId(): Hex {
  const bytes = randomBytes(idBytes);
  bytes[0]! |= 0x80;
  return bytesToHex(bytes);
}
