import { encodeRlp, type RlpValue } from '@prime/codec';
import { bytesToBigint, concatBytes, type Hex } from '@prime/primitives';
import type { SendRequest } from './ports.ts';

/** A transaction that is complete but for its signature. */
export interface UnsignedTransaction {
  /** What is hashed and signed. */
  readonly message: Uint8Array;
  /** The EIP-2718 encoding. @param signature 65 bytes r | s | yParity; null leaves zeros in its place, as go-ethereum does */
  encode(signature: Uint8Array | null): Uint8Array;
}

const emptyBytes = '0x' as Hex;

/**
 * Type and encoding that follow from what a request names: EIP-7702 with authorizations, legacy with EIP-155 replay protection
 * for a gas price (EIP-2930 when there is an access list beside it), else EIP-1559.
 */
export function unsignedTransaction(chainId: number, nonce: number, request: SendRequest): UnsignedTransaction {
  const { fees, gas, value, data, authorizationList } = request;
  const to = request.to ?? emptyBytes;
  const accessList = request.accessList.map(({ address, storageKeys }) => [address, storageKeys]);
  if (fees.kind === 'legacy' && accessList.length === 0) {
    const fields: RlpValue[] = [nonce, fees.gasPrice, gas, to, value, data];
    return {
      message: encodeRlp([...fields, chainId, 0, 0]),
      encode(signature) {
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
  const type = Uint8Array.of(fees.kind === 'legacy' ? 1 : authorizationList.length > 0 ? 4 : 2);
  return {
    message: concatBytes(type, encodeRlp(fields)),
    encode: (signature) => concatBytes(type, encodeRlp([...fields, ...parts(signature)])),
  };
}

const parts = (signature: Uint8Array | null): [parity: number, r: bigint, s: bigint] =>
  signature === null
    ? [0, 0n, 0n]
    : [signature[64]!, bytesToBigint(signature.subarray(0, 32)), bytesToBigint(signature.subarray(32, 64))];
