import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Button, type Column, Empty, formatDuration, TableCard } from '../../kit/index.ts';
import { type LoggedCall, requestLog } from '../../live/requestLog.ts';

const shownCalls = 24;
/** Letters of the parameters that are shown. */
const lettersMax = 120;

const timeOf = (ms: number): string => new Date(ms).toISOString().slice(11, 23);
const tones = { answered: 'good', refused: 'warn', unreachable: 'bad', malformed: 'bad' } as const;

function shownParams(params: readonly unknown[]): string {
  const text = JSON.stringify(params).slice(1, -1);
  return text.length > lettersMax ? `${text.slice(0, lettersMax)}…` : text;
}

const columns: readonly Column<LoggedCall>[] = [
  {
    title: 'UTC',
    width: '110px',
    wideOnly: true,
    cell: ({ atMs }) => <span class="number faint">{timeOf(atMs)}</span>,
  },
  { title: 'Method', width: '240px', cell: ({ method }) => <span class="mono">{method}</span> },
  { title: 'Parameters', wideOnly: true, cell: ({ params }) => <span class="mono muted">{shownParams(params)}</span> },
  {
    title: 'Took',
    align: 'right',
    width: '80px',
    cell: ({ tookMs }) => <span class="number">{formatDuration(tookMs)}</span>,
  },
  {
    title: 'Outcome',
    align: 'right',
    width: '110px',
    cell: ({ outcome }) => <Badge tone={tones[outcome]}>{outcome}</Badge>,
  },
];

/** What this page itself asks the node, as it asks it. */
export function Requests(): JSX.Element {
  const [held, setHeld] = useState<readonly LoggedCall[] | null>(null);
  const calls = held ?? requestLog.calls.value;
  return (
    <TableCard
      title="Requests of this page"
      class="request-log"
      aside={
        <div class="row">
          <Button size="small" onClick={() => setHeld(held === null ? requestLog.calls.peek() : null)}>
            {held === null ? 'Pause' : 'Go on'}
          </Button>
          <Button size="small" tone="plain" onClick={() => requestLog.clear()} disabled={held !== null}>
            Clear
          </Button>
        </div>
      }
      dense
      columns={columns}
      rows={calls.slice(0, shownCalls)}
      keyOf={({ id }) => id}
      expected={shownCalls}
      empty={<Empty title="Nothing was asked yet" />}
    />
  );
}
