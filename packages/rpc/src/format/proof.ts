import type { AccountProof } from '@prime/codec';
import { type Address, type Hex, toQuantity } from '@prime/primitives';

/** Account proof of execution-apis. */
export const formatAccountProof = (address: Address, account: AccountProof<Hex>): Record<string, unknown> => ({
  address,
  accountProof: account.proof,
  balance: toQuantity(account.balance),
  codeHash: account.codeHash,
  nonce: toQuantity(account.nonce),
  storageHash: account.storageRoot,
  storageProof: account.slots.map(({ slot, value, proof }) => ({ key: slot, value: toQuantity(value), proof })),
});
