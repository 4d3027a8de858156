import { RlpCursor } from '../encoding/rlpCursor.ts';
import { frameEnds, framesStart } from './blockLists.ts';
import { type EventDefinition, type EventKind, eventTable, isAccountField } from './eventTable.ts';

/**
 * What of a block belongs to the history of an account (docs/adr/0211-history-of-traders.md). The tables below are the only place that says which
 * events are in which list; index, answers and documents follow from them.
 */

/** Lists of an account's history, each with a code that is never used again for another one: it is in keys of the database. */
export const accountLists = { fills: 1, orders: 2, funding: 3, transfers: 4, liquidations: 5 } as const;
/** A list of an account's history. `orders` are those that ended; the others are made of events. */
export type AccountList = keyof typeof accountLists;
/** A list that is made of events. */
export type AccountEventList = Exclude<AccountList, 'orders'>;

/** Events of each list; they are in the lists of all accounts that they name. */
export const eventsOfLists = {
  fills: ['trade', 'deleveraged'],
  funding: ['funding_paid'],
  transfers: [
    'collateral_deposited',
    'collateral_withdrawn',
    'collateral_transferred',
    'transfer_queued',
    'transfer_completed',
    'transfer_failed',
  ],
  liquidations: ['liquidation', 'deleveraged', 'debt_covered', 'bad_debt', 'loss_settled'],
} as const satisfies Readonly<Record<AccountEventList, readonly EventKind[]>>;

/** Bytes of an address. */
const accountBytes = 20;

/** In which lists events of a kind are, and where in their encoding accounts stand. */
interface ListedKind {
  readonly lists: readonly number[];
  /** Places among the fields, ascending, each as the distance from the field behind the one before. */
  readonly gaps: readonly number[];
}

/** By code of the kind. */
const listedKinds: readonly (ListedKind | undefined)[] = listKinds();

function listKinds(): (ListedKind | undefined)[] {
  const kinds: (ListedKind | undefined)[] = [];
  for (const [kind, { code, fields }] of Object.entries<EventDefinition>(eventTable)) {
    const lists = (Object.keys(eventsOfLists) as AccountEventList[])
      .filter((list) => (eventsOfLists[list] as readonly string[]).includes(kind))
      .map((list) => accountLists[list]);
    if (lists.length > 0) kinds[code] = { lists, gaps: gapsOf(fields) };
  }
  return kinds;
}

function gapsOf(fields: EventDefinition['fields']): number[] {
  const places = Object.values(fields).flatMap((type, place) => (isAccountField(type) ? [place] : []));
  return places.map((place, index) => place - (index === 0 ? 0 : places[index - 1]! + 1));
}

/**
 * Tells of each event that is in a list, account by account; nothing else of it is decoded, as a block has thousands.
 *
 * @param events of a block, encoded: see eventFrames.ts
 * @param tell gets the code of the list, where the 20 bytes of the account begin, and the event's place in the block
 * @param kinds gets the codes of all events' kinds
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`
 */
export function eachListedAccount(
  events: Uint8Array,
  tell: (list: number, start: number, place: number) => void,
  kinds?: Set<number>,
): void {
  const cursor = new RlpCursor(events);
  const ends = frameEnds(events);
  let start = framesStart(ends.length);
  for (let place = 0; place < ends.length; place++) {
    cursor.moveTo(start);
    start = ends[place]!;
    cursor.list();
    const code = cursor.number();
    kinds?.add(code);
    const listed = listedKinds[code];
    if (listed === undefined) continue;
    // What caused it.
    cursor.skip();
    for (const gap of listed.gaps) {
      cursor.skip(gap + 1);
      for (const list of listed.lists) tell(list, cursor.at - accountBytes, place);
    }
  }
}
