import type { NetworkNodes } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { NewestBlock } from '../../chain/NewestBlock.tsx';
import { formatDuration, formatInteger, Stat, Stats } from '../../kit/index.ts';
import { untilBlockMs } from './untilBlock.ts';
import { usePace } from './usePace.ts';

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
        value={known === null ? null : `${present}/${known.validators.length}`}
        note="as this node sees it"
      />
      <Stat
        label="Other nodes"
        value={known === null ? null : formatInteger(known.others.length)}
        note="connected to this one"
      />
      <NewestBlock />
      <Stat
        label="Rules of blocks"
        value={known === null ? null : `version ${known.protocol.version}`}
        note={known === null ? '' : `this node knows ${known.protocol.knownVersion}`}
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
