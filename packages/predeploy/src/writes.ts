import {
  actionTypeCode,
  type ContractAction,
  type ContractPayload,
  type ContractWrite,
  type Log,
  ordersAddress,
  type Receipt,
  selfTradeModes,
  timesInForce,
} from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import {
  type Address,
  assert,
  bigintToNumber,
  bytesToAddress,
  bytesToBigint,
  bytesToHex,
  type Hash,
  hexToBytes,
  type MarketId,
  type OrderId,
  utf8ToBytes,
} from '@prime/primitives';

/** First topic of the log of a write. */
export const actionTopic: Hash = keccakHex(utf8ToBytes('Action(address,uint8,uint64,bytes)'));

const wordBytes = 32;
/** Ticket, offset of the data, their length. */
const headWords = 3;

/**
 * What contracts had the order book do in a block, in the order of the logs.
 *
 * Only logs of 0x…0100 count: anybody can make a log that looks the same at another address. A transaction that failed has none.
 */
export function contractWritesOf(receipts: readonly Pick<Receipt, 'logs' | 'transactionHash'>[]): ContractWrite[] {
  const writes: ContractWrite[] = [];
  for (const { logs, transactionHash } of receipts)
    for (const log of logs)
      if (log.address === ordersAddress && log.topics[0] === actionTopic)
        writes.push(contractWriteOf(log, transactionHash));
  return writes;
}

/** @throws InvariantError for a log that the contract does not make */
function contractWriteOf({ topics, data }: Log, transactionHash: Hash): ContractWrite {
  assert(topics.length === 3 && data.length >= headWords * wordBytes, 'a log of 0x…0100 is not one of its contract');
  const length = bigintToNumber(wordAt(data, 2));
  const start = headWords * wordBytes;
  assert(start + length <= data.length, 'a log of 0x…0100 is cut off');
  return {
    ticket: bigintToNumber(wordAt(data, 0)),
    transactionHash,
    account: addressOf(hexToBytes(topics[1]!)),
    kind: bigintToNumber(bytesToBigint(hexToBytes(topics[2]!))),
    data: data.slice(start, start + length),
  };
}

/** The action that a write asks for. @throws InvariantError for one that the contract does not make */
export const contractActionOf = ({ ticket, transactionHash, account, kind, data }: ContractWrite): ContractAction => ({
  ticket,
  transactionHash,
  account,
  payload: payloadOf(kind, data),
});

const typeOfCode = new Map<number, ContractPayload['type']>(
  (
    [
      'order',
      'cancel',
      'cancelByClientId',
      'cancelAll',
      'deposit',
      'withdraw',
      'liquidate',
      'approveAgent',
      'revokeAgent',
    ] as const
  ).map((type) => [actionTypeCode[type], type]),
);

function payloadOf(kind: number, data: Uint8Array): ContractPayload {
  const type = typeOfCode.get(kind);
  const word = (index: number): bigint => wordAt(data, index);
  const number = (index: number): number => bigintToNumber(word(index));
  const address = (index: number): Address => addressOf(wordBytesAt(data, index));
  switch (type) {
    case 'order':
      return orderOf(data);
    case 'cancel':
      return { type, orderId: number(0) as OrderId };
    case 'cancelByClientId':
      return { type, clientId: clientIdOf(data, 0)! };
    case 'cancelAll':
      return { type, marketId: word(0) === 0n ? null : (number(0) as MarketId) };
    case 'deposit':
      return { type, to: address(0), amount: word(1) };
    case 'withdraw':
      return { type, amount: word(0), to: address(1) };
    case 'liquidate':
      return { type, address: address(0) };
    case 'approveAgent':
      return { type, agent: address(0), expiry: number(1), permissions: number(2), name: '' };
    case 'revokeAgent':
      return { type, agent: address(0) };
    default:
      return assert(false, `0x…0100 asked for an action of kind ${kind}`) as never;
  }
}

function orderOf(data: Uint8Array): ContractPayload {
  const flags = bigintToNumber(wordAt(data, 5));
  return {
    type: 'order',
    marketId: bigintToNumber(wordAt(data, 0)) as MarketId,
    side: wordAt(data, 1) === 1n ? 'buy' : 'sell',
    price: wordAt(data, 2),
    size: wordAt(data, 3),
    tif: timesInForce[bigintToNumber(wordAt(data, 4))]!,
    postOnly: (flags & 1) === 1,
    reduceOnly: (flags & 2) === 2,
    selfTrade: selfTradeModes[flags >> 2]!,
    clientId: clientIdOf(data, 6),
    expiresAt: 0,
  };
}

/** 16 bytes as hex; 0 is none. */
function clientIdOf(data: Uint8Array, index: number): string | null {
  return wordAt(data, index) === 0n ? null : bytesToHex(wordBytesAt(data, index).subarray(16));
}

const wordBytesAt = (data: Uint8Array, index: number): Uint8Array =>
  data.subarray(index * wordBytes, (index + 1) * wordBytes);
const wordAt = (data: Uint8Array, index: number): bigint => bytesToBigint(wordBytesAt(data, index));
const addressOf = (word: Uint8Array): Address => bytesToAddress(word.subarray(12));
