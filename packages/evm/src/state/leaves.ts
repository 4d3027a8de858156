import { keccak256 } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import { comparePaths, nibblesOf, type TrieChange } from '../trie/trie.ts';
import { type AccountRecord, encodeAccount } from './account.ts';
import { bytesOf } from './bytes.ts';

/** Path of a key in a "secure" trie: nibbles of its hash. */
export const hashedPath = (key: Uint8Array): Uint8Array => nibblesOf(keccak256(key));

/** A storage value as the trie holds it: RLP of its trimmed bytes, 1 to 32 of them. */
export function encodeSlot(value: Uint8Array): Uint8Array {
  if (value.length === 1 && value[0]! < 0x80) return value;
  const encoded = new Uint8Array(value.length + 1);
  encoded[0] = 0x80 + value.length;
  encoded.set(value, 1);
  return encoded;
}

/** Inverse of the RLP of a storage value. */
export const decodeSlot = (encoded: Uint8Array): Uint8Array =>
  encoded.length === 1 && encoded[0]! < 0x80 ? encoded : encoded.subarray(1);

/** Changes of the account trie, in the order in which it takes them; null removes an account. */
export const accountChanges = (accounts: ReadonlyMap<Address, AccountRecord | null>): TrieChange[] =>
  sorted([...accounts].map(([address, record]) => leaf(address, record === null ? null : encodeAccount(record))));

/** Changes of a storage trie, in the order in which it takes them; no bytes remove a slot. */
export const slotChanges = (slots: ReadonlyMap<Hash, Uint8Array>): TrieChange[] =>
  sorted([...slots].map(([slot, value]) => leaf(slot, value.length === 0 ? null : encodeSlot(value))));

const leaf = (key: Address | Hash, value: Uint8Array | null): TrieChange => ({ path: hashedPath(bytesOf(key)), value });

const sorted = (changes: TrieChange[]): TrieChange[] => changes.sort((a, b) => comparePaths(a.path, b.path));
