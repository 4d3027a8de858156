import type { JSX } from 'preact';
import { cellStates, cellWords, type LaneCell } from './lanes.ts';

interface CellsProps {
  /** Oldest first. */
  readonly cells: readonly LaneCell[];
  /** Whether the validator is away now. */
  readonly isMissing: boolean;
}

/** A mark for each block: what a validator did for it. */
export function Cells({ cells, isMissing }: CellsProps): JSX.Element {
  const states = cellStates(cells, isMissing);
  return (
    <>
      {cells.map((cell, index) => (
        <span
          key={cell.number.toString()}
          class={`cell ${states[index]}${cell.missedTurns > 0 ? ' failed' : ''}`}
          title={cellWords(cell)}
        />
      ))}
    </>
  );
}
