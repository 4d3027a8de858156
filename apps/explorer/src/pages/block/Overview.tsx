import type { ComponentChildren, JSX } from 'preact';
import { useHref } from '../../app/context.ts';
import { GasUsed } from '../../chain/GasUsed.tsx';
import { ValidatorLink } from '../../chain/links.tsx';
import { Badge, formatInteger, Hash, KeyCard, type KeyEntry, orNone, orPlace, TimeAndMoment } from '../../kit/index.ts';
import type { ReadBlock } from './readBlock.ts';

/** The header of a block. */
export function Overview({ read }: { readonly read: ReadBlock | null }): JSX.Element {
  const href = useHref();
  const entry = (name: string, value: (read: ReadBlock) => ComponentChildren, width = '40ch'): KeyEntry => ({
    name,
    value: orPlace(read, width, value),
  });
  const entries = [
    entry('Hash', ({ block }) => <Hash value={block.hash ?? ''} whole />),
    entry('Decided', ({ block }) => <TimeAndMoment timestampMs={block.timestampMs} />),
    entry('Proposer', ({ block }) => <ValidatorLink address={block.proposer} copy />),
    entry('Round', ({ block }) => <Round round={block.commit?.round ?? null} />, '3ch'),
    entry('Gas', ({ block }) => <GasUsed used={block.gasUsed} limit={block.gasLimit} />),
    entry('Base fee', ({ block }) => <span class="number">{formatInteger(block.baseFee)} wei</span>, '6ch'),
    entry('Block before', ({ block }) =>
      block.number === 0n ? (
        <span class="faint">none</span>
      ) : (
        <Hash value={block.parentHash} whole href={href({ page: 'block', block: (block.number - 1n).toString() })} />
      ),
    ),
    entry('State root', ({ block }) => <Hash value={block.stateRoot} whole />),
    entry('Orders root', ({ block }) =>
      orNone(block.ordersRoot, 'no longer kept by this node', (root) => <Hash value={root} whole />),
    ),
    entry('Validators hash', ({ block }) => <Hash value={block.validatorsHash} whole />),
  ];
  return <KeyCard title="Header" entries={entries} />;
}

function Round({ round }: { readonly round: number | null }): JSX.Element {
  if (round === null) return <span class="faint">genesis was not decided</span>;
  if (round === 0) return <span>0 </span>;
  return (
    <>
      <Badge tone="warn">{round}</Badge>{' '}
      <span class="faint">{round === 1 ? 'one attempt before it failed' : `${round} attempts before it failed`}</span>
    </>
  );
}
