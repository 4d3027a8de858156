import {
  type AccountList,
  accountLists,
  closedOrderOwners,
  eachListedAccount,
  encodePositions,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import { type Address, concatBytes, type Height, hexToBytes } from '@prime/primitives';

/**
 * Index of what happened to each account (docs/adr/0211-history-of-traders.md): its list, its address and the height lead to places in the block. It is
 * made of what the block left anyway, so that it is made again where a database has none.
 */

/** What the keys of a list begin with behind their prefix. */
export const listTerm = (list: AccountList, address: Address): Uint8Array =>
  concatBytes(Uint8Array.of(accountLists[list]), hexToBytes(address));

const accountBytes = 20;
/** prefix | list | account | height */
const keyBytes = 2 + accountBytes + 8;

/** Places in a block by account, of bytes that name the accounts. */
class ListedPlaces {
  /** By list, then by account: each byte a character, the cheapest text that names it. */
  readonly #lists = new Map<number, Map<string, number[]>>();
  readonly #bytes: Buffer;

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.#bytes = Buffer.from(buffer, byteOffset, length);
  }

  /** @param start where the account begins in the bytes @param place at or above those that were added before for the account and list */
  readonly add = (list: number, start: number, place: number): void => {
    const account = this.#bytes.toString('latin1', start, start + accountBytes);
    let accounts = this.#lists.get(list);
    if (accounts === undefined) this.#lists.set(list, (accounts = new Map()));
    const places = accounts.get(account);
    if (places === undefined) accounts.set(account, [place]);
    else if (places.at(-1) !== place) places.push(place);
  };

  writes(height: Height): RecordWrite[] {
    const heightBytes = Buffer.alloc(8);
    heightBytes.writeBigUInt64BE(BigInt(height));
    const writes: RecordWrite[] = [];
    for (const [list, accounts] of this.#lists)
      for (const [account, places] of accounts) {
        const key = new Uint8Array(keyBytes);
        key[0] = statePrefix.accountList;
        key[1] = list;
        for (let at = 0; at < accountBytes; at++) key[2 + at] = account.charCodeAt(at);
        key.set(heightBytes, 2 + accountBytes);
        writes.push({ key, value: encodePositions(places) });
      }
    return writes;
  }
}

/**
 * Entries of a block.
 *
 * @param events of the block, encoded
 * @param ended its record of closed orders; null where none ended
 */
export function accountListWrites(height: Height, events: Uint8Array, ended: Uint8Array | null): RecordWrite[] {
  const happened = new ListedPlaces(events);
  eachListedAccount(events, happened.add);
  if (ended === null) return happened.writes(height);
  const closed = new ListedPlaces(ended);
  closedOrderOwners(ended).forEach((start, place) => {
    closed.add(accountLists.orders, start, place);
  });
  return [...happened.writes(height), ...closed.writes(height)];
}
