import type { Vote } from '@prime/codec';
import type { Effect } from '@prime/consensus';

/** What the machine asks to be signed. */
export type SignEffect<Kind extends 'signVote' | 'signProposal'> = Effect & { readonly kind: Kind };

/** Whether a logged own vote is what a sign request of the machine led to. */
export const isAnswer = (vote: Vote, effect: Effect): boolean =>
  effect.kind === 'signVote' && effect.type === vote.type && effect.round === vote.round;
