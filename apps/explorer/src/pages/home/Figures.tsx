import { NewestBlock } from '../../chain/NewestBlock.tsx';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { formatDuration, formatRate, Stat, Stats } from '../../kit/index.ts';
import { intervalsOf, medianOf, ratePerSecond } from '../../live/blocks.ts';
import { presenceOf } from '../../live/presence.ts';
import { upCount } from '../../live/participation.ts';

/** How the chain does: head, pace, load, validators. */
export function Figures(): JSX.Element {
  const node = useNode();
  const { chain, network, validators } = node;
  const presence = presenceOf(node);
  const blocks = chain.blocks.value;
  const interval = medianOf(intervalsOf(blocks));
  const transactions = ratePerSecond(blocks, ({ transactionCount }) => transactionCount);
  const actions = ratePerSecond(blocks, ({ actionCount }) => actionCount);
  const known = validators.value.value;
  const rounds = blocks.filter(({ commit }) => (commit?.round ?? 0) > 0).length;
  return (
    <Stats>
      <NewestBlock />
      <Stat
        label="Time between blocks"
        value={interval === null ? null : formatDuration(interval)}
        note={network.value === null ? 'median' : `median; idle: ${formatDuration(network.value.emptyBlockIntervalMs)}`}
      />
      <Stat
        label="Decided in the first round"
        value={blocks.length === 0 ? null : `${blocks.length - rounds}/${blocks.length}`}
        note="of the latest blocks"
      />
      <Stat
        label="Actions"
        value={actions === null ? null : formatRate(actions)}
        unit="/s"
        note="orders, cancels, transfers"
      />
      <Stat
        label="EVM transactions"
        value={transactions === null ? null : formatRate(transactions)}
        unit="/s"
        note="in the latest blocks"
      />
      <Stat
        label="Validators signing"
        value={
          known === null || blocks.length === 0
            ? null
            : `${upCount(known, blocks, presence.absence.value)}/${known.length}`
        }
        note="of the set, lately"
      />
    </Stats>
  );
}
