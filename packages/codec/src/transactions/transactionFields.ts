import { keccak256 } from '@prime/crypto';
import {
  type Address,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  concatBytes,
  type Hash,
  isPrimeError,
} from '@prime/primitives';
import { CodecError } from '../encoding/errors.ts';
import { decodeRlp, encodeRlp, listBase, listHeader, type RlpItem, shortPayloadMax } from '../encoding/rlp.ts';
import { type TransactionType, transactionTypeOf, transactionTypes } from './transactionTypes.ts';

/** Fields of an EIP-2718 transaction as they stand in its bytes. */
export interface TransactionFields {
  readonly type: TransactionType;
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
  readonly accessList: readonly AccessListEntry[] | null;
  /** Type 4. */
  readonly authorizationList: readonly SignedAuthorization[] | null;
  /** As it stands in the bytes: 27, 28 or 35 + 2 * chainId + parity for legacy transactions, else the parity. */
  readonly v: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** EIP-2930: an account and the slots of it that are warm from the start. */
export interface AccessListEntry {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

/** EIP-7702: an account names the contract whose code it runs. */
export interface SignedAuthorization {
  readonly chainId: bigint;
  readonly address: Address;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

const fieldCount = { 0: 9, 1: 11, 2: 12, 4: 13 } as const;

const malformed = (reason: string, cause?: unknown): CodecError =>
  new CodecError(reason, { code: 'CODEC_TRANSACTION_MALFORMED', reason }, { cause });

/** Most bytes of the numbers that have a width of their own. */
interface Widths {
  /** Of nonces and gas. */
  readonly counter: number;
  readonly parity: number;
}

/** Bytes of a word of the EVM, and of every number without a width of its own. */
const wordBytes = 32;
const protocolWidths: Widths = { counter: 8, parity: 1 };
const wordWidths: Widths = { counter: wordBytes, parity: wordBytes };

/**
 * Decodes types 0, 1, 2 and 4, strictly: canonical RLP, no byte left over, numbers without leading zeros. Signature and rules of
 * admission are not checked here.
 *
 * @throws CodecError `CODEC_TRANSACTION_MALFORMED`
 */
export const decodeTransaction = (raw: Uint8Array): TransactionFields => decode(raw, protocolWidths).fields;

/**
 * {@link decodeTransaction} for what nobody has to admit: authorizations of a simulated transaction may have nonces and parities of
 * 256 bits.
 *
 * @throws CodecError `CODEC_TRANSACTION_MALFORMED`
 */
export const decodeUnboundedTransaction = (raw: Uint8Array): TransactionFields => decode(raw, wordWidths).fields;

/** A transaction with what its signature is and what it is over. */
export interface SignedTransaction {
  readonly fields: TransactionFields;
  /** 65 bytes r | s | yParity; of no meaning where yParity is neither 0 nor 1. */
  readonly signature: Uint8Array;
  /** What was signed: for legacy transactions with replay protection, which the verifier asks for. */
  readonly digest: () => Uint8Array;
}

/**
 * {@link decodeTransaction} with the signature. Nothing is encoded again: what was signed is a part of the bytes.
 *
 * @throws CodecError `CODEC_TRANSACTION_MALFORMED`
 */
export function decodeSignedTransaction(raw: Uint8Array): SignedTransaction {
  const { type, items, fields } = decode(raw, protocolWidths);
  // All three are numbers, or decoding would have failed.
  const [v, r, s] = items.slice(-3) as [Uint8Array, Uint8Array, Uint8Array];
  const signature = new Uint8Array(65);
  signature.set(r, 32 - r.length);
  signature.set(s, 64 - s.length);
  signature[64] = Number(fields.yParity & 1n);
  const unsigned = (): Uint8Array =>
    raw.subarray(payloadStart(raw, type), raw.length - itemLength(v) - itemLength(r) - itemLength(s));
  return { fields, signature, digest: () => keccak256(signedMessage(type, unsigned(), fields.chainId ?? 0n)) };
}

interface Decoded {
  readonly type: TransactionType;
  readonly items: readonly RlpItem[];
  readonly fields: TransactionFields;
}

function decode(raw: Uint8Array, widths: Widths): Decoded {
  const type = typeOf(raw);
  const items = fieldsOf(type === transactionTypes.legacy ? raw : raw.subarray(1));
  if (items.length !== fieldCount[type])
    throw malformed(`rlp: a transaction of type ${type} has ${fieldCount[type]} fields, got ${items.length}`);
  const read = reader(items, widths);
  return { type, items, fields: type === transactionTypes.legacy ? legacyFields(read) : typedFields(type, read) };
}

/** Where the fields begin, behind type and header of the list, both of which were read. */
function payloadStart(raw: Uint8Array, type: TransactionType): number {
  const header = type === transactionTypes.legacy ? 0 : 1;
  return header + 1 + Math.max(0, raw[header]! - listBase - shortPayloadMax);
}

/** Bytes of a number's canonical encoding. */
const itemLength = (bytes: Uint8Array): number => (bytes.length === 1 && bytes[0]! < 0x80 ? 1 : 1 + bytes.length);

/** EIP-2718: the type and the list of all fields but the signature's; EIP-155: the list with the chain id and two zeros in place of them. */
function signedMessage(type: TransactionType, unsigned: Uint8Array, chainId: bigint): Uint8Array {
  if (type !== transactionTypes.legacy) return concatBytes(Uint8Array.of(type), listHeader(unsigned.length), unsigned);
  const replay = concatBytes(encodeRlp(chainId), emptyItems);
  return concatBytes(listHeader(unsigned.length + replay.length), unsigned, replay);
}

const emptyItems = Uint8Array.of(0x80, 0x80);

function typedFields(type: Exclude<TransactionType, 0>, read: FieldReader): TransactionFields {
  const chainId = read.number('chainId');
  const nonce = read.counter('nonce');
  const hasPrice = type === transactionTypes.accessList;
  const gasPrice = hasPrice ? read.number('gasPrice') : null;
  const maxPriorityFeePerGas = hasPrice ? null : read.number('maxPriorityFeePerGas');
  const maxFeePerGas = hasPrice ? null : read.number('maxFeePerGas');
  const body = {
    gasLimit: read.counter('gasLimit'),
    to: read.to(),
    value: read.number('value'),
    input: read.bytes('input'),
    accessList: read.list('accessList').map(accessListEntry),
    authorizationList:
      type === transactionTypes.setCode
        ? read.list('authorizationList').map((item) => authorization(item, read.widths))
        : null,
  };
  const yParity = read.parity('yParity');
  const signature = { v: yParity, yParity, r: read.number('r'), s: read.number('s') };
  return { type, chainId, nonce, gasPrice, maxFeePerGas, maxPriorityFeePerGas, ...body, ...signature };
}

function legacyFields(read: FieldReader): TransactionFields {
  const fields = {
    nonce: read.counter('nonce'),
    gasPrice: read.number('gasPrice'),
    gasLimit: read.counter('gasLimit'),
    to: read.to(),
    value: read.number('value'),
    input: read.bytes('input'),
  };
  const v = read.number('v');
  const chainId = v >= 35n ? (v - 35n) / 2n : null;
  const yParity = chainId === null ? v - 27n : v - 35n - chainId * 2n;
  return {
    type: transactionTypes.legacy,
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

function typeOf(raw: Uint8Array): TransactionType {
  const first = raw[0];
  if (first === undefined) throw malformed('typed transaction too short');
  const type = transactionTypeOf(first);
  if (type === null) throw malformed(first >= 0x80 ? 'rlp: expected List' : 'transaction type not supported');
  return type;
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
function reader(items: readonly RlpItem[], widths: Widths) {
  let next = 0;
  const take = (): RlpItem => items[next++]!;
  return {
    widths,
    number: (name: string): bigint => numberOf(take(), name, wordBytes),
    counter: (name: string): bigint => numberOf(take(), name, widths.counter),
    parity: (name: string): bigint => numberOf(take(), name, widths.parity),
    bytes: (name: string): Uint8Array => bytesOf(take(), name),
    list: (name: string): readonly RlpItem[] => listOf(take(), name),
    to: (): Address | null => {
      const bytes = bytesOf(take(), 'to');
      return bytes.length === 0 ? null : addressOf(bytes, 'to');
    },
  };
}

function accessListEntry(item: RlpItem): AccessListEntry {
  const [account, keys, ...more] = listOf(item, 'accessList');
  if (account === undefined || keys === undefined || more.length > 0)
    throw malformed('rlp: an access list entry has 2 fields');
  const storageKeys = listOf(keys, 'accessList').map((key) => {
    const bytes = bytesOf(key, 'accessList');
    if (bytes.length !== 32) throw malformed('rlp: a storage key has 32 bytes');
    return bytesToHash(bytes);
  });
  return { address: addressOf(bytesOf(account, 'accessList'), 'accessList'), storageKeys };
}

function authorization(item: RlpItem, widths: Widths): SignedAuthorization {
  const parts = listOf(item, 'authorizationList');
  if (parts.length !== 6) throw malformed('rlp: an authorization has 6 fields');
  const read = reader(parts, widths);
  return {
    chainId: read.number('chainId'),
    address: addressOf(read.bytes('address'), 'address'),
    nonce: read.counter('nonce'),
    yParity: read.parity('yParity'),
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
