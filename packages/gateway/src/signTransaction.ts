import { encodeRlp, type RlpValue } from '@prime/codec';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import { bytesToBigint, concatBytes, type Hex } from '@prime/primitives';
import type { SendRequest } from '@prime/rpc';

const dynamicFeeType = 2;
const accessListType = 1;
const emptyBytes = '0x' as Hex;

/**
 * A signed transaction: legacy with EIP-155 replay protection where the request names a gas price (EIP-2930 when it also has
 * an access list), else EIP-1559.
 *
 * @returns its EIP-2718 encoding
 */
export function signTransaction(
  provider: CryptoProvider,
  privateKey: Uint8Array,
  chainId: number,
  nonce: number,
  request: SendRequest,
): Uint8Array {
  const { fees, gas, value, data } = request;
  const to = request.to ?? emptyBytes;
  const accessList = request.accessList.map(({ address, storageKeys }) => [address, storageKeys]);
  const sign = (message: Uint8Array): { parity: number; r: bigint; s: bigint } => {
    const signature = provider.sign(keccak256(message), privateKey);
    const r = bytesToBigint(signature.subarray(0, 32));
    return { r, s: bytesToBigint(signature.subarray(32, 64)), parity: signature[64]! };
  };
  if (fees.kind === 'legacy' && accessList.length === 0) {
    const fields: RlpValue[] = [nonce, fees.gasPrice, gas, to, value, data];
    const { parity, r, s } = sign(encodeRlp([...fields, chainId, 0, 0]));
    return encodeRlp([...fields, 2 * chainId + 35 + parity, r, s]);
  }
  const prices = fees.kind === 'legacy' ? [fees.gasPrice] : [fees.maxPriorityFeePerGas, fees.maxFeePerGas];
  const type = Uint8Array.of(fees.kind === 'legacy' ? accessListType : dynamicFeeType);
  const fields: RlpValue[] = [chainId, nonce, ...prices, gas, to, value, data, accessList];
  const { parity, r, s } = sign(concatBytes(type, encodeRlp(fields)));
  return concatBytes(type, encodeRlp([...fields, parity, r, s]));
}
