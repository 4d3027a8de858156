import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Address, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';

/**
 * Whom the keys of a home vote for, as the chain last said it. Where the state begins anew, from genesis or a snapshot, it does not know a validator
 * that joined later, and its peers, who do, take its certificate for nobody else.
 */
export interface NotedValidator {
  readonly address: Address;
  readonly signer: Address;
}

/** A note that is missing or damaged is none. */
export function readValidatorNote(path: string): NotedValidator | null {
  if (!existsSync(path)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
  const { address, signer } = (value ?? {}) as Record<string, unknown>;
  return isAddress(address) && isAddress(signer) ? { address, signer } : null;
}

/** @param noted null when there is nothing to note any more */
export function writeValidatorNote(path: string, noted: NotedValidator | null): void {
  if (noted === null) rmSync(path, { force: true });
  else writeFileDurably(path, utf8ToBytes(`${JSON.stringify(noted)}\n`), 0o644);
}

const isAddress = (value: unknown): value is Address => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value);
