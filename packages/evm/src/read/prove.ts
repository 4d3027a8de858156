import type { AccountProof } from '@prime/codec';
import { type Address, bytesToHash, bytesToBigint, type Hash } from '@prime/primitives';
import type { StateDatabase } from '../ports.ts';
import { decodeAccount, emptyAccount } from '../state/account.ts';
import { bytesOf } from '../state/bytes.ts';
import { accountNodeKey, type NodeKeyOf, nodeEncoding, storageNodeKey } from '../state/nodeRecords.ts';
import { decodeSlot, hashedPath } from '../state/stateTrie.ts';
import { decodeNode } from '../trie/node.ts';
import { type LoadNode, missingNode, proveTrie, readTrie, trieAt } from '../trie/trie.ts';

/** @throws EvmError `EVM_NODE_MISSING` for a root that is not stored */
export function proveAccount(
  database: Pick<StateDatabase, 'getSync'>,
  address: Address,
  slots: readonly Hash[],
  stateRoot: Hash,
): AccountProof {
  const accounts = encodingsOf(database, accountNodeKey);
  const path = hashedPath(bytesOf(address));
  const root = bytesOf(stateRoot);
  const stored = readTrie(trieAt(root), path, loadFrom(accounts));
  const account = stored === null ? emptyAccount : decodeAccount(stored);
  const nodes = encodingsOf(database, storageNodeKey(address));
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

type EncodingOf = (hash: Uint8Array) => Uint8Array;

const encodingsOf =
  (database: Pick<StateDatabase, 'getSync'>, keyOf: NodeKeyOf): EncodingOf =>
  (hash) => {
    const record = database.getSync(keyOf(hash));
    if (record === undefined) throw missingNode(hash);
    return nodeEncoding(record);
  };

const loadFrom =
  (encodingOf: EncodingOf): LoadNode =>
  (hash) =>
    decodeNode(encodingOf(hash));
