import { type Proposal, proposalSignBytes, type Vote, type VoteType, voteSignBytes } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { type Address, bytesEqual, type Hash, type Height, type Round } from '@prime/primitives';
import { EngineError } from './errors.ts';
import type { MessageSigner, SignStateRecord, SignStateStore } from './ports.ts';

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
 */
export interface GuardedSigner {
  /**
   * Signs without making anything durable yet: the caller syncs its log first, then calls {@link Signed.seal}, then sends.
   *
   * @returns null when this place lies behind what was signed already (a replay, an old round): nothing may be signed there
   * @throws EngineError `ENGINE_DOUBLE_SIGN` when another message was signed at this place
   */
  vote(vote: UnsignedVote, lock: LockState): Signed<Vote> | null;
  proposal(proposal: UnsignedProposal, lock: LockState): Signed<Proposal> | null;
}

/**
 * Signing for a validator with one of the keys of this node. A validator's key may change from height to height; what was signed is one
 * sequence of places all the same.
 */
export type SigningGuard = (validator: Address, signer: MessageSigner) => GuardedSigner;

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
type LockState = Pick<SignStateRecord, 'lockedRound' | 'lockedValue' | 'validRound' | 'validValue'>;

export interface Signed<Message> {
  readonly message: Message;
  /**
   * Makes the record of the newest signature durable, which stands for all before it: nothing is signed at or before its place any
   * more. To be called before the message is sent.
   */
  seal(): void;
}

/** The lock that a record holds beside its signature. */
export const lockOf = ({ lockedRound, lockedValue, validRound, validValue }: SignStateRecord): LockState => ({
  lockedRound,
  lockedValue,
  validRound,
  validValue,
});

const stepOfVote = { prevote: 2, precommit: 3 } as const;

export function createSigningGuard(options: {
  readonly domain: SigningDomain;
  readonly store: SignStateStore;
}): SigningGuard {
  const { domain, store } = options;
  let last = store.read();
  let durable = last;

  const seal = (): void => {
    if (last === null || last === durable) return;
    store.write(last);
    durable = last;
  };

  const sign = (signer: MessageSigner, place: Place, signBytes: Uint8Array, lock: LockState): Uint8Array | null => {
    const order = last === null ? 1 : comparePlaces(place, last);
    if (order < 0) return null;
    if (order === 0 && last !== null) {
      if (!bytesEqual(last.signBytes, signBytes)) throw doubleSign(place, last);
      return last.signature;
    }
    const signature = signer.sign(keccak256(signBytes));
    last = { ...place, signBytes, signature, ...lock };
    return signature;
  };

  return (validator, signer) => ({
    vote: (vote, lock) => {
      const place: Place = { height: vote.height, round: vote.round, step: stepOfVote[vote.type] };
      const signature = sign(signer, place, voteSignBytes(domain.chainId, domain.genesisHash, vote), lock);
      return signature && { message: { ...vote, validator, signature }, seal };
    },
    proposal: (proposal, lock) => {
      const place: Place = { height: proposal.height, round: proposal.round, step: 1 };
      const signature = sign(signer, place, proposalSignBytes(domain.chainId, domain.genesisHash, proposal), lock);
      return signature && { message: { ...proposal, proposer: validator, signature }, seal };
    },
  });
}

type Place = Pick<SignStateRecord, 'height' | 'round' | 'step'>;

const comparePlaces = (a: Place, b: Place): number => a.height - b.height || a.round - b.round || a.step - b.step;

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
