import { randomBytes, timingSafeEqual } from 'node:crypto';
import { bytesToHex, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';

/**
 * Who may read a node's home may tell it to change something. A page in a browser on this machine and other users of it reach the
 * admin endpoint as well, and must not.
 */
export interface AdminToken {
  /** Of the header `Authorization: Bearer TOKEN`. */
  matches(header: string | undefined): boolean;
}

/** Draws a token for this run of the node, and writes it to a file that only its user reads; who ends the process removes the file. @throws StorageError `FILE_WRITE_FAILED` */
export function createAdminToken(path: string): AdminToken {
  const token = bytesToHex(randomBytes(32));
  writeFileDurably(path, utf8ToBytes(`${token}\n`), 0o600);
  const expected = utf8ToBytes(`Bearer ${token}`);
  return {
    matches(header = '') {
      const given = utf8ToBytes(header);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
