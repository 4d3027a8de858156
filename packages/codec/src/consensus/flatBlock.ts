import {
  type Address,
  bigintToBytes,
  bytesToAddress,
  bytesToBigint,
  bytesToHash,
  type Hash,
  hexToBytes,
} from '@prime/primitives';
import { encodeFrames, framesIn } from '../outcomes/blockLists.ts';
import { actionTypeCode, actionTypeOf } from '../actions/actionPayload.ts';
import { openNativeTransaction } from '../actions/openedTransaction.ts';
import type { ExecutableBlock } from './pipelineTypes.ts';
import type { Block, VerifiedAction, VerifiedTransaction } from '../types.ts';

/**
 * Verified transactions on their way from one thread of a node to another, and the block that holds them: fields with places of their own in one
 * array, and the bytes of each transaction once. Nothing here is stored or sent to others.
 */

const hashBytes = 32;
const addressBytes = 20;
const wordBytes = 8;
const amountBytesMax = 32;
/** In place of the number of authorities where a transaction has none of that kind. */
const noAuthorities = 0xff;
/** Of the longest item, but for authorities: hash, sender, type, recipient and whether there is one, nonce, four amounts, authorities' number. */
const itemBytesMax = hashBytes + addressBytes + 1 + 1 + addressBytes + wordBytes + 4 * (1 + amountBytesMax) + 1;

/**
 * All fields but the bytes themselves: hash | sender | type (1 byte) | 1 and the recipient, or 0 | nonce (a double) | gas limit, highest fee, highest priority fee, value |
 * number of authorities (1) | authorities. An amount is the number of its bytes (0, 8 or 32) and these.
 */
export function encodeVerifiedFields(transactions: readonly VerifiedTransaction[]): Uint8Array {
  let authorities = 0;
  for (const transaction of transactions) authorities += transaction.authorities?.length ?? 0;
  const bytes = new Uint8Array(transactions.length * itemBytesMax + authorities * addressBytes);
  const view = new DataView(bytes.buffer);
  let offset = 0;
  const put = (hex: Hash | Address, length: number): void => {
    bytes.set(hexToBytes(hex, length), offset);
    offset += length;
  };
  const putAmount = (amount: bigint): void => {
    const length = amount === 0n ? 0 : amount <= uint64Max ? wordBytes : amountBytesMax;
    bytes[offset++] = length;
    for (let remaining = length; remaining > 0; remaining -= wordBytes)
      view.setBigUint64(offset + remaining - wordBytes, BigInt.asUintN(64, amount >> BigInt((length - remaining) * 8)));
    offset += length;
  };
  for (const transaction of transactions) {
    put(transaction.hash, hashBytes);
    put(transaction.sender, addressBytes);
    bytes[offset++] = transaction.type;
    bytes[offset++] = transaction.to === null ? 0 : 1;
    if (transaction.to !== null) put(transaction.to, addressBytes);
    view.setFloat64(offset, transaction.nonce);
    offset += wordBytes;
    putAmount(transaction.gasLimit);
    putAmount(transaction.maxFeePerGas);
    putAmount(transaction.maxPriorityFeePerGas);
    putAmount(transaction.value);
    bytes[offset++] = transaction.authorities?.length ?? noAuthorities;
    for (const authority of transaction.authorities ?? []) put(authority, addressBytes);
  }
  return bytes.subarray(0, offset);
}

const uint64Max = (1n << 64n) - 1n;

/** What {@link encodeVerifiedFields} made, with the bytes of each transaction in the same order. */
export function decodeVerifiedFields(bytes: Uint8Array, raws: readonly Uint8Array[]): VerifiedTransaction[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const take = (length: number): Uint8Array => bytes.subarray(offset, (offset += length));
  const takeAmount = (): bigint => {
    const length = bytes[offset++]!;
    if (length === 0) return 0n;
    if (length !== wordBytes) return bytesToBigint(take(length));
    offset += wordBytes;
    return view.getBigUint64(offset - wordBytes);
  };
  return raws.map((raw): VerifiedTransaction => {
    const hash = bytesToHash(take(hashBytes));
    const sender = bytesToAddress(take(addressBytes));
    const type = bytes[offset++]!;
    const to = bytes[offset++] === 0 ? null : bytesToAddress(take(addressBytes));
    const nonce = view.getFloat64(offset);
    offset += wordBytes;
    const gasLimit = takeAmount();
    const maxFeePerGas = takeAmount();
    const maxPriorityFeePerGas = takeAmount();
    const value = takeAmount();
    const count = bytes[offset++]!;
    const fields = { raw, hash, type, sender, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas, value, to };
    if (count === noAuthorities) return fields;
    return { ...fields, authorities: Array.from({ length: count }, () => bytesToAddress(take(addressBytes))) };
  });
}

/** Verified actions without anything that their bytes tell: what only a check of the signature tells, and the facts. */
export interface FlatActions {
  /** By {@link encodeActionFields}. */
  readonly fields: Uint8Array;
  /** The bytes as frames. */
  readonly raws: Uint8Array;
}

/** Of each action: hash | signer | code of its type (1 byte) | bits of its kind (1) | debit (32, where there is one) | number of the accounts that it names (2) | these */
export function encodeActionFields(actions: readonly VerifiedAction[]): Uint8Array {
  let length = 0;
  for (const { facts } of actions)
    length += actionBytesMin + (facts.debit === 0n ? 0 : amountBytesMax) + facts.names.length * addressBytes;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const { hash, signer, facts } of actions) {
    bytes.set(hexToBytes(hash, hashBytes), offset);
    bytes.set(hexToBytes(signer, addressBytes), offset + hashBytes);
    offset += hashBytes + addressBytes;
    bytes[offset++] = actionTypeCode[facts.type];
    bytes[offset++] = (facts.lowersRisk ? lowersRiskBit : 0) | (facts.debit === 0n ? 0 : debitBit);
    if (facts.debit !== 0n) {
      const debit = bigintToBytes(facts.debit);
      offset += amountBytesMax;
      bytes.set(debit, offset - debit.length);
    }
    bytes[offset++] = facts.names.length >> 8;
    bytes[offset++] = facts.names.length;
    for (const name of facts.names) {
      bytes.set(hexToBytes(name, addressBytes), offset);
      offset += addressBytes;
    }
  }
  return bytes;
}
const actionBytesMin = hashBytes + addressBytes + 1 + 1 + 2;
const lowersRiskBit = 1;
const debitBit = 2;

/**
 * What {@link encodeActionFields} made, with the bytes of each action in the same order, see {@link openNativeTransaction}.
 *
 * In one loop and without functions of its own: code of those is thrown away with them (docs/performance/closures.md), and this runs in three threads.
 */
export function decodeActionFields(bytes: Uint8Array, raws: readonly Uint8Array[]): VerifiedAction[] {
  const actions: VerifiedAction[] = [];
  let offset = 0;
  for (const raw of raws) {
    const hash = bytesToHash(bytes.subarray(offset, offset + hashBytes));
    offset += hashBytes;
    const signerBytes = bytes.subarray(offset, offset + addressBytes);
    const signer = bytesToAddress(signerBytes);
    offset += addressBytes;
    const type = actionTypeOf(bytes[offset++]!);
    const bits = bytes[offset++]!;
    const debitBytes = (bits & debitBit) === 0 ? 0 : amountBytesMax;
    const debit = debitBytes === 0 ? 0n : bytesToBigint(bytes.subarray(offset, offset + debitBytes));
    offset += debitBytes;
    const count = bytes[offset++]! * 256 + bytes[offset++]!;
    const names = addressesAt(bytes, offset, count);
    offset += count * addressBytes;
    actions.push({
      raw,
      hash,
      signer,
      facts: { type, debit, names, lowersRisk: (bits & lowersRiskBit) !== 0 },
      transaction: openNativeTransaction(raw, { address: signer, bytes: signerBytes }),
    });
  }
  return actions;
}

const nobody: readonly Address[] = [];

function addressesAt(bytes: Uint8Array, offset: number, count: number): readonly Address[] {
  if (count === 0) return nobody;
  return Array.from({ length: count }, (_, index) => {
    const at = offset + index * addressBytes;
    return bytesToAddress(bytes.subarray(at, at + addressBytes));
  });
}

/** Makes what a message between threads can carry cheaply; {@link openActions} undoes it. */
export const flatActions = (actions: readonly VerifiedAction[]): FlatActions => ({
  fields: encodeActionFields(actions),
  raws: encodeFrames(actions.map(({ raw }) => raw)),
});

/** Undoes {@link flatActions}. The bytes of actions are views on the flat ones. */
export const openActions = ({ fields, raws }: FlatActions): VerifiedAction[] =>
  decodeActionFields(fields, framesIn(raws));

/** An {@link ExecutableBlock} in which nothing stands twice. */
export interface FlatBlock {
  readonly hash: Hash;
  readonly block: Pick<Block, 'header' | 'evidence' | 'lastCommit'>;
  /** By {@link encodeVerifiedFields}, and the bytes as frames. */
  readonly transactions: { readonly fields: Uint8Array; readonly raws: Uint8Array };
  readonly actions: FlatActions;
}

/** Makes what a message between threads can carry cheaply; {@link executableBlock} undoes it. */
export const flatBlock = ({ hash, block, transactions, actions }: ExecutableBlock): FlatBlock => ({
  hash,
  block: { header: block.header, evidence: block.evidence, lastCommit: block.lastCommit },
  transactions: { fields: encodeVerifiedFields(transactions), raws: encodeFrames(block.transactions) },
  actions: flatActions(actions),
});

/** Undoes {@link flatBlock}. Transactions and actions are views on the flat bytes. */
export function executableBlock({ hash, block, transactions: flat, actions: flatOnes }: FlatBlock): ExecutableBlock {
  const raws = framesIn(flat.raws);
  const actions = openActions(flatOnes);
  const { header, evidence, lastCommit } = block;
  return {
    hash,
    block: { header, transactions: raws, actions: actions.map(({ raw }) => raw), evidence, lastCommit },
    transactions: decodeVerifiedFields(flat.fields, raws),
    actions,
  };
}
