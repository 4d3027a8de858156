import type { Height } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import { accountLists } from '../outcomes/accountHistory.ts';
import { decodeNumbers, encodeNumbers } from '../outcomes/blockLists.ts';
import { statePrefix, termHeightKey } from './databaseKeys.ts';

/**
 * Where something is in the blocks of the past, by what is asked for: a term. A window is some blocks in a row, and has one entry for each term that its
 * blocks have (docs/adr/0228-postings-by-window.md).
 */

/** Lists of terms, each with a code of its own in the keys. */
export const postingLists = {
  /** Logs by address (20 bytes), and by topic (32): position n has the code n + 1. */
  logAddress: 0,
  /** Blocks by the kinds of their events: code of the kind, 2 bytes. All places are 0. */
  eventKind: 5,
  /** Transactions and, behind them, actions by the accounts that they concern: address. */
  account: 6,
  /** Ended orders by {@link orderPage}: 8 bytes. A place is that of the order, and the rest of its id. */
  orderPage: 7,
  /** What happened to accounts: address. The codes of {@link accountLists} follow. */
  accountLists: 16,
} as const;

/** Orders whose ids differ only below this have one term. */
export const orderPage = 256;

const addressBytes = 20;
/** Of logs by topic. */
const topicBytes = 32;
const topicsMax = 4;

/** Bytes of the terms of each list, by its code. */
export const termBytes: readonly (number | undefined)[] = bytesOfTerms();

function bytesOfTerms(): (number | undefined)[] {
  const bytes: (number | undefined)[] = [];
  bytes[postingLists.logAddress] = addressBytes;
  for (let position = 1; position <= topicsMax; position++) bytes[postingLists.logAddress + position] = topicBytes;
  bytes[postingLists.eventKind] = 2;
  bytes[postingLists.account] = addressBytes;
  bytes[postingLists.orderPage] = 8;
  for (const code of Object.values(accountLists)) bytes[postingLists.accountLists + code] = addressBytes;
  return bytes;
}

/** What a term's entries begin with, behind their prefix. */
export interface TermKey {
  /** Code of {@link postingLists}. */
  readonly list: number;
  readonly term: Uint8Array;
}

/** P | list | term | height @param height last block of the window */
export function postingsKey({ list, term }: TermKey, height: number): Uint8Array {
  const named = new Uint8Array(term.length + 1);
  named[0] = list;
  named.set(term, 1);
  return termHeightKey(statePrefix.postings, named, height);
}

/** Places of a term in one block, ascending. */
export interface Posting {
  readonly height: Height;
  readonly positions: readonly number[];
}

/**
 * Value of an entry: of each block its distance from the window's last one, how many places there are, and these, the first from 0 and each other as what it skips.
 *
 * @param last block of the window
 * @param postings ascending
 */
export function encodePostings(last: number, postings: Iterable<Posting>): Uint8Array {
  const numbers: number[] = [];
  for (const { height, positions } of postings) {
    numbers.push(last - height, positions.length);
    let previous = -1;
    for (const position of positions) {
      numbers.push(position - previous - 1);
      previous = position;
    }
  }
  return encodeNumbers(numbers);
}

/** Inverse of {@link encodePostings}. @throws CodecError `CODEC_FIELD_INVALID` */
export function decodePostings(last: number, value: Uint8Array): Posting[] {
  const numbers = decodeNumbers(value);
  const postings: Posting[] = [];
  for (let at = 0; at < numbers.length; ) {
    const height = (last - numbers[at]!) as Height;
    const end = at + 2 + (numbers[at + 1] ?? numbers.length);
    if (end > numbers.length) return invalidField('postings', `${value.length} bytes`);
    const positions: number[] = [];
    let previous = -1;
    for (at += 2; at < end; at++) {
      previous += numbers[at]! + 1;
      positions.push(previous);
    }
    postings.push({ height, positions });
  }
  return postings;
}
