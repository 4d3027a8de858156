import type { CommitSummary, ConsensusStatus } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { BlockLink } from '../../chain/BlockLink.tsx';
import { ValidatorLink } from '../../chain/links.tsx';
import { useUp } from '../../chain/useUp.ts';
import { Card, Skeleton } from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { consensusOf } from '../../live/consensus.ts';
import { Cells } from './Cells.tsx';
import { laneOf, recordOf } from './lanes.ts';
import type { Membership } from './names.ts';

/** Blocks that are drawn: as many as fit are seen. */
const shownBlocks = 72;
/** Lanes that are drawn: a network with more has a table of them. */
const lanesMax = 60;
/** A height is written at every tenth block. */
const labelEvery = 10n;

/** Who signed and proposed the newest blocks, whose turn failed, and the votes of the block that is under way. */
export function SwimLane({ members }: { readonly members: Membership }): JSX.Element {
  const node = useNode();
  const commits = commitsOf(node).commits.value;
  const isUp = useUp();
  const status = consensusOf(node).value.value;
  return (
    <Card title="Rounds" aside={<Legend />} flush>
      <div class="lanes">
        <Heights commits={commits} />
        {members.validators.slice(0, lanesMax).map(({ address, moniker }) => (
          <Lane
            key={address}
            address={address}
            name={moniker}
            commits={commits}
            isMissing={isUp(address) === false}
            round={status?.currentRound ?? null}
          />
        ))}
        {members.validators.length === 0 && [0, 1, 2, 3].map((index) => <Skeleton key={index} />)}
      </div>
    </Card>
  );
}

const markWords = {
  proposed: 'proposed',
  signed: 'signed',
  late: 'not needed',
  missing: 'missing',
  'late failed': 'turn failed',
} as const;

const Legend = (): JSX.Element => (
  <ul class="legend" aria-label="What the marks mean">
    {Object.entries(markWords).map(([mark, words]) => (
      <li key={mark}>
        <i class={`cell ${mark}`} aria-hidden="true" /> {words}
      </li>
    ))}
  </ul>
);

function Heights({ commits }: { readonly commits: readonly CommitSummary[] | null }): JSX.Element {
  return (
    <div class="lane heights">
      <span class="lane-name" />
      <div class="cells">
        {(commits ?? [])
          .slice(0, shownBlocks)
          .toReversed()
          .map(({ blockNumber: number, round }) => (
            <span key={number.toString()} class="cell">
              {number % labelEvery === 0n && <BlockLink number={number} />}
              {round > 0 && (
                <b class="number" title={`Block ${number} was decided in round ${round}`}>
                  {round}
                </b>
              )}
            </span>
          ))}
        <span class="cell next" title="The block that is being decided" />
      </div>
    </div>
  );
}

interface LaneProps {
  readonly address: `0x${string}`;
  readonly name: string;
  readonly commits: readonly CommitSummary[] | null;
  readonly isMissing: boolean;
  readonly round: ConsensusStatus['currentRound'];
}

function Lane({ address, name, commits, isMissing, round }: LaneProps): JSX.Element {
  const shown = (commits ?? []).slice(0, shownBlocks);
  const { blocks, signed, proposed, missedTurns } = recordOf(address, shown);
  const words = `${name}: signed ${signed} of ${blocks} blocks, proposed ${proposed}, ${missedTurns} turns failed`;
  return (
    <div class="lane">
      <span class="lane-name">
        <ValidatorLink address={address} name={name} />
      </span>
      <div class="cells" role="img" aria-label={words}>
        <Cells cells={laneOf(address, shown, shownBlocks)} isMissing={isMissing} />
        <Next address={address} round={round} />
      </div>
    </div>
  );
}

/** The votes of a validator for the block that is being decided. */
function Next({ address, round }: Pick<LaneProps, 'address' | 'round'>): JSX.Element {
  const voteOf = (votes: NonNullable<typeof round>['prevotes'] | undefined): string =>
    votes?.block.includes(address) ? 'for' : votes?.nil.includes(address) ? 'nil' : 'none';
  const [prevote, precommit] = [voteOf(round?.prevotes), voteOf(round?.precommits)];
  return (
    <span class="cell next" title={`Block under way: prevote ${prevote}, precommit ${precommit}`}>
      <i class={prevote} />
      <i class={precommit} />
    </span>
  );
}
