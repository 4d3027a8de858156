import type { Validator } from '../types/chain.ts';
import type { ConsensusStatus, VotesStanding } from '../types/consensus.ts';
import type { Address } from '../types/primitives.ts';
import { bad, good, warn, type Explanation } from './explanation.ts';
import { formatDuration, formatInteger, formatPercent, listNames, shortHex } from './words.ts';

/** A validator of the set, as far as it is told of. */
export type Voter = Pick<Validator, 'address' | 'moniker' | 'votingPower'>;

/** What decides why the next block is not there. */
export interface NoBlockFacts {
  readonly status: ConsensusStatus;
  /** The set. */
  readonly validators: readonly Voter[];
  /** Time of the newest block, ms. */
  readonly headMs: number;
  /** Longest wait between blocks while nothing happens, ms. */
  readonly intervalMs: number;
  /** Validators that the asked node neither is connected to nor hears of; default: that is not known. */
  readonly absent?: readonly Address[] | undefined;
}

/** A round or two that failed worry nobody. */
const lateMsMin = 3_000;

/** Whether the next block should have come by now. */
export const isLate = ({
  status: { nowMs },
  headMs,
  intervalMs,
}: Pick<NoBlockFacts, 'status' | 'headMs' | 'intervalMs'>): boolean =>
  nowMs - headMs > Math.max(2 * intervalMs, lateMsMin);

/** Least power that is more than two thirds. */
export const quorumOf = (totalPower: bigint): bigint => (2n * totalPower) / 3n + 1n;

/** Why there is no block, as one node sees it; that they come where they do. */
export function explainNoBlock(facts: NoBlockFacts): Explanation {
  const { status, headMs, intervalMs, absent = [] } = facts;
  if (!isLate(facts))
    return good(
      'Blocks come as they should',
      `Each waits for something to do, and without anything for ${formatDuration(intervalMs)}. Then one validator proposes, and the others vote twice.`,
    );
  const silent = `No block for ${formatDuration(status.nowMs - headMs)}`;
  // Who can not be reached will not vote either, whatever is waited for just now.
  if (isWaitingForOthers(status) && quorumIsOut(facts, absent)) return explainTooFew(silent, facts, absent);
  const round = status.currentRound;
  switch (status.waitsFor) {
    case 'blocks':
      return warn(
        'This node is behind',
        'Others have newer blocks, which it fetches and carries out one after the other. The network itself may be well.',
      );
    case 'execution':
      return warn(
        silent,
        `Block ${formatInteger(status.height)} is decided, and this node has not carried it out yet.`,
      );
    case 'work':
      return warn(
        silent,
        'No round has begun here, though it is time for an empty block. This node may just have been started, or have no connection.',
      );
    case 'proposal':
      return warn(
        `${silent}: a proposal is missing`,
        round === null
          ? 'A round is about to begin.'
          : `It is the turn of ${nameOf(facts, round.proposer)} in round ${round.round}. When nothing comes in time, the round fails and the next validator proposes.`,
      );
    case 'prevotes':
    case 'precommits':
      return round === null
        ? warn(silent, 'A round is about to begin.')
        : explainVotes(silent, facts, status.waitsFor === 'prevotes' ? round.prevotes : round.precommits);
  }
}

const isWaitingForOthers = ({ waitsFor }: ConsensusStatus): boolean => waitsFor === 'work' || waitsFor === 'proposal';

const nameOf = ({ validators }: NoBlockFacts, address: Address): string =>
  validators.find((validator) => validator.address === address)?.moniker ?? shortHex(address);
const namesOf = (facts: NoBlockFacts, addresses: readonly Address[]): string =>
  listNames(addresses.map((address) => nameOf(facts, address)));
const powerOf = (validators: readonly Voter[]): bigint =>
  validators.reduce((sum, { votingPower }) => sum + votingPower, 0n);
const powerOfThese = ({ validators }: NoBlockFacts, addresses: readonly Address[]): bigint =>
  powerOf(validators.filter(({ address }) => addresses.includes(address)));

/** Whether without these no block can be decided. */
const quorumIsOut = (facts: NoBlockFacts, missing: readonly Address[]): boolean => {
  const total = powerOf(facts.validators);
  return total > 0n && total - powerOfThese(facts, missing) < quorumOf(total);
};

function explainTooFew(silent: string, facts: NoBlockFacts, missing: readonly Address[]): Explanation {
  const total = powerOf(facts.validators);
  const away = powerOfThese(facts, missing);
  const voting = total - away;
  const lacking = quorumOf(total) - voting;
  const unheard = missing.filter((address) => facts.absent?.includes(address));
  const unreachable =
    unheard.length === 0
      ? ''
      : ` The node that was asked has no connection to ${namesOf(facts, unheard)}: their processes ended, or the network between is cut.`;
  return bad(
    `${silent}: too few vote`,
    `Only ${formatPercent(share(voting, total), 0)} of the power votes, and more than two thirds have to: ${formatInteger(voting)} of ${formatInteger(total)}, where ${formatInteger(quorumOf(total))} are needed. ` +
      `${namesOf(facts, missing)} ${missing.length === 1 ? 'is' : 'are'} missing, with a power of ${formatInteger(away)}.${unreachable} ` +
      `Nothing is lost: as soon as a power of ${formatInteger(lacking)} more votes, blocks go on where they stopped.`,
  );
}

function explainVotes(silent: string, facts: NoBlockFacts, votes: VotesStanding): Explanation {
  const { missing, nil } = votes;
  if (quorumIsOut(facts, missing)) return explainTooFew(silent, facts, missing);
  const total = powerOf(facts.validators);
  const voted = formatPercent(share(total - powerOfThese(facts, missing), total), 0);
  return warn(
    `${silent}: a round failed`,
    nil.length > 0
      ? `${namesOf(facts, nil)} did not get a proposal in time and voted for no block. The next validator tries again.`
      : `${voted} of the power has voted; the rest is on its way.`,
  );
}

const share = (part: bigint, whole: bigint): number =>
  whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
