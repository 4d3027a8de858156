import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { NewestBlock } from '../../chain/NewestBlock.tsx';
import { usePace } from '../../chain/usePace.ts';
import { useUp } from '../../chain/useUp.ts';
import { formatDuration, formatInteger, formatPercent, ofKnown, Stat, Stats } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { type Membership, quorumShare } from './names.ts';

/** How the set does. */
export function Figures({ members }: { readonly members: Membership }): JSX.Element {
  const node = useNode();
  const { chain } = node;
  const isUp = useUp();
  const blocks = chain.blocks.value;
  const commits = commitsOf(node).commits.value;
  const { validators } = members;
  const isKnown = validators.length > 0 && blocks.length > 0;
  const up = validators.filter(({ address }) => isUp(address) === true).map(({ address }) => address);
  const share = members.shareOf(up);
  const failed = commits?.reduce((sum, { round }) => sum + round, 0) ?? null;
  const interval = usePace();
  return (
    <Stats>
      <Stat
        label="Validators signing"
        value={isKnown ? `${up.length}/${validators.length}` : null}
        note="of the set, lately"
      />
      <Stat
        label="Power signing"
        value={isKnown ? <span class={share > quorumShare ? '' : 'sell'}>{formatPercent(share, 0)}</span> : null}
        note="more than two thirds decide"
      />
      <NewestBlock />
      <Stat label="Time between blocks" value={ofKnown(interval, formatDuration)} note="median" />
      <Stat
        label="Rounds that failed"
        value={ofKnown(failed, formatInteger)}
        note={ofKnown(commits, ({ length }) => `in the latest ${length} blocks`)}
      />
    </Stats>
  );
}
