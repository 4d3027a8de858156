import type { LocalAccount } from 'viem';
import { lowerCase } from '../decode/quantity.ts';
import type { Address } from '../types/primitives.ts';

/** An account that signs for another one, which approved it (`approveAgent`). */
export type AgentAccount<account extends LocalAccount = LocalAccount> = account & {
  /** For whom it signs. */
  readonly owner: Address;
};

/**
 * Makes an agent key: what it signs is for `owner`.
 *
 * An agent trades and cancels as far as it was allowed to, and never moves money. Programs hold an agent's key, so that the key of
 * the money can stay in a wallet.
 *
 * @example
 * const bot = createWalletClient({ account: toAgentAccount(privateKeyToAccount(key), { owner }), … }).extend(primeWalletActions());
 */
export const toAgentAccount = <account extends LocalAccount>(
  signer: account,
  { owner }: { readonly owner: Address },
): AgentAccount<account> => ({ ...signer, owner: lowerCase(owner) });

/** For whom an account signs where the call does not say. */
export const ownerOf = (account: { readonly address: Address; readonly owner?: Address | undefined }): Address =>
  lowerCase(account.owner ?? account.address);
