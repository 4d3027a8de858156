import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { Card } from '../../kit/index.ts';
import { commitsOf, keptCommits } from '../../live/commits.ts';
import { Cells } from '../validators/Cells.tsx';
import { laneOf, recordOf } from '../validators/lanes.ts';

interface RecordProps {
  readonly address: string;
  readonly name: string;
  readonly isMissing: boolean;
}

/** Each of the latest blocks, oldest first, and what it did for it. */
export function Record({ address, name, isMissing }: RecordProps): JSX.Element {
  const commits = commitsOf(useNode()).commits.value ?? [];
  const { signed, blocks } = recordOf(address, commits);
  const cells = laneOf(address, commits, keptCommits);
  // The place of those that are still to come: nothing grows under the eyes of somebody.
  const places = Array.from({ length: keptCommits - cells.length }, (_, index) => index);
  return (
    <Card title="Latest blocks" aside={<span class="faint quiet">oldest first; point at one</span>}>
      <div class="record" role="img" aria-label={`${name} signed ${signed} of the latest ${blocks} blocks`}>
        <Cells cells={cells} isMissing={isMissing} />
        {places.map((place) => (
          <span key={place} class="cell" />
        ))}
      </div>
    </Card>
  );
}
