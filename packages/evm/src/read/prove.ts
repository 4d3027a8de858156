import type { AccountProof } from '@prime/codec';
import { type Address, bytesToHash, bytesToBigint, type Hash } from '@prime/primitives';
import { decodeAccount, emptyAccount } from '../state/account.ts';
import { bytesOf } from '../state/bytes.ts';
import { decodeSlot, hashedPath } from '../state/leaves.ts';
import { loadFrom, type StateNodes } from '../state/stateNodes.ts';
import { proveTrie, readTrie, trieAt } from '../trie/trie.ts';

/** @throws EvmError `EVM_NODE_MISSING` for a root that is not stored */
export function proveAccount(
  nodesAt: (root: Uint8Array) => StateNodes,
  address: Address,
  slots: readonly Hash[],
  stateRoot: Hash,
): AccountProof {
  const path = hashedPath(bytesOf(address));
  const root = bytesOf(stateRoot);
  const state = nodesAt(root);
  const accounts = state.accounts();
  const stored = readTrie(trieAt(root), path, loadFrom(accounts));
  const account = stored === null ? emptyAccount : decodeAccount(stored);
  const nodes = state.storage(address);
  return {
    nonce: account.nonce,
    balance: account.balance,
    codeHash: bytesToHash(account.codeHash),
    storageRoot: bytesToHash(account.storageRoot),
    proof: proveTrie(root, path, accounts),
    slots: slots.map((slot) => {
      const slotPath = hashedPath(bytesOf(slot));
      const value = readTrie(trieAt(account.storageRoot), slotPath, loadFrom(nodes));
      return {
        slot,
        value: value === null ? 0n : bytesToBigint(decodeSlot(value)),
        proof: proveTrie(account.storageRoot, slotPath, nodes),
      };
    }),
  };
}
