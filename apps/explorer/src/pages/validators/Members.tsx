import type { CommitSummary } from '@prime/sdk';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { ValidatorLink } from '../../chain/links.tsx';
import { useUp } from '../../chain/useUp.ts';
import {
  Amount,
  Badge,
  type Column,
  Empty,
  formatInteger,
  formatPercent,
  Known,
  Meter,
  Strip,
  TableCard,
} from '../../kit/index.ts';
import { commitsOf } from '../../live/commits.ts';
import { registeredOf } from '../../live/consensus.ts';
import { resourceOf } from '../../live/poll.ts';
import { cellStates, cellWords, laneOf, recordOf } from './lanes.ts';
import { type Member, membersOf } from './members.ts';
import type { Membership } from './names.ts';
import { Standing } from './Standing.tsx';

/** Blocks of the uptime strip. */
const stripBlocks = 80;

const stripTones = { proposed: 'good', signed: 'good', late: 'low', missing: 'bad' } as const;

interface Shown {
  readonly commits: readonly CommitSummary[];
  readonly members: Membership;
  readonly isMissing: (address: string) => boolean;
}

const columnsOf = (shown: Shown): readonly Column<Member>[] => [
  { title: 'Validator', cell: ({ address, moniker }) => <ValidatorLink address={address} name={moniker} /> },
  {
    title: 'Power',
    width: '150px',
    wideOnly: true,
    cell: ({ address, votingPower }) => {
      const share = votingPower === 0n ? 0 : shown.members.shareOf([address]);
      return (
        <span class="power">
          <span class="number">{formatPercent(share)}</span>
          <Meter share={share} label="Share of the power" text={formatPercent(share)} />
        </span>
      );
    },
  },
  {
    title: 'Stake',
    align: 'right',
    width: '120px',
    wideOnly: true,
    cell: ({ stake }) => <Amount wei={stake} digitsMax={2} />,
  },
  ...recordColumns(shown),
  { title: 'State', align: 'right', width: '104px', cell: ({ standing }) => <Standing of={standing} /> },
];

/** What they did lately. */
const recordColumns = ({ commits, isMissing }: Shown): readonly Column<Member>[] => [
  {
    title: 'Latest blocks',
    width: '34%',
    wideOnly: true,
    cell: ({ address, moniker }) => {
      const lane = laneOf(address, commits, stripBlocks);
      const states = cellStates(lane, isMissing(address));
      const cells = lane.map((cell, index) => ({
        key: cell.number.toString(),
        tone: cell.missedTurns > 0 ? ('bad' as const) : stripTones[states[index]!],
        title: cellWords(cell),
      }));
      const { signed, blocks } = recordOf(address, commits.slice(0, stripBlocks));
      return <Strip label={`${moniker} signed ${signed} of the latest ${blocks} blocks`} cells={cells} />;
    },
  },
  {
    title: 'Signed',
    align: 'right',
    width: '76px',
    cell: ({ address }) => {
      const { signed, blocks } = recordOf(address, commits);
      return blocks === 0 ? '' : <span class="number">{formatPercent(signed / blocks, 0)}</span>;
    },
  },
  {
    title: 'Turns failed',
    align: 'right',
    width: '100px',
    wideOnly: true,
    cell: ({ address }) => {
      const { missedTurns } = recordOf(address, commits);
      return <span class={missedTurns === 0 ? 'number faint' : 'number warn'}>{formatInteger(missedTurns)}</span>;
    },
  },
];

/** Everybody with stake: power, what they signed lately, and whether they are well. */
export function Members({ members }: { readonly members: Membership }): JSX.Element {
  const node = useNode();
  const { validators } = node;
  const commits = commitsOf(node).commits.value ?? [];
  const up = useUp();
  const known = validators.value.value;
  const rows = known && membersOf(known, registeredOf(node).value.value ?? [], up);
  const columns = columnsOf({ commits, members, isMissing: (address) => up(address) === false });
  return (
    <Known what="The validators" of={resourceOf(validators)} inCard title="Validators">
      <TableCard
        title="Validators"
        aside={commits.length > 0 && <span class="faint number quiet">over the latest {commits.length} blocks</span>}
        columns={columns}
        rows={rows}
        keyOf={({ address }) => address}
        expected={4}
        empty={<Empty title="No validators" />}
      >
        <p class="faint foot">
          A certificate holds the first precommits that are more than two thirds of the power. Who is not in some of
          them was a moment later than the others; <Badge tone="bad">missing</Badge> is who is in none lately.
        </p>
      </TableCard>
    </Known>
  );
}
