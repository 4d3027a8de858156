import type { HeightDump, NetworkStatus, VoteDump } from '@prime/engine';
import type { Address, Height } from '@prime/primitives';
import type { ConsensusStatus, ConsensusWait, KnownNodes, VotesStanding } from '@prime/rpc';

/** When what goes on began, wall clock, ms; null where that was before this run. */
export interface StandingTimes {
  /** The newest block was decided here. */
  readonly headMs: number | null;
  /** The round that goes on. */
  readonly roundMs: number | null;
}

/** @param dump null between two heights */
export function consensusStanding(
  { height, syncing, validators }: Pick<NetworkStatus, 'height' | 'syncing' | 'validators'>,
  dump: HeightDump | null,
  times: StandingTimes,
): ConsensusStatus {
  const waitsFor = syncing === null ? waitOf(dump) : 'blocks';
  const round = dump?.started === true ? dump.rounds.findLast(({ round: number }) => number === dump.round) : undefined;
  const shown = round ?? null;
  return {
    height,
    waitsFor,
    sinceMs: shown === null ? times.headMs : times.roundMs,
    round: shown && {
      number: shown.round,
      proposer: shown.proposer,
      hasProposal: shown.proposals.length > 0,
      prevotes: votesOf(shown.prevotes),
      precommits: votesOf(shown.precommits),
    },
    totalPower: validators.validators.reduce((sum, { power }) => sum + power, 0n),
  };
}

function waitOf(dump: HeightDump | null): ConsensusWait {
  if (dump === null || dump.step === 'decided') return 'execution';
  if (!dump.started) return 'work';
  if (dump.step === 'prevote') return 'prevotes';
  return dump.step === 'precommit' ? 'precommits' : 'proposal';
}

/** Who signed two messages counts once, with the first of them. */
function votesOf({ votes, missing, power }: VoteDump): VotesStanding {
  const first = new Map(votes.toReversed().map(({ validator, blockHash }) => [validator, blockHash]));
  const voted = [...first.keys()];
  return {
    block: voted.filter((validator) => first.get(validator) !== null),
    nil: voted.filter((validator) => first.get(validator) === null),
    missing,
    power,
  };
}

/** Nodes that are told of, a bound of one answer. */
const othersMax = 128;

interface NodeSources {
  readonly head: (peer: Address) => Height | null;
  /** Nodes that this one never tells of: what is known of them by a connection is not shown. */
  readonly hidden: ReadonlySet<Address>;
  /** A validator behind sentries, whose own place is not to be known. */
  readonly isBehindSentries: boolean;
}

/** What everybody may know: no address but that of consensus, and nothing by which a node behind sentries, or its sentries, could be found. */
export function knownNodes(
  { head, peers, self, validators, reachable, upgrade }: Omit<NetworkStatus, 'signing' | 'registered'>,
  sources: NodeSources,
): KnownNodes {
  const shown = peers.filter(({ address }) => !sources.hidden.has(address));
  const present = new Set(self === null ? reachable : [...reachable, self]);
  const standing = (address: Address) => {
    if (address === self)
      return sources.isBehindSentries ? { head: null, known: null } : { head, known: upgrade.known };
    const peer = shown.find((candidate) => candidate.address === address && candidate.role === 'validator');
    return peer === undefined
      ? { head: null, known: null }
      : { head: sources.head(address), known: peer.protocol?.known ?? null };
  };
  return {
    protocol: upgrade,
    validators: validators.validators.map(({ address, moniker, power }) => ({
      address,
      moniker,
      power,
      isPresent: present.has(address),
      ...standing(address),
    })),
    others: shown
      .flatMap(({ address, role, protocol }) => {
        const newest = sources.head(address);
        return role === 'validator' || newest === null ? [] : [{ role, head: newest, known: protocol?.known ?? null }];
      })
      .toSorted((a, b) => b.head - a.head)
      .slice(0, othersMax),
  };
}
