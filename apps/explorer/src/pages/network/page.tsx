import './network.css';
import type { JSX } from 'preact';
import { useHeld, useNode } from '../../app/context.ts';
import { Known, PageHead } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { resourceOf } from '../../live/poll.ts';
import { nodesOf } from '../../live/presence.ts';
import { Figures } from './Figures.tsx';
import { OtherNodes, ValidatorNodes } from './Nodes.tsx';
import { Rules } from './Rules.tsx';
import { ThisNode } from './ThisNode.tsx';

/** The nodes of the network, as far as this one knows them. */
export function Page(): JSX.Element {
  const node = useNode();
  useHeld(nodesOf(node), commitsOf(node));
  const nodes = resourceOf(nodesOf(node));
  const known = nodes.value;
  return (
    <div class="stack">
      <PageHead title="Network" kind="Who is connected, and by which rules" />
      <Figures known={known} />
      <Known what="The nodes" of={nodes} inCard>
        <div class="columns">
          <div class="stack">
            <ValidatorNodes known={known} />
            <OtherNodes known={known} />
            <Rules known={known} />
          </div>
          <ThisNode />
        </div>
      </Known>
    </div>
  );
}
