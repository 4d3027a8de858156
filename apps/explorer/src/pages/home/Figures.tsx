import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { NewestBlock } from '../../chain/NewestBlock.tsx';
import { usePace } from '../../chain/usePace.ts';
import { useUp } from '../../chain/useUp.ts';
import { formatDuration, formatRate, ofKnown, Stat, Stats } from '../../kit/index.ts';
import { ratePerSecond } from '../../live/blocks.ts';

/** How the chain does: head, pace, load, validators. */
export function Figures(): JSX.Element {
  const node = useNode();
  const { chain, network, validators } = node;
  const isUp = useUp();
  const blocks = chain.blocks.value;
  const interval = usePace();
  const transactions = ratePerSecond(blocks, ({ transactionCount }) => transactionCount);
  const actions = ratePerSecond(blocks, ({ actionCount }) => actionCount);
  const known = validators.value.value;
  const rounds = blocks.filter(({ commit }) => (commit?.round ?? 0) > 0).length;
  return (
    <Stats>
      <NewestBlock />
      <Stat
        label="Time between blocks"
        value={ofKnown(interval, formatDuration)}
        note={network.value === null ? 'median' : `median; idle: ${formatDuration(network.value.emptyBlockIntervalMs)}`}
      />
      <Stat
        label="Decided in the first round"
        value={blocks.length === 0 ? null : `${blocks.length - rounds}/${blocks.length}`}
        note="of the latest blocks"
      />
      <Stat label="Actions" value={ofKnown(actions, formatRate)} unit="/s" note="orders, cancels, transfers" />
      <Stat label="EVM transactions" value={ofKnown(transactions, formatRate)} unit="/s" note="in the latest blocks" />
      <Stat
        label="Validators signing"
        value={ofKnown(
          blocks.length === 0 ? null : known,
          (set) => `${set.filter(({ address }) => isUp(address)).length}/${set.length}`,
        )}
        note="of the set, lately"
      />
    </Stats>
  );
}
