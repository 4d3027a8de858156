import './validators.css';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useHeld, useNode } from '../../app/context.ts';
import { PageHead } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { consensusOf, registeredOf } from '../../live/consensus.ts';
import { presenceOf } from '../../live/presence.ts';
import { Figures } from './Figures.tsx';
import { History } from './History.tsx';
import { Members } from './Members.tsx';
import { membershipOf } from './names.ts';
import { Progress } from './Progress.tsx';
import { SwimLane } from './SwimLane.tsx';

/** Who decides the blocks: round by round, live. */
export function Page(): JSX.Element {
  const node = useNode();
  useHeld(node.validators, presenceOf(node), commitsOf(node), consensusOf(node), registeredOf(node));
  const validators = node.validators.value.value;
  const members = useMemo(() => membershipOf(validators ?? []), [validators]);
  return (
    <div class="stack">
      <PageHead title="Validators" kind="Who decides the blocks" />
      <Figures members={members} />
      <Progress members={members} />
      <SwimLane members={members} />
      <Members members={members} />
      <History />
    </div>
  );
}
