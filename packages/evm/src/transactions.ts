import { decodeRlp, type RlpItem } from '@prime/codec';
import { type Address, bytesToAddress, bytesToBigint, bytesToHash, type Hash, isPrimeError } from '@prime/primitives';
import { EvmError } from './errors.ts';

/** Fields of an EIP-2718 transaction as they stand in its bytes. */
export interface TransactionFields {
  readonly type: 0 | 1 | 2 | 4;
  /** null for a legacy transaction without replay protection. */
  readonly chainId: bigint | null;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Types 0 and 1. */
  readonly gasPrice: bigint | null;
  /** Types 2 and 4. */
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly value: bigint;
  readonly input: Uint8Array;
  /** null for legacy transactions. */
  readonly accessList: readonly AccessListItem[] | null;
  /** Type 4. */
  readonly authorizationList: readonly Authorization[] | null;
  /** As it stands in the bytes: 27, 28 or 35 + 2 * chainId + parity for legacy transactions, else the parity. */
  readonly v: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

export interface AccessListItem {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

/** EIP-7702: an account names the contract whose code it wants to run. */
export interface Authorization {
  readonly chainId: bigint;
  readonly address: Address;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

const fieldCount = { 0: 9, 1: 11, 2: 12, 4: 13 } as const;

const malformed = (reason: string, cause?: unknown): EvmError =>
  new EvmError(reason, { code: 'EVM_TRANSACTION_MALFORMED', reason }, { cause });

/**
 * Decodes types 0, 1, 2 and 4, strictly: canonical RLP, no byte left over, numbers without leading zeros. Signature and rules of
 * admission are not checked here.
 *
 * @throws EvmError `EVM_TRANSACTION_MALFORMED`
 */
export function parseTransaction(raw: Uint8Array): TransactionFields {
  const type = typeOf(raw);
  const items = fieldsOf(type === 0 ? raw : raw.subarray(1));
  if (items.length !== fieldCount[type])
    throw malformed(`rlp: a transaction of type ${type} has ${fieldCount[type]} fields, got ${items.length}`);
  const read = reader(items);
  if (type === 0) return parseLegacy(read);
  const chainId = read.number('chainId');
  const nonce = read.number('nonce', 8);
  const gasPrice = type === 1 ? read.number('gasPrice') : null;
  const maxPriorityFeePerGas = type === 1 ? null : read.number('maxPriorityFeePerGas');
  const maxFeePerGas = type === 1 ? null : read.number('maxFeePerGas');
  const body = {
    gasLimit: read.number('gasLimit', 8),
    to: read.to(),
    value: read.number('value'),
    input: read.bytes('input'),
    accessList: read.list('accessList').map(parseAccess),
    authorizationList: type === 4 ? read.list('authorizationList').map(parseAuthorization) : null,
  };
  const yParity = read.number('yParity', 1);
  const signature = { v: yParity, yParity, r: read.number('r'), s: read.number('s') };
  return { type, chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...body, ...signature };
}

function parseLegacy(read: FieldReader): TransactionFields {
  const fields = {
    nonce: read.number('nonce', 8),
    gasPrice: read.number('gasPrice'),
    gasLimit: read.number('gasLimit', 8),
    to: read.to(),
    value: read.number('value'),
    input: read.bytes('input'),
  };
  const v = read.number('v');
  const chainId = v >= 35n ? (v - 35n) / 2n : null;
  const yParity = chainId === null ? v - 27n : v - 35n - chainId * 2n;
  return {
    type: 0,
    chainId,
    ...fields,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    accessList: null,
    authorizationList: null,
    v,
    yParity,
    r: read.number('r'),
    s: read.number('s'),
  };
}

function typeOf(raw: Uint8Array): TransactionFields['type'] {
  const first = raw[0];
  if (first === undefined) throw malformed('typed transaction too short');
  if (first >= 0xc0) return 0;
  if (first === 1 || first === 2 || first === 4) return first;
  throw malformed(first >= 0x80 ? 'rlp: expected List' : 'transaction type not supported');
}

function fieldsOf(encoded: Uint8Array): readonly RlpItem[] {
  let item: RlpItem;
  try {
    item = decodeRlp(encoded);
  } catch (error) {
    throw malformed(`rlp: ${isPrimeError(error) ? error.message : String(error)}`, error);
  }
  return listOf(item, 'transaction');
}

type FieldReader = ReturnType<typeof reader>;

/** Takes the fields in order. */
function reader(items: readonly RlpItem[]) {
  let next = 0;
  const take = (): RlpItem => items[next++]!;
  return {
    number: (name: string, bytesMax = 32): bigint => numberOf(take(), name, bytesMax),
    bytes: (name: string): Uint8Array => bytesOf(take(), name),
    list: (name: string): readonly RlpItem[] => listOf(take(), name),
    to: (): Address | null => {
      const bytes = bytesOf(take(), 'to');
      return bytes.length === 0 ? null : addressOf(bytes, 'to');
    },
  };
}

function parseAccess(item: RlpItem): AccessListItem {
  const parts = listOf(item, 'accessList');
  if (parts.length !== 2) throw malformed('rlp: an access list entry has 2 fields');
  const storageKeys = listOf(parts[1]!, 'accessList').map((key) => {
    const bytes = bytesOf(key, 'accessList');
    if (bytes.length !== 32) throw malformed('rlp: a storage key has 32 bytes');
    return bytesToHash(bytes);
  });
  return { address: addressOf(bytesOf(parts[0]!, 'accessList'), 'accessList'), storageKeys };
}

function parseAuthorization(item: RlpItem): Authorization {
  const parts = listOf(item, 'authorizationList');
  if (parts.length !== 6) throw malformed('rlp: an authorization has 6 fields');
  const read = reader(parts);
  return {
    chainId: read.number('chainId'),
    address: addressOf(read.bytes('address'), 'address'),
    nonce: read.number('nonce', 8),
    yParity: read.number('yParity', 1),
    r: read.number('r'),
    s: read.number('s'),
  };
}

function numberOf(item: RlpItem, name: string, bytesMax: number): bigint {
  const bytes = bytesOf(item, name);
  if (bytes[0] === 0) throw malformed(`rlp: non-canonical integer (leading zero bytes) for ${name}`);
  if (bytes.length > bytesMax) throw malformed(`rlp: input string too long for ${name}`);
  return bytesToBigint(bytes);
}

function bytesOf(item: RlpItem, name: string): Uint8Array {
  if (!ArrayBuffer.isView(item)) throw malformed(`rlp: expected String for ${name}`);
  return item;
}

function listOf(item: RlpItem, name: string): readonly RlpItem[] {
  if (ArrayBuffer.isView(item)) throw malformed(`rlp: expected List for ${name}`);
  return item;
}

function addressOf(bytes: Uint8Array, name: string): Address {
  if (bytes.length !== 20) throw malformed(`rlp: an address has 20 bytes, ${name} has ${bytes.length}`);
  return bytesToAddress(bytes);
}
