import { type Address, bytesToBigint, concatBytes, type Hex } from '@prime/primitives';
import { encodeRlp, type RlpValue } from '../encoding/rlp.ts';
import type { AccessListEntry, SignedAuthorization } from './transactionFields.ts';
import { type TransactionType, transactionTypes } from './transactionTypes.ts';

/** What an Ethereum transaction says, before anybody signs it. Amounts in wei, fees in wei per gas. */
export interface TransactionContent {
  /** null creates a contract. */
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex | Uint8Array;
  readonly gas: bigint;
  readonly accessList: readonly AccessListEntry[];
  /** EIP-7702; empty for a transaction that sets no code. */
  readonly authorizationList: readonly SignedAuthorization[];
  readonly fees:
    | { readonly kind: 'legacy'; readonly gasPrice: bigint }
    | { readonly kind: 'dynamic'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
}

/** A transaction that is complete but for its signature. */
export interface UnsignedTransaction {
  readonly type: TransactionType;
  /** What is hashed and signed. */
  readonly message: Uint8Array;
  /** The EIP-2718 encoding. @param signature 65 bytes r | s | yParity; null leaves zeros in its place, as go-ethereum does */
  readonly encode: (signature: Uint8Array | null) => Uint8Array;
}

const emptyBytes = '0x' as Hex;

/**
 * Type and encoding that follow from what a transaction names: EIP-7702 with authorizations, legacy with EIP-155 replay protection
 * for a gas price (EIP-2930 when there is an access list beside it), else EIP-1559.
 */
export function unsignedTransaction(
  chainId: number,
  nonce: number | bigint,
  content: TransactionContent,
): UnsignedTransaction {
  const { fees, gas, value, data, authorizationList } = content;
  const to = content.to ?? emptyBytes;
  const accessList = content.accessList.map(({ address, storageKeys }) => [address, storageKeys]);
  if (fees.kind === 'legacy' && accessList.length === 0) {
    const fields: RlpValue[] = [nonce, fees.gasPrice, gas, to, value, data];
    return {
      type: transactionTypes.legacy,
      message: encodeRlp([...fields, chainId, 0, 0]),
      encode: (signature) => {
        const [parity, r, s] = parts(signature);
        return encodeRlp([...fields, signature === null ? 0 : 2 * chainId + 35 + parity, r, s]);
      },
    };
  }
  const prices = fees.kind === 'legacy' ? [fees.gasPrice] : [fees.maxPriorityFeePerGas, fees.maxFeePerGas];
  const fields: RlpValue[] = [chainId, nonce, ...prices, gas, to, value, data, accessList];
  if (authorizationList.length > 0)
    fields.push(
      authorizationList.map((item) => [item.chainId, item.address, item.nonce, item.yParity, item.r, item.s]),
    );
  const type = typedOf(content);
  const prefix = Uint8Array.of(type);
  return {
    type,
    message: concatBytes(prefix, encodeRlp(fields)),
    encode: (signature) => concatBytes(prefix, encodeRlp([...fields, ...parts(signature)])),
  };
}

function typedOf({ fees, authorizationList }: TransactionContent): TransactionType {
  if (fees.kind === 'legacy') return transactionTypes.accessList;
  return authorizationList.length > 0 ? transactionTypes.setCode : transactionTypes.dynamicFee;
}

const parts = (signature: Uint8Array | null): [parity: number, r: bigint, s: bigint] =>
  signature === null
    ? [0, 0n, 0n]
    : [signature[64]!, bytesToBigint(signature.subarray(0, 32)), bytesToBigint(signature.subarray(32, 64))];
