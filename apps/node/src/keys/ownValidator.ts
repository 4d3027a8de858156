import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Address, type Height, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';

/**
 * Whom the keys of a home vote for, as the chain last said it. Where the state begins anew, from genesis or a snapshot, it does not know a validator
 * that joined later, or a key that was exchanged later, and its peers, who do, take neither its certificate nor its key for anybody else's.
 */
export interface OwnValidator {
  readonly address: Address;
  readonly signer: Address;
  /** Of the block that said so; 0 when it was written by hand. */
  readonly height: Height;
}

/** A file that is missing or damaged counts as none. */
export function readOwnValidator(path: string): OwnValidator | null {
  if (!existsSync(path)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
  const { address, signer, height = 0 } = (value ?? {}) as Record<string, unknown>;
  return isAddress(address) && isAddress(signer) && isHeight(height) ? { address, signer, height } : null;
}

/** @param own null removes the file */
export function writeOwnValidator(path: string, own: OwnValidator | null): void {
  if (own === null) rmSync(path, { force: true });
  else writeFileDurably(path, utf8ToBytes(`${JSON.stringify(own)}\n`), 0o644);
}

const isAddress = (value: unknown): value is Address => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);

const isHeight = (value: unknown): value is Height => Number.isSafeInteger(value) && (value as number) >= 0;
