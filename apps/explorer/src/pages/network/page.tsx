import './network.css';
import type { JSX } from 'preact';
import { useHeld, useNode } from '../../app/context.ts';
import { Card, ErrorState, PageHead } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { nodesOf } from '../../live/presence.ts';
import { Figures } from './Figures.tsx';
import { OtherNodes, ValidatorNodes } from './Nodes.tsx';
import { Rules } from './Rules.tsx';
import { ThisNode } from './ThisNode.tsx';

/** The nodes of the network, as far as this one knows them. */
export function Page(): JSX.Element {
  const node = useNode();
  const nodes = nodesOf(node);
  useHeld(nodes, commitsOf(node));
  const known = nodes.value.value;
  const { error } = nodes;
  return (
    <div class="stack">
      <PageHead title="Network" kind="Who is connected, and by which rules" />
      <Figures known={known} />
      {known === null && error.value !== null ? (
        <Card>
          <ErrorState what="The nodes" error={error.value} onRetry={nodes.refresh} />
        </Card>
      ) : (
        <div class="columns">
          <div class="stack">
            <ValidatorNodes known={known} />
            <OtherNodes known={known} />
            <Rules known={known} />
          </div>
          <ThisNode />
        </div>
      )}
    </div>
  );
}
