import type { JSX } from 'preact';
import { useNode } from '../app/context.ts';
import { Flash, formatInteger, Stat, Time } from '../kit/index.ts';

/** The newest block as one of the numbers of a page. */
export function NewestBlock(): JSX.Element {
  const head = useNode().chain.head.value;
  return (
    <Stat
      label="Newest block"
      value={head === null ? null : <Flash value={head.number}>{formatInteger(head.number)}</Flash>}
      note={head !== null && <Time timestampMs={head.timestampMs} />}
    />
  );
}
