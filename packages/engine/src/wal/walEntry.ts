import {
  decodeBlock,
  decodeProposal,
  decodeRlp,
  decodeVote,
  encodeBlock,
  encodeProposal,
  encodeRlp,
  encodeVote,
  type Block,
  type Proposal,
  type RlpItem,
  type Vote,
} from '@prime/codec';
import { bigintToNumber, bytesToBigint, type Height, type Round } from '@prime/primitives';
import { storeCorrupt } from '../errors.ts';
import type { Wal } from '../ports.ts';

/**
 * What the write-ahead log holds of the height in progress: every input of the consensus machine, in the order in which it was
 * taken, with the bodies of proposed blocks, so that a restart reaches the same state and can still decide a locked block.
 */
export type WalEntry =
  /** `version`: the protocol by whose rules blocks were judged from here on. */
  | { readonly kind: 'start'; readonly height: Height; readonly version: number }
  | { readonly kind: 'vote'; readonly vote: Vote }
  /** Votes that came as one certificate and were taken as one input. */
  | { readonly kind: 'votes'; readonly votes: readonly Vote[] }
  | { readonly kind: 'proposal'; readonly proposal: Proposal; readonly block: Block; readonly validity: LoggedValidity }
  | { readonly kind: 'timeout'; readonly round: Round; readonly step: 'propose' | 'prevote' | 'precommit' };

/** What the machine was told of a block; logged, because a replay must not ask the clock or the execution again. */
export type LoggedValidity = 'valid' | 'untimely' | 'invalid';

const steps = ['propose', 'prevote', 'precommit'] as const;
const validities = ['invalid', 'valid', 'untimely'] as const;

/**
 * RLP with the number of the kind first: 1 start, 2 vote, 3 proposal, 4 timeout, 5 votes. The numbers are part of the
 * format of the log.
 */
export function encodeWalEntry(entry: WalEntry): Uint8Array {
  switch (entry.kind) {
    case 'start':
      return encodeRlp([1, entry.height, entry.version]);
    case 'vote':
      return encodeRlp([2, encodeVote(entry.vote)]);
    case 'proposal':
      return encodeRlp([
        3,
        encodeProposal(entry.proposal),
        encodeBlock(entry.block),
        validities.indexOf(entry.validity),
      ]);
    case 'timeout':
      return encodeRlp([4, entry.round, steps.indexOf(entry.step)]);
    case 'votes':
      return encodeRlp([5, ...entry.votes.map(encodeVote)]);
  }
}

/** @throws EngineError `ENGINE_STORE_CORRUPT` */
export function decodeWalEntry(bytes: Uint8Array): WalEntry {
  const items = decodeRlp(bytes);
  if (!Array.isArray(items)) return corrupt();
  const field = (index: number): Uint8Array => {
    const item: RlpItem | undefined = items[index];
    return ArrayBuffer.isView(item) ? (item as Uint8Array) : corrupt();
  };
  const integer = (index: number): number => bigintToNumber(bytesToBigint(field(index)));
  switch (integer(0)) {
    case 1:
      // A log of an earlier program names none: there was one.
      return { kind: 'start', height: integer(1) as Height, version: items.length > 2 ? integer(2) : 1 };
    case 2:
      return { kind: 'vote', vote: decodeVote(field(1)) };
    case 3:
      return {
        kind: 'proposal',
        proposal: decodeProposal(field(1)),
        block: decodeBlock(field(2)),
        validity: validities[integer(3)] ?? corrupt(),
      };
    case 4:
      return { kind: 'timeout', round: integer(1) as Round, step: steps[integer(2)] ?? corrupt() };
    case 5:
      return { kind: 'votes', votes: items.slice(1).map((_, index) => decodeVote(field(index + 1))) };
    default:
      return corrupt();
  }
}

/** For a height that goes on without its log: the sign-state holds all that safety needs. */
export const unlogged: Pick<Wal, 'append' | 'sync'> = { append: () => undefined, sync: () => undefined };

function corrupt(): never {
  throw storeCorrupt('an entry of the write-ahead log has an unknown form');
}
