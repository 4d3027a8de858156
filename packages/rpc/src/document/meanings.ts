import { consensusMeanings } from './consensusMeanings.ts';
import { ethereumMeanings } from './ethereumMeanings.ts';
import { historyMeanings } from './historyMeanings.ts';
import { insightMeanings } from './insightMeanings.ts';
import { nativeMeanings } from './nativeMeanings.ts';

/**
 * What each parameter and field of the interface means, and its unit: the one home of the `description` of every field in OpenRPC and docs/rpc.
 * What a value must look like is said by its schema.
 *
 * A key is a name, or its path from anything that contains it: `authorization.nonce` is the nonce in an authorization, `Block.size` the size in
 * the shape of that title. The longest key that fits holds.
 */
const meanings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...ethereumMeanings,
    ...nativeMeanings,
    ...historyMeanings,
    ...insightMeanings,
    ...consensusMeanings,
  }),
);

/** @param path names from the method, or the title of a shape, down to the field @returns null where nothing is known */
export function meaningOf(path: readonly string[]): string | null {
  for (let start = 0; start < path.length; start++) {
    const meaning = meanings.get(path.slice(start).join('.'));
    if (meaning !== undefined) return meaning;
  }
  return null;
}
