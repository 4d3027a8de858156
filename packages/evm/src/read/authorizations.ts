import type { Common } from '@ethereumjs/common';
import { eoaCode7702RecoverAuthority } from '@ethereumjs/util';
import type { SignedAuthorization } from '@prime/codec';
import { type Address, bigintToBytes, bytesToAddress, concatBytes, zeroAddress } from '@prime/primitives';
import type { Journal } from '../library/journal.ts';
import { emptyAccount, hasCode } from '../state/account.ts';
import { bytesOf } from '../state/bytes.ts';
import type { StateOverlay } from '../state/overlay.ts';

const delegationPrefix = Uint8Array.of(0xef, 0x01, 0x00);
const delegationLength = 23;
const nonceMax = 2n ** 64n - 1n;
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
/** What is given back for an authority that exists already: it was charged as a new account. */
const existingAuthorityRefund = 12_500n;

/** The contract whose code an account runs (EIP-7702), or null for any other code. */
export function delegationOf(code: Uint8Array): Address | null {
  if (code.length !== delegationLength || !delegationPrefix.every((byte, index) => code[index] === byte)) return null;
  return bytesToAddress(code.subarray(delegationPrefix.length));
}

/** The account that signed an authorization; null when nobody can have. */
export function authorityOf(authorization: SignedAuthorization): Address | null {
  const { chainId, address, nonce, yParity, r, s } = authorization;
  if (nonce >= nonceMax || s > halfOrder || yParity > 1n) return null;
  const [chainBytes, nonceBytes] = [bigintToBytes(chainId), bigintToBytes(nonce)];
  const [parityBytes, rBytes, sBytes] = [bigintToBytes(yParity), bigintToBytes(r), bigintToBytes(s)];
  try {
    const recovered = eoaCode7702RecoverAuthority([
      chainBytes as never,
      bytesOf(address) as never,
      nonceBytes as never,
      parityBytes as never,
      rBytes as never,
      sBytes as never,
    ]);
    return bytesToAddress(recovered.bytes);
  } catch {
    return null;
  }
}

/**
 * Sets the code of accounts that delegate, as a set-code transaction does before it runs; what is not valid is passed over.
 *
 * @returns gas to refund
 * @see EIP-7702, "Behavior"
 */
export function applyAuthorizations(
  { journal, overlay, common }: { readonly journal: Journal; readonly overlay: StateOverlay; readonly common: Common },
  authorizations: readonly SignedAuthorization[],
): bigint {
  let refund = 0n;
  for (const authorization of authorizations) {
    const { chainId, address, nonce } = authorization;
    if (chainId !== 0n && chainId !== common.chainId()) continue;
    const authority = authorityOf(authorization);
    if (authority === null) continue;
    journal.warmAddress(authority);
    const stored = overlay.account(authority);
    const account = stored ?? emptyAccount;
    if (hasCode(account) && delegationOf(overlay.codeOf(account)) === null) continue;
    if (account.nonce !== nonce) continue;
    if (stored !== null) refund += existingAuthorityRefund;
    overlay.setAccount(authority, { ...account, nonce: account.nonce + 1n });
    const code = address === zeroAddress ? new Uint8Array(0) : concatBytes(delegationPrefix, bytesOf(address));
    overlay.setCode(authority, code);
  }
  return refund;
}
