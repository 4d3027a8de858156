import { decodeRlp, encodeRlp, type RlpItem } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import {
  type Address,
  bigintToBytes,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  concatBytes,
  type Hash,
  isPrimeError,
} from '@prime/primitives';
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
export const parseTransaction = (raw: Uint8Array): TransactionFields => parseSigned(raw).fields;

/** A transaction with what its signature is and what it is over. */
export interface SignedTransaction {
  readonly fields: TransactionFields;
  /** 65 bytes r | s | yParity; of no meaning where yParity is neither 0 nor 1. */
  readonly signature: Uint8Array;
  /** What was signed: for legacy transactions with replay protection, which the verifier asks for. */
  readonly digest: () => Uint8Array;
}

/** {@link parseTransaction} with the signature. Nothing is encoded again: what was signed is a part of the bytes. */
export function parseSigned(raw: Uint8Array): SignedTransaction {
  const type = typeOf(raw);
  const items = fieldsOf(type === 0 ? raw : raw.subarray(1));
  if (items.length !== fieldCount[type])
    throw malformed(`rlp: a transaction of type ${type} has ${fieldCount[type]} fields, got ${items.length}`);
  const read = reader(items);
  const fields = type === 0 ? parseLegacy(read) : parseTyped(type, read);
  // All three are numbers, or parsing would have failed.
  const [v, r, s] = items.slice(-3) as [Uint8Array, Uint8Array, Uint8Array];
  const signature = new Uint8Array(65);
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  signature[64] = Number(fields.yParity & 1n);
  const unsigned = (): Uint8Array =>
    raw.subarray(payloadStart(raw, type), raw.length - itemLength(v) - itemLength(r) - itemLength(s));
  return { fields, signature, digest: () => keccak256(signedMessage(type, unsigned(), fields.chainId ?? 0n)) };
}

/** Where the fields begin, behind type and header of the list, both of which were read. */
function payloadStart(raw: Uint8Array, type: TransactionFields['type']): number {
  const header = type === 0 ? 0 : 1;
  return header + 1 + Math.max(0, raw[header]! - longListBase);
}

/** Bytes of a number's canonical encoding. */
const itemLength = (bytes: Uint8Array): number => (bytes.length === 1 && bytes[0]! < 0x80 ? 1 : 1 + bytes.length);

/** EIP-2718: the type and the list of all fields but the signature's; EIP-155: the list with the chain id and two zeros in place of them. */
function signedMessage(type: TransactionFields['type'], unsigned: Uint8Array, chainId: bigint): Uint8Array {
  if (type !== 0) return concatBytes(Uint8Array.of(type), listHeader(unsigned.length), unsigned);
  const replay = concatBytes(encodeRlp(chainId), emptyItems);
  return concatBytes(listHeader(unsigned.length + replay.length), unsigned, replay);
}

const longListBase = 0xf7;
const shortListMax = 55;
const emptyItems = Uint8Array.of(0x80, 0x80);

/** Of a list whose items have so many bytes. */
function listHeader(length: number): Uint8Array {
  if (length <= shortListMax) return Uint8Array.of(longListBase - shortListMax + length);
  const size = bigintToBytes(BigInt(length));
  return concatBytes(Uint8Array.of(longListBase + size.length), size);
}

function parseTyped(type: 1 | 2 | 4, read: FieldReader): TransactionFields {
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
