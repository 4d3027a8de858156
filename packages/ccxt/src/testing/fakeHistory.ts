import type { Answer } from './fakeCcxt.ts';
import { timeOfBlock } from './fakeNode.ts';

/** An entry of an account's history as the wire has it. */
export type WireEntry = Readonly<Record<string, unknown>> & { readonly time_ms: string };

/** An integer as JSON-RPC has it. */
export const hex = (value: number | bigint): string =>
  value < 0 ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;

/** Where an entry stands: fields that all of them have. */
export const placeOf = (block: number, index: number) => ({
  transaction_hash: null,
  event_index: hex(index),
  block_number: hex(block),
  time_ms: hex(timeOfBlock(block)),
});

interface WirePage {
  readonly from_time_ms?: number;
  readonly to_time_ms?: number;
  readonly market_id?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * Answers the methods of an account's history.
 *
 * @param lists entries of each, oldest first, by the method and the name that its answer has for them
 * @param pageMax entries of one answer at most
 */
export const historyNode =
  (lists: Readonly<Record<string, readonly [name: string, entries: readonly WireEntry[]]>>, pageMax = 1000): Answer =>
  (method, params) => {
    const list = lists[method];
    if (list === undefined) return undefined;
    const [name, entries] = list;
    const {
      from_time_ms: from = 0,
      to_time_ms: to = Infinity,
      market_id: market,
      limit,
      cursor,
    } = params[1] as WirePage;
    const found = entries
      .map((entry, index) => ({ entry, index }))
      .filter(({ entry }) => Number(entry.time_ms) >= from && Number(entry.time_ms) <= to)
      .filter(({ entry }) => market === undefined || entry['market_id'] === market)
      .filter(({ index }) => cursor === undefined || index < Number(cursor))
      .toReversed();
    const page = found.slice(0, Math.min(limit, pageMax));
    return {
      [name]: page.map(({ entry }) => entry),
      next: page.length === found.length ? null : hex(page.at(-1)!.index),
      oldest_block: '0x1',
      oldest_ms: hex(timeOfBlock(1)),
    };
  };
