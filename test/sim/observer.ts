import type { CommitCertificate, Proposal, ValidatorSet, Vote } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';

/** What must never happen, whatever the network and the faulty validators do. */
export class Violation extends Error {}

/**
 * Sees every message at the moment it leaves a validator and every decision. Knows nothing of the core: it counts for itself.
 */
export interface Observer {
  voteSent(vote: Vote, isHonest: boolean): void;
  /** A vote that its validator wrote down: it counts for it after a crash, even when the crash came before it left. */
  voteWritten(vote: Vote): void;
  proposalSent(proposal: Proposal, isHonest: boolean): void;
  decided(validator: Address, certificate: CommitCertificate): void;
  /** Block decided at a height by anyone honest. */
  decision(height: number): Hash | undefined;
  readonly equivocators: ReadonlySet<Address>;
}

export interface ObserverOptions {
  setAt(height: number): ValidatorSet;
  /** True for blocks that every honest validator finds invalid. */
  isInvalid(blockHash: Hash): boolean;
}

const fail = (message: string): never => {
  throw new Violation(message);
};

export function createObserver({ setAt, isInvalid }: ObserverOptions): Observer {
  const sent = new Map<string, Hash | null>();
  const proposed = new Map<string, string>();
  /** Power behind each (height, round, type, value), whoever signed. */
  const voters = new Map<string, Set<Address>>();
  /** The newest value that an honest validator precommitted at a height: its lock. */
  const locks = new Map<string, { readonly round: number; readonly blockHash: Hash }>();
  const decisions = new Map<number, Hash>();
  const equivocators = new Set<Address>();

  function hasQuorum(height: number, signers: Iterable<Address>): boolean {
    const { validators } = setAt(height);
    const chosen = new Set(signers);
    let power = 0n;
    let total = 0n;
    for (const validator of validators) {
      total += validator.power;
      if (chosen.has(validator.address)) power += validator.power;
    }
    return power * 3n > total * 2n;
  }

  const group = (vote: Vote, type: Vote['type'], round: number, value: Hash | null): Set<Address> => {
    const key = `${vote.height}/${round}/${type}/${value}`;
    const found = voters.get(key) ?? new Set<Address>();
    voters.set(key, found);
    return found;
  };
  const isPolka = (vote: Vote, round: number, value: Hash): boolean =>
    hasQuorum(vote.height, group(vote, 'prevote', round, value));

  /** A lock is given up only for another value with a polka at least as new as the lock. */
  function checkLock(vote: Vote, value: Hash): void {
    const lock = locks.get(`${vote.validator}/${vote.height}`);
    if (lock === undefined || lock.blockHash === value || lock.round >= vote.round) return;
    for (let round = lock.round; round < vote.round; round++) if (isPolka(vote, round, value)) return;
    fail(`${vote.validator} prevoted ${value} in round ${vote.round}, locked on ${lock.blockHash} in ${lock.round}`);
  }

  function checkHonest(vote: Vote): void {
    const value = vote.blockHash;
    if (value === null) return;
    if (vote.type === 'prevote') return checkLock(vote, value);
    if (!isPolka(vote, vote.round, value))
      fail(`${vote.validator} precommitted ${value} at ${vote.height}/${vote.round} and there is no polka for it`);
    locks.set(`${vote.validator}/${vote.height}`, { round: vote.round, blockHash: value });
  }

  return {
    equivocators,
    decision: (height) => decisions.get(height),
    voteWritten: (vote) => void group(vote, vote.type, vote.round, vote.blockHash).add(vote.validator),
    voteSent(vote, isHonest) {
      const key = `${vote.validator}/${vote.height}/${vote.round}/${vote.type}`;
      const before = sent.get(key);
      const isConflict = before !== undefined && before !== vote.blockHash;
      if (isConflict) equivocators.add(vote.validator);
      if (isConflict && isHonest) fail(`double sign: ${key} first ${before}, then ${vote.blockHash}`);
      const isRepeat = before === vote.blockHash && sent.has(key);
      if (!isConflict) sent.set(key, vote.blockHash);
      group(vote, vote.type, vote.round, vote.blockHash).add(vote.validator);
      if (isHonest && !isRepeat) checkHonest(vote);
    },
    proposalSent(proposal, isHonest) {
      const key = `${proposal.proposer}/${proposal.height}/${proposal.round}`;
      const content = `${proposal.blockHash}/${proposal.polRound}`;
      const before = proposed.get(key);
      if (before !== undefined && before !== content) {
        equivocators.add(proposal.proposer);
        if (isHonest) fail(`two proposals: ${key} first ${before}, then ${content}`);
      }
      proposed.set(key, content);
    },
    decided(validator, { height, blockHash, signatures }) {
      const signers = signatures.map((signature) => signature.validator);
      if (new Set(signers).size !== signers.length || !hasQuorum(height, signers))
        fail(`${validator} decided ${blockHash} at ${height} with a certificate of ${signers.length} signatures`);
      if (isInvalid(blockHash)) fail(`${validator} decided the invalid block ${blockHash} at ${height}`);
      const before = decisions.get(height);
      if (before !== undefined && before !== blockHash)
        fail(`disagreement at height ${height}: ${before} and, by ${validator}, ${blockHash}`);
      decisions.set(height, blockHash);
    },
  };
}
