import type { KeptStep, WholeStep } from '../feed/keptWatcher.ts';
import type { BlockPosition } from '../types.ts';
import type { MessageOf } from '../wire/states.ts';
import { brokenSequence } from './keeper.ts';

/**
 * Puts snapshots together that come in parts, and hands the rest on as it is. What it keeps begins anew with each first part, so that it needs no word of a
 * connection that ended.
 *
 * @param step what a whole message makes of a state
 */
export function inParts<entry, state extends BlockPosition, change>(
  step: (kept: state | null, message: MessageOf<entry>) => WholeStep<state, change>,
): (kept: state | null, message: MessageOf<entry>) => KeptStep<state, change> {
  let parts: MessageOf<entry>[] = [];
  return (kept, message) => {
    const { part, sequence } = message;
    if (part?.at === 1) parts = [];
    const next = parts.length + 1;
    const [first] = parts;
    const isNext =
      part === null ? first === undefined : part.at === next && (first === undefined || sequence === first.sequence);
    if (!isNext) {
      parts = [];
      const actual = part === null ? 'an update' : `part ${part.at} of sequence ${sequence}`;
      return brokenSequence(`part ${next} of sequence ${first?.sequence ?? sequence}`, actual);
    }
    if (part === null) return step(kept, message);
    parts.push(message);
    if (part.at < part.count) return { kind: 'more' };
    const whole = {
      ...message,
      bids: parts.flatMap(({ bids }) => bids),
      asks: parts.flatMap(({ asks }) => asks),
    };
    parts = [];
    return step(kept, whole);
  };
}
