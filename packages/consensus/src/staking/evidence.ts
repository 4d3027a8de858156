import {
  type Evidence,
  proposalSignDigest,
  type StakingParams,
  voteSignDigest,
  type TimeMark,
  type StakedValidator,
} from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';
import { bucketOf, pieceOf } from './downtime.ts';
import type { Draft } from './draft.ts';
import { foreverMs, jail, mayJail, slash } from './jail.ts';
import { signerAt, type StakingState } from './state.ts';

/**
 * Evidence: two messages of one validator that an honest one never signs both. It convicts once; what a validator did before it was
 * convicted makes no difference afterwards, so that nothing but the conviction has to be remembered.
 */
export type EvidenceVerdict =
  | { readonly ok: true; readonly validator: Address }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Whoever passed it on must have known better. */
      readonly forged: boolean;
    };

/** What evidence is judged by besides the staking state: chain, parameters, and who verifies signatures. */
export interface EvidenceRules {
  readonly params: StakingParams;
  readonly chainId: number;
  readonly genesisHash: Hash;
  readonly provider: Pick<CryptoProvider, 'verify'>;
}

/** The block that evidence is to stand in. */
export interface EvidencePlace {
  readonly height: Height;
  readonly timestampMs: TimestampMs;
}

const refuse = (reason: string, forged = false): EvidenceVerdict => ({ ok: false, reason, forged });

/** Pieces of the time that evidence is good for: its age is known to one of them. */
const agePieces = 48;
const agePieceMs = ({ evidenceMaxAgeMs }: StakingParams): number => pieceOf(evidenceMaxAgeMs, agePieces);

/** The validator that evidence is against. */
export const accusedOf = ({ first }: Evidence): Address => ('validator' in first ? first.validator : first.proposer);

/**
 * Judges one piece of evidence by the state before the block that it is to stand in.
 *
 * The cheap checks come first. Its age is that of the piece of time in which its block was made: never less than the truth.
 */
export function judgeEvidence(
  state: StakingState,
  evidence: Evidence,
  place: EvidencePlace,
  rules: EvidenceRules,
): EvidenceVerdict {
  const { first, second } = evidence;
  const contradiction = contradictionOf(evidence);
  if (contradiction !== null) return refuse(contradiction, true);
  const { height } = first;
  const { params } = rules;
  if (height >= place.height) return refuse(`height ${height} is not decided yet`);
  if (place.height - height > params.evidenceMaxAgeBlocks) return refuse(`it is ${place.height - height} blocks old`);
  const mark = state.clock.evidenceMarks.findLast((known) => known.height <= height);
  const ageMs = place.timestampMs - (mark?.bucket ?? 0) * agePieceMs(params);
  if (mark === undefined || ageMs > params.evidenceMaxAgeMs) return refuse('it is too old');
  const validator = state.validators.get(accusedOf(evidence));
  if (validator === undefined) return refuse(`${accusedOf(evidence)} is no validator`);
  if (validator.tombstoned) return refuse(`${validator.address} is convicted already`);
  const publicKey = signerAt(validator, height);
  if (publicKey === null) return refuse(`${validator.address} was no validator at height ${height}`);
  const isSigned = [first, second].every((message) =>
    rules.provider.verify(digestOf(message, rules), message.signature, publicKey),
  );
  return isSigned ? { ok: true, validator: validator.address } : refuse('a signature is wrong', true);
}

type Message = Evidence['first'];

const digestOf = (message: Message, { chainId, genesisHash }: EvidenceRules): Uint8Array =>
  'type' in message ? voteSignDigest(chainId, genesisHash, message) : proposalSignDigest(chainId, genesisHash, message);

/** Why the two messages do not contradict each other; null when they do. */
function contradictionOf({ first, second }: Evidence): string | null {
  if (first.height !== second.height || first.round !== second.round || first.round < 0)
    return 'the two messages are not of one place';
  if ('type' in first !== 'type' in second || ('type' in first && 'type' in second && first.type !== second.type))
    return 'the two messages are not of one kind';
  const [one, other] = [first, second].map((message) =>
    'validator' in message ? message.validator : message.proposer,
  );
  if (one !== other) return 'the two messages are not of one validator';
  if (first.blockHash === second.blockHash) return 'the two messages are for one block';
  // One piece of evidence has one form.
  return (first.blockHash ?? '') < (second.blockHash ?? '') ? null : 'the two messages are not in order';
}

/** The form that counts: the message for the lower block hash, nil before all, comes first. */
export function inOrder(evidence: Evidence): Evidence {
  const { first, second } = evidence;
  if ((first.blockHash ?? '') < (second.blockHash ?? '')) return evidence;
  return evidence.kind === 'duplicateVote'
    ? { ...evidence, first: evidence.second, second: evidence.first }
    : { ...evidence, first: evidence.second, second: evidence.first };
}

/** Judges all evidence of a block; at most one piece against a validator. @returns why it is refused, or null */
export function judgeAllEvidence(
  state: StakingState,
  evidence: readonly Evidence[],
  place: EvidencePlace,
  rules: EvidenceRules,
): string | null {
  const accused = new Set<Address>();
  for (const piece of evidence) {
    const verdict = judgeEvidence(state, piece, place, rules);
    if (!verdict.ok) return verdict.reason;
    if (accused.has(verdict.validator)) return `two pieces against ${verdict.validator}`;
    accused.add(verdict.validator);
  }
  return null;
}

/** Punishes whom the block's evidence convicts: a part of the stake, and never again a validator. */
export function punish(draft: Draft, evidence: readonly Evidence[]): void {
  for (const piece of evidence) {
    const validator = draft.validators.get(accusedOf(piece));
    if (validator === undefined || validator.tombstoned) continue;
    const convicted: StakedValidator = { ...validator, tombstoned: true, jailedUntilMs: foreverMs };
    slash(draft, convicted, draft.params.doubleSignSlashBps, true);
  }
}

/** Takes who is convicted out of the set, as soon as the set can do without them. */
export function expel(draft: Draft): void {
  for (const validator of draft.active())
    if (validator.tombstoned && mayJail(draft, validator)) jail(draft, validator, foreverMs);
}

/** Notes the block's place in time; forgets keys and validators that no evidence can be about any more. */
export function ageEvidence(draft: Draft): void {
  const { params } = draft;
  const pieceMs = agePieceMs(params);
  const bucket = bucketOf(draft.timestampMs, pieceMs);
  const marks = draft.clock.evidenceMarks;
  if (marks.at(-1)?.bucket === bucket) return;
  const kept = marks.filter((mark) => draft.timestampMs - mark.bucket * pieceMs <= params.evidenceMaxAgeMs);
  draft.clock = { ...draft.clock, evidenceMarks: [...kept, { bucket, height: draft.height }] };
  forget(draft, oldestHeight(draft, kept));
}

/** Evidence can be about this height, and about none before it. */
const oldestHeight = (draft: Draft, marks: readonly TimeMark[]): number =>
  Math.max(draft.height - draft.params.evidenceMaxAgeBlocks, marks[0]?.height ?? draft.height);

function forget(draft: Draft, oldest: number): void {
  const waiting = new Set(draft.unbondings.map(({ owner }) => owner));
  for (const validator of draft.validators.values()) {
    const current = validator.periods.findLastIndex(({ fromHeight }) => fromHeight <= oldest);
    const periods = validator.periods.slice(Math.max(0, current));
    const isGone = validator.status === 'left' && periods.every(({ publicKey }) => publicKey === null);
    const isFree = !validator.tombstoned && validator.jailedUntilMs <= draft.timestampMs;
    if (isGone && isFree && !waiting.has(validator.address)) draft.remove(validator.address);
    else if (periods.length < validator.periods.length) draft.put({ ...validator, periods });
  }
}
