import {
  bytesToHex,
  hashMessage,
  hashTypedData,
  hexToBytes,
  keccak256,
  type LocalAccount,
  serializeTransaction,
} from 'viem';
import { toAccount } from 'viem/accounts';
import type { SignDigest } from '../signing/signedAction.ts';
import type { Address, Hex } from '../types/primitives.ts';

/** A key that this process does not hold, and what asks for its signatures. */
export interface DigestAccountParameters {
  /** Of the key. */
  readonly address: Address;
  /** Signs 32 bytes: 65 bytes r, s and yParity, low s. May answer at once or later. */
  readonly signDigest: SignDigest;
}

/** A local account whose signatures are made by `signDigest`. */
export type DigestAccount = LocalAccount & { readonly signDigest: SignDigest };

/**
 * An account with a signing function of one's own: a native secp256k1, a hardware module, a process that holds the key.
 *
 * viem signs in JavaScript, a few thousand signatures a second. A native library makes ten times as many, and one signature serves a
 * batch of a hundred orders.
 */
export function toDigestAccount({ address, signDigest }: DigestAccountParameters): DigestAccount {
  const sign = async (hash: Hex): Promise<Hex> => {
    const signature = Uint8Array.from(await signDigest(hexToBytes(hash)));
    // What Ethereum's other signatures end in.
    if (signature[64]! < 27) signature[64]! += 27;
    return bytesToHex(signature);
  };
  const account = toAccount({
    address,
    sign: ({ hash }) => sign(hash),
    signMessage: ({ message }) => sign(hashMessage(message)),
    signTypedData: (typedData) => sign(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])),
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      const serialize = serializer as typeof serializeTransaction;
      const signature = await sign(keccak256(serialize(transaction)));
      const [r, s] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`] as const;
      return serialize(transaction, { r, s, yParity: Number.parseInt(signature.slice(130), 16) - 27 });
    },
  });
  return { ...account, signDigest } as DigestAccount;
}
