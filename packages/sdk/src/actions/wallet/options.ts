import type { Account, Address } from 'viem';
import { parseAccount } from 'viem/accounts';
import { getChainId } from 'viem/actions';
import type { NonceManager } from '../../accounts/nonceManager.ts';
import type { PrimeClient } from '../../client.ts';
import { AccountMissingError } from '../../errors/own.ts';
import type { SignatureKind } from '../../signing/signedAction.ts';

/** What every action that is signed can be told. */
export interface SigningOptions {
  /** Who signs. Default: the client's account. */
  readonly account?: Account | Address | undefined;
  /** For whom it is. Default: the owner of an agent account, else the signer itself. */
  readonly owner?: Address | undefined;
  /**
   * Block time after which it is not carried out, ms since 1970. Default 0: never. With it an unknown outcome ends: once a block is
   * later, the action is in a block or never will be.
   */
  readonly expiresAtMs?: number | undefined;
  /** `raw` for accounts that sign hashes, `eip712` for wallets. Default: what the account can. */
  readonly signatureKind?: SignatureKind | undefined;
  /** Default: one that all clients of this process share for the key. */
  readonly nonceManager?: NonceManager | undefined;
}

/** And every action that is signed and sent. */
export interface SubmitOptions extends SigningOptions {
  /** How long to try and wait for the outcome, ms. Default 60000. */
  readonly timeoutMs?: number | undefined;
}

/** @throws AccountMissingError */
export function signerOf(client: PrimeClient, given: Account | Address | undefined): Account {
  const account = given ?? client.account;
  if (account === undefined) throw new AccountMissingError();
  return parseAccount(account);
}

const chainIds = new WeakMap<object, Promise<number>>();

/** Of the client's chain; asked of the node once where the client has none. */
export function chainIdOf(client: PrimeClient): Promise<number> {
  if (client.chain !== undefined) return Promise.resolve(client.chain.id);
  const known = chainIds.get(client.request);
  if (known !== undefined) return known;
  const asked = getChainId(client);
  chainIds.set(client.request, asked);
  // An answer that did not come is asked for again.
  asked.catch(() => chainIds.delete(client.request));
  return asked;
}
