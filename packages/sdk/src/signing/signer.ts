import { nativeSigningDigest, typedDataOf, type UnsignedNativeTransaction } from '@prime/codec';
import { type Account, bytesToHex, hexToBytes, type LocalAccount } from 'viem';
import { signTypedData } from 'viem/actions';
import type { PrimeClient } from '../client.ts';
import { InvalidActionError } from '../errors/own.ts';
import type { SignatureKind, SignDigest } from './signedAction.ts';

/** What an account may have besides what viem knows; `toDigestAccount` makes one. */
interface DigestSigner {
  readonly signDigest?: SignDigest | undefined;
}

type Signer = Account & DigestSigner;

/** Keys in programs sign the hash of the bytes, which is cheaper; wallets sign what they can show. */
export const signatureKindOf = (account: Account): SignatureKind =>
  account.type === 'local' &&
  ((account as LocalAccount).sign !== undefined || (account as Signer).signDigest !== undefined)
    ? 'raw'
    : 'eip712';

/** 65 bytes r, s and yParity 0 or 1; wallets write 27 and 28. */
function withParity(signature: Uint8Array): Uint8Array {
  const v = signature[64];
  if (signature.length !== 65 || v === undefined || ![0, 1, 27, 28].includes(v))
    throw new InvalidActionError('signature', 'has to be 65 bytes that end in 00, 01, 1b or 1c');
  if (v < 27) return signature;
  const normal = Uint8Array.from(signature);
  normal[64] = v - 27;
  return normal;
}

/** Signs a transaction in its kind. @throws whatever the account throws, InvalidActionError */
export async function signWith(
  client: PrimeClient,
  account: Account,
  transaction: UnsignedNativeTransaction,
): Promise<Uint8Array> {
  if (transaction.signatureKind === 'raw') {
    const digest = nativeSigningDigest(transaction);
    const { signDigest } = account as Signer;
    if (signDigest !== undefined) return withParity(await signDigest(digest));
    const { sign } = account as LocalAccount;
    if (sign === undefined) throw new InvalidActionError('signatureKind', 'raw needs an account that signs hashes');
    return withParity(hexToBytes(await sign({ hash: bytesToHex(digest) })));
  }
  // Also where the digest is not needed: what is out of range is refused before a person is asked.
  nativeSigningDigest(transaction);
  const { domain, primaryType, fields, message } = typedDataOf(transaction);
  const typedData = { domain, primaryType, message, types: { [primaryType]: fields } };
  const parameters = { account, ...typedData } as unknown as Parameters<typeof signTypedData>[1];
  return withParity(hexToBytes(await signTypedData(client, parameters)));
}
