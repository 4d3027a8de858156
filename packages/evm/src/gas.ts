/**
 * Gas that a transaction costs before its first instruction (yellow paper section 6; EIP-2028, 2930, 3860, 7702) and the least
 * that it costs altogether (EIP-7623), under the Prague rules.
 */
export interface MessageShape {
  readonly data: Uint8Array;
  readonly isCreation: boolean;
  readonly accessListAddresses: number;
  readonly accessListSlots: number;
  readonly authorizations: number;
}

const transactionGas = 21_000n;
const creationGas = 32_000n;
const zeroByteGas = 4n;
const nonZeroByteGas = 16n;
const initCodeWordGas = 2n;
const accessListAddressGas = 2_400n;
const accessListSlotGas = 1_900n;
const authorizationGas = 25_000n;
const floorGasPerToken = 10n;
const tokensPerNonZeroByte = 4n;

/** Most bytes of init code (EIP-3860). */
export const initCodeBytesMax = 49_152;

function countBytes(data: Uint8Array): { readonly zero: bigint; readonly nonZero: bigint } {
  let zero = 0;
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zero++;
  return { zero: BigInt(zero), nonZero: BigInt(data.length - zero) };
}

export function intrinsicGas(message: MessageShape): bigint {
  const { zero, nonZero } = countBytes(message.data);
  let gas = transactionGas + zero * zeroByteGas + nonZero * nonZeroByteGas;
  if (message.isCreation) gas += creationGas + BigInt(Math.ceil(message.data.length / 32)) * initCodeWordGas;
  gas += BigInt(message.accessListAddresses) * accessListAddressGas;
  gas += BigInt(message.accessListSlots) * accessListSlotGas;
  return gas + BigInt(message.authorizations) * authorizationGas;
}

/** EIP-7623: what a transaction pays at least, however little it executes. */
export function floorDataGas(data: Uint8Array): bigint {
  const { zero, nonZero } = countBytes(data);
  return transactionGas + (zero + nonZero * tokensPerNonZeroByte) * floorGasPerToken;
}
