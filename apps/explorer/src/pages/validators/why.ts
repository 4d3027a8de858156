import type { ConsensusStatus, VotesStanding } from '@prime/sdk';
import { formatDuration, formatInteger, formatPercent } from '../../kit/index.ts';
import { listNames, type Membership } from './names.ts';

/** What the next block waits for, in words for people who do not know the protocol. */
export interface Explanation {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly text: string;
}

/** More than two thirds of the power decide. */
export const quorumShare = 2 / 3;

interface Surroundings {
  readonly members: Membership;
  /** Time of the newest block, ms. */
  readonly headMs: number;
  /** Longest wait between blocks while nothing happens, ms. */
  readonly intervalMs: number;
}

/** A round or two that failed worry nobody. */
const lateMsMin = 3_000;

/** Whether the next block should have come by now. */
const isLate = ({ nowMs }: ConsensusStatus, { headMs, intervalMs }: Omit<Surroundings, 'members'>): boolean =>
  nowMs - headMs > Math.max(2 * intervalMs, lateMsMin);

export function explain(status: ConsensusStatus, around: Surroundings): Explanation {
  const { headMs, intervalMs, members } = around;
  if (!isLate(status, around))
    return {
      tone: 'good',
      title: 'Blocks come as they should',
      text: `Each waits for something to do, and without anything for ${formatDuration(intervalMs)}. Then one validator proposes, and the others vote twice.`,
    };
  const silent = `No block for ${formatDuration(status.nowMs - headMs)}`;
  const round = status.currentRound;
  switch (status.waitsFor) {
    case 'blocks':
      return {
        tone: 'warn',
        title: 'This node is behind',
        text: 'Others have newer blocks, which it fetches and carries out one after the other. The network itself may be well.',
      };
    case 'execution':
      return {
        tone: 'warn',
        title: silent,
        text: `Block ${formatInteger(status.height)} is decided, and this node has not carried it out yet.`,
      };
    case 'work':
      return {
        tone: 'warn',
        title: silent,
        text: 'No round has begun here, though it is time for an empty block. This node may just have been started, or have no connection.',
      };
    case 'proposal':
      return {
        tone: 'warn',
        title: `${silent}: a proposal is missing`,
        text:
          round === null
            ? 'A round is about to begin.'
            : `It is the turn of ${members.nameOf(round.proposer)}. When nothing comes in time, the round fails and the next validator proposes.`,
      };
    case 'prevotes':
    case 'precommits':
      return round === null
        ? { tone: 'warn', title: silent, text: 'A round is about to begin.' }
        : explainVotes(silent, members, status.waitsFor === 'prevotes' ? round.prevotes : round.precommits);
  }
}

function explainVotes(silent: string, members: Membership, { missing, nil }: VotesStanding): Explanation {
  const missingShare = members.shareOf(missing);
  const names = listNames(missing.map((address) => members.nameOf(address)));
  const voted = formatPercent(1 - missingShare, 0);
  if (missingShare >= 1 - quorumShare)
    return {
      tone: 'bad',
      title: `${silent}: too few vote`,
      text: `Only ${voted} of the power votes, and more than two thirds have to. ${names} ${missing.length === 1 ? 'is' : 'are'} missing. Nothing is lost: as soon as enough of them are back, blocks go on where they stopped.`,
    };
  return {
    tone: 'warn',
    title: `${silent}: a round failed`,
    text:
      nil.length > 0
        ? `${listNames(nil.map((address) => members.nameOf(address)))} did not get a proposal in time and voted for no block. The next validator tries again.`
        : `${voted} of the power has voted; the rest is on its way.`,
  };
}
