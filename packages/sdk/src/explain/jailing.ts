import type { BlockEvidence, RegisteredValidator } from '../types/chain.ts';
import type { Address, Hash, Wei } from '../types/primitives.ts';
import type { DomainEventOf } from '../streams/domainEvents.ts';
import { good, warn, type Explanation } from './explanation.ts';
import {
  amountText,
  formatBps,
  formatDuration,
  formatInteger,
  formatMoment,
  formatPercent,
  shortHex,
} from './words.ts';

/** What took a validator out of the set. */
export type JailingCause =
  | {
      readonly kind: 'double_sign';
      readonly evidence: BlockEvidence;
      /** Block that holds the evidence. */
      readonly convictedBlock: bigint;
    }
  | {
      readonly kind: 'downtime';
      /** Blocks of the window that were counted, and those of them that it signed; null where they are not kept any more. */
      readonly signed: { readonly blocks: number; readonly signed: number } | null;
      readonly windowMs: number;
      /** Least part of the blocks, in basis points. */
      readonly minSignedBps: number;
    }
  /** Its owner asked for it. */
  | { readonly kind: 'own'; readonly transactionHash: Hash }
  /** It joined, and nobody has unjailed it yet. */
  | { readonly kind: 'joined'; readonly transactionHash: Hash | null };

/** Where and why a validator left the set, as far as the history of a node tells. */
export interface Jailing {
  readonly cause: JailingCause;
  readonly block: bigint;
  readonly timestampMs: number;
  /** Wei of its stake that were taken; 0 for none. */
  readonly slashed: Wei;
}

/** What decides why a validator is not in the set. */
export interface JailingFacts {
  readonly validator: RegisteredValidator;
  /** Null where the node does not keep the blocks in which it happened, or nothing happened. */
  readonly jailing: Jailing | null;
  /** Oldest block whose events were looked at. */
  readonly oldestBlock: bigint;
  /** Time of the newest block, ms. */
  readonly headMs: number;
}

type ValidatorEvent = DomainEventOf<'jailed' | 'joined' | 'slashed' | 'unjailed'>;

/** What a validator's own history says of its place: the newest event that took it out of the set, or let it in without a vote. */
export interface JailingMarks {
  /** `jailed`, or `joined` where it was never unjailed since. */
  readonly event: ValidatorEvent;
  /** The newest `slashed` up to it; for evidence that may be blocks before it. */
  readonly slashed: ValidatorEvent | null;
  /** Stake that was told before it; null where nothing was, as for a validator of genesis. */
  readonly stakeBefore: Wei | null;
}

/** @param events of the validator, in the order of the chain @returns null where it was never taken out */
export function jailingMarks(events: readonly DomainEventOf[]): JailingMarks | null {
  const known = events.filter((event): event is ValidatorEvent =>
    ['jailed', 'joined', 'slashed', 'unjailed'].includes(event.kind),
  );
  const last = known.findLastIndex(({ kind }) => kind !== 'slashed');
  const event = known[last];
  if (event === undefined || event.kind === 'unjailed') return null;
  // Of one block the slash comes first; what is slashed later was for something else.
  const slashed = event.kind === 'joined' ? null : (known.slice(0, last).findLast(isSlash) ?? null);
  return { event, slashed, stakeBefore: slashed === null ? null : stakeBefore(events, slashed) };
}

const isSlash = ({ kind }: ValidatorEvent): boolean => kind === 'slashed';

/** Stake that the newest event before this one told; null where there is none. */
function stakeBefore(events: readonly DomainEventOf[], slashed: ValidatorEvent): bigint | null {
  const before = events.slice(
    0,
    events.findIndex((event) => event === slashed),
  );
  const told = before.findLast((event) => 'stake' in event.data);
  return told === undefined ? null : (told.data as { readonly stake: bigint }).stake;
}

/** Evidence of a block against a validator; null for none. */
export const evidenceAgainst = (evidence: readonly BlockEvidence[], validator: Address): BlockEvidence | null =>
  evidence.find((piece) => piece.validator === validator) ?? null;

/** Why a validator is not in the set, and what to do; that it is in where it is. */
export function explainJailing(facts: JailingFacts): Explanation {
  const { validator, jailing, oldestBlock } = facts;
  const { moniker, status } = validator;
  if (status === 'active' && !validator.tombstoned)
    return good(`${moniker} is not jailed`, `It is in the set, with a stake of ${amountText(validator.stake)}.`);
  if (status === 'left')
    return warn(`${moniker} left`, 'It is not jailed: its owner took it out, and its stake goes back.');
  const way = wayBack(facts);
  if (jailing === null)
    return {
      tone: validator.tombstoned ? 'bad' : 'warn',
      title: `${moniker} is jailed`,
      text: `The asked node keeps events from block ${formatInteger(oldestBlock)} on, and it was jailed before: ask a node that keeps all of history for the reason. ${way}`,
    };
  return {
    tone: jailing.cause.kind === 'joined' || jailing.cause.kind === 'own' ? 'warn' : 'bad',
    title: titleOf(moniker, jailing.cause, status),
    text: `${causeText(jailing)} ${way}`,
  };
}

function titleOf(moniker: string, cause: JailingCause, status: string): string {
  switch (cause.kind) {
    case 'double_sign':
      return status === 'jailed'
        ? `${moniker} is out for ever: it signed twice`
        : `${moniker} signed twice, and leaves the set as soon as the set can do without it`;
    case 'downtime':
      return `${moniker} is jailed: it was away`;
    case 'own':
      return `${moniker} is jailed: its owner asked for it`;
    case 'joined':
      return `${moniker} is not in the set yet`;
  }
}

const voteWords = { prevote: 'prevotes', precommit: 'precommits', proposal: 'proposals' } as const;
const hashWords = (hash: Hash | null): string => (hash === null ? 'no block' : `block ${shortHex(hash)}`);

function causeText({ cause, block, timestampMs, slashed }: Jailing): string {
  const place = `block ${formatInteger(block)} (${formatMoment(timestampMs)})`;
  const taken = slashed > 0n ? ` ${amountText(slashed)} of its stake were taken.` : '';
  switch (cause.kind) {
    case 'double_sign': {
      const { signed, height, round, first, second } = cause.evidence;
      return (
        `Its key signed two ${voteWords[signed]} at height ${formatInteger(height)}, round ${round}: one for ${hashWords(first.blockHash)} and one for ${hashWords(second.blockHash)}. ` +
        `Block ${formatInteger(cause.convictedBlock)} holds both as evidence.${taken} Its key ran in two processes, or its sign state was replaced by an older one.`
      );
    }
    case 'downtime': {
      const { signed, windowMs, minSignedBps } = cause;
      const counted =
        signed === null
          ? `It signed less than ${formatBps(minSignedBps)} of the blocks of ${formatDuration(windowMs)}`
          : `It signed ${formatInteger(signed.signed)} of the ${formatInteger(signed.blocks)} blocks of ${formatDuration(windowMs)} (${formatPercent(signed.blocks === 0 ? 0 : signed.signed / signed.blocks)}), where at least ${formatBps(minSignedBps)} have to be`;
      return `${counted}: ${place} took it out of the set.${taken}`;
    }
    case 'own':
      return `Its owner sent ${cause.transactionHash}, and ${place} took it out of the set.`;
    case 'joined':
      return `It joined in ${place}, and a validator that joins is let into the set by its owner's unjail.`;
  }
}

function wayBack({ validator, headMs }: JailingFacts): string {
  const { tombstoned, jailedUntilMs } = validator;
  if (tombstoned) return 'It can never come back; another owner key can join anew.';
  const command = 'prime validator unjail of its owner brings it back';
  if (jailedUntilMs === null || jailedUntilMs <= headMs) return `From now on ${command}.`;
  return `From ${formatMoment(jailedUntilMs)} on, in ${formatDuration(jailedUntilMs - headMs)}, ${command}.`;
}
