import { type Address, type Hash, hexToBytes, type MarketId, type OrderId } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';

/**
 * State of the order book domain as key-value records. The same bytes are what is persisted, what the read models are fed with
 * and what the leaves of the orders root commit to. A key is one kind byte and fixed-width big-endian parts, so that key
 * order is kind, then number or address. A record repeats the ids of its key: a leaf is readable on its own.
 */
export const clobRecordKind = {
  global: 0,
  market: 1,
  order: 2,
  account: 3,
  nonce: 4,
  agent: 5,
  signer: 6,
  transfer: 7,
  closedOrders: 8,
  refusedOrders: 9,
  level: 10,
  reporter: 11,
  scheduledCancel: 12,
  trigger: 13,
  proposal: 14,
  parameters: 15,
} as const;
/** The first byte of a key, by name. */
export type ClobRecordKind = keyof typeof clobRecordKind;

function numberKey(kind: number, value: number, width: number): Uint8Array {
  const key = new Uint8Array(width + 1);
  setNumberKey(key, 0, kind, value, width);
  return key;
}

function setNumberKey(bytes: Uint8Array, at: number, kind: number, value: number, width: number): void {
  bytes[at] = kind;
  let remaining = value;
  for (let index = at + width; index > at; index--) {
    bytes[index] = remaining % 256;
    remaining = Math.floor(remaining / 256);
  }
}

function addressKey(kind: number, ...addresses: readonly Address[]): Uint8Array {
  const key = new Uint8Array(1 + 20 * addresses.length);
  key[0] = kind;
  addresses.forEach((part, index) => {
    key.set(hexToBytes(part, 20), 1 + 20 * index);
  });
  return key;
}

/** 00 */
export const globalRecordKey = (): Uint8Array => Uint8Array.of(clobRecordKind.global);
/** 01 | market id, 4 bytes */
export const marketRecordKey = (id: MarketId): Uint8Array => numberKey(clobRecordKind.market, id, 4);
/** 02 | order id, 8 bytes */
export const orderRecordKey = (id: OrderId): Uint8Array => numberKey(clobRecordKind.order, id, 8);
/** {@link orderRecordKey} into bytes that are there already. @returns its length */
export function setOrderRecordKey(bytes: Uint8Array, at: number, id: OrderId): number {
  setNumberKey(bytes, at, clobRecordKind.order, id, 8);
  return 9;
}
/** 03 | address */
export const accountRecordKey = (owner: Address): Uint8Array => addressKey(clobRecordKind.account, owner);
/** 04 | signer's address */
export const nonceRecordKey = (signer: Address): Uint8Array => addressKey(clobRecordKind.nonce, signer);
/** 05 | account's address | agent's address */
export const agentRecordKey = (account: Address, agent: Address): Uint8Array =>
  addressKey(clobRecordKind.agent, account, agent);

/** 0b | owner's address of a validator */
export const reporterRecordKey = (validator: Address): Uint8Array => addressKey(clobRecordKind.reporter, validator);
/** 06 | signer's address */
export const signerRecordKey = (signer: Address): Uint8Array => addressKey(clobRecordKind.signer, signer);
/** 07 | transfer id, 8 bytes */
export const transferRecordKey = (id: number): Uint8Array => numberKey(clobRecordKind.transfer, id, 8);
/** 08 | height, 8 bytes */
export const closedOrdersRecordKey = (atHeight: number): Uint8Array =>
  numberKey(clobRecordKind.closedOrders, atHeight, 8);

/** 09 | height, 8 bytes */
export const refusedOrdersRecordKey = (atHeight: number): Uint8Array =>
  numberKey(clobRecordKind.refusedOrders, atHeight, 8);

/** 0c | account's address */
export const scheduledCancelRecordKey = (account: Address): Uint8Array =>
  addressKey(clobRecordKind.scheduledCancel, account);

/** 0d | order id, 8 bytes */
export const triggerRecordKey = (id: OrderId): Uint8Array => numberKey(clobRecordKind.trigger, id, 8);
/** 0e | proposal's hash */
export function proposalRecordKey(proposal: Hash): Uint8Array {
  const key = new Uint8Array(33);
  key[0] = clobRecordKind.proposal;
  key.set(hexToBytes(proposal, 32), 1);
  return key;
}
/** 0f */
export const parametersRecordKey = (): Uint8Array => Uint8Array.of(clobRecordKind.parameters);

/** Bytes of the keys of each kind. */
const keyLengths: Readonly<Record<ClobRecordKind, number>> = {
  global: 1,
  market: 5,
  order: 9,
  account: 21,
  nonce: 21,
  agent: 41,
  signer: 21,
  transfer: 9,
  closedOrders: 9,
  refusedOrders: 9,
  level: 22,
  reporter: 21,
  scheduledCancel: 21,
  trigger: 9,
  proposal: 33,
  parameters: 1,
};
/** By their numbers. */
const kinds: { readonly name: ClobRecordKind; readonly keyLength: number }[] = [];
for (const name of Object.keys(clobRecordKind) as ClobRecordKind[])
  kinds[clobRecordKind[name]] = { name, keyLength: keyLengths[name] };

/** What a key names. @throws CodecError `CODEC_FIELD_INVALID` when it is no key of this domain */
export function recordKind(key: Uint8Array): ClobRecordKind {
  const kind = kinds[key[0] ?? kinds.length];
  return kind !== undefined && key.length === kind.keyLength
    ? kind.name
    : invalidField('record key', `kind ${key[0]} with ${key.length} bytes`);
}

/** The number in the key of a market, order, trigger, transfer or block of closed orders. */
export function recordNumber(key: Uint8Array): number {
  let value = 0;
  for (let index = 1; index < key.length; index++) value = value * 256 + key[index]!;
  return value;
}
