import type { NetworkNodes } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { NewestBlock } from '../../chain/NewestBlock.tsx';
import { usePace } from '../../chain/usePace.ts';
import { formatDuration, formatInteger, ofKnown, Stat, Stats } from '../../kit/index.ts';
import { untilBlockMs } from './untilBlock.ts';

/** The network in a row of figures; null shows places that are filled later. */
export function Figures({ known }: { readonly known: NetworkNodes | null }): JSX.Element {
  const head = useNode().chain.head.value;
  const interval = usePace();
  const present = known?.validators.filter(({ isPresent }) => isPresent).length ?? 0;
  const next = known?.protocol.next ?? null;
  const wait = next === null || head === null ? null : untilBlockMs(next.height, head.number, interval);
  return (
    <Stats>
      <Stat
        label="Validators there"
        value={ofKnown(known, ({ validators }) => `${present}/${validators.length}`)}
        note="as this node sees it"
      />
      <Stat
        label="Other nodes"
        value={ofKnown(known, ({ others }) => formatInteger(others.length))}
        note="connected to this one"
      />
      <NewestBlock />
      <Stat
        label="Rules of blocks"
        value={ofKnown(known, ({ protocol }) => `version ${protocol.version}`)}
        note={ofKnown(known, ({ protocol }) => `this node knows ${protocol.knownVersion}`)}
      />
      <Stat
        label="Next upgrade"
        value={known === null ? null : next === null ? 'none' : formatInteger(next.height)}
        note={
          next === null ? 'nothing is planned' : wait === null ? 'at this block' : `in about ${formatDuration(wait)}`
        }
      />
    </Stats>
  );
}
