import type { ConsensusStatus, VotesStanding } from '@prime/sdk';
import { explainNoBlock } from '@prime/sdk/explain';
import type { JSX } from 'preact';
import { useNode } from '../../app/context.ts';
import { ValidatorLink } from '../../chain/links.tsx';
import { Badge, Card, formatInteger, formatPercent, Known, meterProps, orNone, orPlace } from '../../kit/index.ts';
import { consensusOf } from '../../live/consensus.ts';
import { resourceOf } from '../../live/poll.ts';
import { presenceOf } from '../../live/presence.ts';
import { intervalMsDefault } from '../../node/network.ts';
import { type Membership, quorumShare } from './names.ts';
import { Why } from './Why.tsx';

const noVotes: VotesStanding = { block: [], nil: [], missing: [], votingPower: 0n };
const stepNames = {
  work: 'Wait',
  proposal: 'Propose',
  prevotes: 'Prevote',
  precommits: 'Precommit',
  execution: 'Execute',
};
const steps = Object.keys(stepNames) as (keyof typeof stepNames)[];
const toneWords = { good: 'on time', warn: 'late', bad: 'stopped' } as const;

/** The block that is being decided, step by step, and why it is late when it is. */
export function Progress({ members }: { readonly members: Membership }): JSX.Element {
  const node = useNode();
  const consensus = resourceOf(consensusOf(node));
  const status = consensus.value;
  const head = node.chain.head.value;
  const isReady = status !== null && head !== null && members.validators.length > 0;
  const intervalMs = node.network.value?.emptyBlockIntervalMs ?? intervalMsDefault;
  const absence = presenceOf(node).absence.value;
  const why = isReady
    ? explainNoBlock({
        status,
        validators: members.validators,
        headMs: head.timestampMs,
        intervalMs,
        absent: members.validators
          .filter(({ address }) => (absence.get(address) ?? 0) > 0)
          .map(({ address }) => address),
      })
    : null;
  return (
    <Known what="The height in progress" of={consensus} inCard title="The next block">
      <Card
        title={
          <>
            Block{' '}
            {orPlace(status, '6ch', ({ height }) => (
              <span class="number">{formatInteger(height)}</span>
            ))}
          </>
        }
        aside={orPlace(why, '8ch', ({ tone }) => <Badge tone={tone}>{toneWords[tone]}</Badge>)}
      >
        <div class="progress">
          <Steps status={status} />
          <div class="votes">
            <VoteBar name="Prevotes" votes={status?.currentRound?.prevotes ?? noVotes} members={members} />
            <VoteBar name="Precommits" votes={status?.currentRound?.precommits ?? noVotes} members={members} />
          </div>
          <Why why={why} />
        </div>
      </Card>
    </Known>
  );
}

function Steps({ status }: { readonly status: ConsensusStatus | null }): JSX.Element {
  const current = steps.indexOf(status?.waitsFor as keyof typeof stepNames);
  const round = status?.currentRound ?? null;
  return (
    <div class="stack steps-of">
      <ol class="steps" aria-label="Steps to a block">
        {steps.map((step, index) => (
          <li
            key={step}
            class={index < current ? 'done' : index === current ? 'current' : ''}
            aria-current={index === current ? 'step' : undefined}
          >
            {stepNames[step]}
          </li>
        ))}
      </ol>
      <div class="turn">
        <span class="faint">Round</span>
        <span class={round !== null && round.round > 0 ? 'number warn' : 'number'}>{round?.round ?? 0}</span>
        <span class="faint">turn of</span>
        {orNone(round, 'whoever is next', ({ proposer }) => (
          <ValidatorLink address={proposer} />
        ))}
      </div>
    </div>
  );
}

interface VoteBarProps {
  readonly name: string;
  readonly votes: VotesStanding;
  readonly members: Membership;
}

/** Power of the votes for a block and for none, and the two thirds that have to be passed. */
function VoteBar({ name, votes, members }: VoteBarProps): JSX.Element {
  const [block, nil] = [members.shareOf(votes.block), members.shareOf(votes.nil)];
  const text = `${formatPercent(block, 0)} for the block${nil > 0 ? `, ${formatPercent(nil, 0)} for none` : ''}`;
  return (
    <div class="vote-bar">
      <span class="muted">{name}</span>
      <div class="quorum" {...meterProps(name, block, text)}>
        <span class={block > quorumShare ? 'block enough' : 'block'} style={{ width: `${block * 100}%` }} />
        <span class="nil" style={{ width: `${nil * 100}%` }} />
        <i style={{ left: `${quorumShare * 100}%` }} title="More than two thirds of the power decide" />
      </div>
      <span class="number share">{text}</span>
    </div>
  );
}
