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

const transactionGas = 21_000;
const creationGas = 32_000;
const zeroByteGas = 4;
const nonZeroByteGas = 16;
const initCodeWordGas = 2;
const accessListAddressGas = 2_400;
const accessListSlotGas = 1_900;
const authorizationGas = 25_000;
const floorGasPerToken = 10;
const tokensPerNonZeroByte = 4;

/** Most bytes of init code (EIP-3860). */
export const initCodeBytesMax = 49_152;

/** What a transaction pays whatever its code does. */
export interface MessageGas {
  /** Before its first instruction. */
  readonly intrinsic: bigint;
  /** At least, altogether (EIP-7623). */
  readonly floor: bigint;
}

/** Both, with one look at the data. */
export function messageGas(message: MessageShape): MessageGas {
  const { zero, nonZero } = countBytes(message.data);
  return { intrinsic: intrinsicOf(message, zero, nonZero), floor: floorOf(zero, nonZero) };
}

/** Gas that is paid before the first instruction, for the data's bytes, the creation, the access list and the authorizations. */
export function intrinsicGas(message: MessageShape): bigint {
  const { zero, nonZero } = countBytes(message.data);
  return intrinsicOf(message, zero, nonZero);
}

/** EIP-7623: what a transaction pays at least, however little it executes. */
export function floorDataGas(data: Uint8Array): bigint {
  const { zero, nonZero } = countBytes(data);
  return floorOf(zero, nonZero);
}

function countBytes(data: Uint8Array): { readonly zero: number; readonly nonZero: number } {
  let zero = 0;
  for (let index = 0; index < data.length; index++) if (data[index] === 0) zero++;
  return { zero, nonZero: data.length - zero };
}

// Counts are below 2^32 and gas of one below 2^16, so that numbers are exact.

function intrinsicOf(message: MessageShape, zero: number, nonZero: number): bigint {
  let gas = transactionGas + zero * zeroByteGas + nonZero * nonZeroByteGas;
  if (message.isCreation) gas += creationGas + Math.ceil(message.data.length / 32) * initCodeWordGas;
  gas += message.accessListAddresses * accessListAddressGas;
  gas += message.accessListSlots * accessListSlotGas;
  return BigInt(gas + message.authorizations * authorizationGas);
}

const floorOf = (zero: number, nonZero: number): bigint =>
  BigInt(transactionGas + (zero + nonZero * tokensPerNonZeroByte) * floorGasPerToken);
