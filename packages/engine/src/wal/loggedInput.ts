import type { Block } from '@prime/codec';
import type { Input } from '@prime/consensus';
import { type Address, assert, type Hash, type Height } from '@prime/primitives';
import type { WalEntry } from './walEntry.ts';

/** The height that log entries belong to: it says which validator an own message is of, and which block a proposal names. */
export interface LoggedHeight {
  readonly height: Height;
  /** Protocol version of the height. */
  readonly version: number;
  /** The validator that this node is at this height; null when it is none. */
  readonly self: Address | null;
  /** A block that the machine is given a proposal of. */
  readonly blockOf: (hash: Hash) => Block;
}

/** What the log says of an input from outside. Null for own messages, which were logged when they were signed, and for what a replay makes anew. */
export function loggedInput(input: Input, { height, version, self, blockOf }: LoggedHeight): WalEntry | null {
  switch (input.kind) {
    case 'startRound':
      return { kind: 'start', height, version };
    case 'timeout': {
      const { round, step } = input.timeout;
      return step === 'rebroadcast' ? null : { kind: 'timeout', round, step };
    }
    case 'vote':
      return input.vote.validator === self ? null : { kind: 'vote', vote: input.vote };
    case 'voteCertificate':
      return { kind: 'votes', votes: input.votes };
    case 'proposal': {
      const { proposal, validity } = input;
      if (proposal.proposer === self) return null;
      assert(validity !== 'unknown', 'proposals are fed once they are judged');
      return { kind: 'proposal', proposal, block: blockOf(proposal.blockHash), validity };
    }
    default:
      return null;
  }
}
