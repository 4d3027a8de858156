import {
  parseSignBytes,
  type Proposal,
  proposalSignBytes,
  type Vote,
  type VoteType,
  voteSignBytes,
} from '@prime/codec';
import type { LockState, Resumption } from '@prime/consensus';
import { keccak256 } from '@prime/crypto';
import { type Address, assert, bytesEqual, type Hash, type Height, type Round } from '@prime/primitives';
import { EngineError, storeCorrupt } from '../errors.ts';
import { type HotKey, isRemote, type SignRequest, type SignStateRecord, type SignStateStore } from '../ports.ts';

/** The network that signatures are for. */
export interface SigningDomain {
  readonly chainId: number;
  readonly genesisHash: Hash;
}

/**
 * Signing that can never contradict itself.
 *
 * Each signature has a place (height, round, step). The record of the newest one is durable before the signature leaves the
 * process, and a new signature must have a later place, or be the very same message, for which the stored signature is given
 * again.
 *
 * A signature may come at once or later: the node may not be allowed to sign yet, or the key is in another process. What waits keeps
 * its order. Nothing is delivered for a place that lies behind what was signed already (a replay, an old round).
 */
export interface GuardedSigner {
  /**
   * Signs without making anything durable yet: who it is delivered to syncs its log first, then calls {@link Signed.seal}, then sends.
   *
   * @throws EngineError `ENGINE_DOUBLE_SIGN` when another message was signed at this place by a key of this process
   */
  vote(vote: UnsignedVote, lock: LockState, deliver: (signed: Signed<Vote>) => void): void;
  proposal(proposal: UnsignedProposal, lock: LockState, deliver: (signed: Signed<Proposal>) => void): void;
  /**
   * A message of this validator that its log holds. The log is synced before the record is written: a process that was killed between the two
   * signed what its sign state does not know. The record is durable when this returns, if it is newer than the one there is.
   *
   * @param lock of the machine when it asked for the signature, or a later one
   */
  recall(message: Vote | Proposal, lock: LockState): void;
}

/** What was signed by the validators of this node, as one sequence of places: a validator's key may change from height to height. */
export interface SigningGuard {
  /** @param isWanted whether a signature that comes later is still of use: its height is not over */
  of(validator: Address, key: HotKey, isWanted: () => boolean): GuardedSigner;
  readonly isOpen: boolean;
  /** What waits is signed, in its order, and what comes from now on at once. */
  open(): void;
  /** Makes a record durable that a remote signer has of an earlier time, if it is newer than the own one: nothing at or before it is signed here. */
  raise(record: SignStateRecord): void;
}

type UnsignedVote = {
  readonly type: VoteType;
  readonly height: Height;
  readonly round: Round;
  readonly blockHash: Hash | null;
};
type UnsignedProposal = {
  readonly height: Height;
  readonly round: Round;
  readonly polRound: Round;
  readonly blockHash: Hash;
};

/** A message with its signature, which must not leave this process before its record is durable. */
export interface Signed<Message> {
  readonly message: Message;
  /**
   * Makes the record of the newest signature durable, which stands for all before it: nothing is signed at or before its place any
   * more. To be called before the message is sent.
   */
  seal(): void;
}

/** The lock alone, of a record that holds it beside its signature, or of the machine. */
export const lockOf = ({ lockedRound, lockedValue, validRound, validValue }: LockState): LockState => ({
  lockedRound,
  lockedValue,
  validRound,
  validValue,
});

/**
 * How the height goes on of which only this record is left.
 *
 * @throws EngineError `ENGINE_STORE_CORRUPT` when it is of nothing that a validator signs
 */
export function resumptionOf(record: SignStateRecord): Resumption {
  const signed = parseSignBytes(record.signBytes);
  if (signed === null) throw storeCorrupt('the sign state has a signature of neither a vote nor a proposal');
  return { lock: lockOf(record), precommit: record.step === stepOfVote.precommit ? signed.blockHash : null };
}

const stepOfVote = { prevote: 2, precommit: 3 } as const;

/** Requests that wait for permission; a height that lasts makes two in a round, and the newest ones count. */
const waitingMax = 256;

/** @param isOpen false: requests wait for {@link SigningGuard.open} */
export function createSigningGuard(options: {
  readonly domain: SigningDomain;
  readonly store: SignStateStore;
  readonly isOpen: boolean;
}): SigningGuard {
  const { domain, store } = options;
  let last = store.read();
  let durable = last;
  let isOpen = options.isOpen;
  const waiting: (() => void)[] = [];

  const whenOpen = (work: () => void): void => {
    if (isOpen) return work();
    waiting.push(work);
    if (waiting.length > waitingMax) waiting.shift();
  };
  const seal = (): void => {
    if (last === null || last === durable) return;
    store.write(last);
    durable = last;
  };
  const isLater = (place: Place): boolean => last === null || comparePlaces(place, last) > 0;
  const sign = (key: HotKey, request: SignRequest, isWanted: () => boolean, deliver: Deliver): void => {
    const { lock, ...place } = request;
    const order = last === null ? 1 : comparePlaces(place, last);
    if (order < 0) return;
    if (order === 0 && last !== null) {
      if (bytesEqual(last.signBytes, place.signBytes)) return deliver(last.signature, seal);
      // Behind a remote signer another node may have asked first.
      if (isRemote(key)) return;
      throw doubleSign(place, last);
    }
    const taken = (signature: Uint8Array): void => {
      if (isLater(place)) last = { signature, ...place, ...lock };
      deliver(signature, seal);
    };
    if (!isRemote(key)) return taken(key.sign(keccak256(place.signBytes)));
    return key.request(request, isWanted, (signature) => isWanted() && taken(signature));
  };

  const raise = (record: SignStateRecord): void => {
    if (!isLater(record)) return;
    last = record;
    seal();
  };

  return {
    of: (validator, key, isWanted) => ({
      recall: (message, lock) => raise({ signature: message.signature, ...placed(domain, message), ...lock }),
      ...speaker(domain, validator, (request, deliver) =>
        whenOpen(() => {
          if (isWanted()) sign(key, request, isWanted, deliver);
        }),
      ),
    }),
    get isOpen() {
      return isOpen;
    },
    open() {
      assert(!store.isSealed(), 'nothing is signed while the sign state is sealed');
      isOpen = true;
      for (const work of waiting.splice(0)) work();
    },
    raise,
  };
}

type Deliver = (signature: Uint8Array, seal: () => void) => void;

/** A message as what its signature is for. */
function placed(
  { chainId, genesisHash }: SigningDomain,
  message: UnsignedVote | UnsignedProposal,
): Place & Pick<SignRequest, 'signBytes'> {
  const { height, round } = message;
  return 'type' in message
    ? { height, round, step: stepOfVote[message.type], signBytes: voteSignBytes(chainId, genesisHash, message) }
    : { height, round, step: 1, signBytes: proposalSignBytes(chainId, genesisHash, message) };
}

/** Messages of a validator as what is asked for, and signatures as messages. */
function speaker(
  domain: SigningDomain,
  validator: Address,
  ask: (request: SignRequest, deliver: Deliver) => void,
): Pick<GuardedSigner, 'vote' | 'proposal'> {
  return {
    vote: (vote, lock, deliver) =>
      ask({ lock, ...placed(domain, vote) }, (signature, seal) => {
        const { type, height, round, blockHash } = vote;
        deliver({ message: { type, height, round, blockHash, validator, signature }, seal });
      }),
    proposal: (proposal, lock, deliver) =>
      ask({ lock, ...placed(domain, proposal) }, (signature, seal) => {
        const { height, round, polRound, blockHash } = proposal;
        deliver({ message: { height, round, polRound, blockHash, proposer: validator, signature }, seal });
      }),
  };
}

/** Where something is signed. */
export type Place = Pick<SignStateRecord, 'height' | 'round' | 'step'>;

/** Negative when the first one is earlier. */
export const comparePlaces = (a: Place, b: Place): number =>
  a.height - b.height || a.round - b.round || a.step - b.step;

const doubleSign = (place: Place, last: SignStateRecord): EngineError =>
  new EngineError(
    `refusing to sign a second message at height ${place.height}, round ${place.round}, step ${place.step}: is the key in use elsewhere?`,
    {
      code: 'ENGINE_DOUBLE_SIGN',
      height: place.height,
      round: place.round,
      signedHeight: last.height,
      signedRound: last.round,
    },
  );
