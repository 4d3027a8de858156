import type { ConsensusStatus, NetworkNodes } from '../types/consensus.ts';
import { bad, good, warn, type Explanation } from './explanation.ts';
import { formatDuration, formatInteger, listNames } from './words.ts';

/** How far a node is behind another one. */
export interface Lag {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly text: string;
}

/** What nodes tell of their heads is up to so old, ms. */
const toldWithinMs = 3_000;
/** A node that lacks more is not catching up in a moment, ms. */
const farMs = 60_000;

/** @param intervalMs usual time between blocks; null while it is not known */
export function lagOf(head: bigint, newest: bigint, intervalMs: number | null): Lag {
  const blocks = head > newest ? 0 : Number(newest - head);
  const behindMs = blocks * (intervalMs ?? toldWithinMs);
  if (blocks <= 1 || behindMs <= toldWithinMs) return { tone: 'good', text: 'at the head' };
  return { tone: behindMs > farMs ? 'bad' : 'warn', text: `${formatInteger(blocks)} blocks behind` };
}

/** What decides whether and why a node is behind. */
export interface BehindFacts {
  /** The node in question: null is the one that was asked. */
  readonly moniker: string | null;
  /** Its newest block; null where it tells the asked node nothing. */
  readonly head: bigint | null;
  /** Of the asked node: what its next block waits for. */
  readonly waitsFor: ConsensusStatus['waitsFor'];
  /** What the asked node knows of the network. */
  readonly network: NetworkNodes;
  /** Usual time between blocks, ms; null while it is not known. */
  readonly intervalMs: number | null;
  /** Blocks a second by which the node got nearer while it was looked at; null where that was not measured. */
  readonly gain: number | null;
  /** Newest block whose certificate the validator in question signed; null for none that was looked at, or a node that is no validator. */
  readonly lastSigned: bigint | null;
}

type Known = NetworkNodes['validators'][number];

/** Who told of a newest block, by its height. */
function newestOf({ network, moniker, head }: BehindFacts): { readonly height: bigint; readonly names: string[] } {
  const others: { readonly name: string; readonly head: bigint }[] = [
    ...network.validators.flatMap((validator) =>
      validator.head === null || validator.moniker === moniker
        ? []
        : [{ name: validator.moniker, head: validator.head }],
    ),
    ...network.others.map((other) => ({ name: `a node that follows (${other.role})`, head: other.head })),
  ];
  const height = others.reduce((most, other) => (other.head > most ? other.head : most), head ?? 0n);
  return { height, names: others.filter((other) => other.head === height).map(({ name }) => name) };
}

/** Why a node is behind, as the asked node sees it; that it is not where it is not. */
export function explainBehind(facts: BehindFacts): Explanation {
  const { network, moniker, head } = facts;
  if (moniker !== null) {
    const validator = network.validators.find((known) => known.moniker === moniker);
    return explainOther(facts, moniker, validator ?? null);
  }
  const tellers = network.validators.filter((known) => known.isPresent).length;
  const next = network.protocol.next;
  if (head !== null && next !== null && !next.isKnown && head + 1n >= next.height)
    return bad(
      'This node does not know the rules of the next block',
      `From block ${formatInteger(next.height)} on version ${next.version} of the rules is in force, and its program knows versions up to ${network.protocol.knownVersion}. Install a newer one and start the node again.`,
    );
  // It counts itself among those that are present, where it is a validator.
  if (tellers <= 1 && network.others.length === 0)
    return bad(
      'This node is connected to nobody',
      `Its newest block is ${formatInteger(head ?? 0n)}, and no validator is connected that could tell it of newer ones. Look at its peers, its firewall and the addresses in its list: prime peers list names why each connection fails.`,
    );
  return explainOwn(facts);
}

function explainOwn(facts: BehindFacts): Explanation {
  const { waitsFor, intervalMs, gain } = facts;
  const head = facts.head ?? 0n;
  const newest = newestOf(facts);
  const lag = lagOf(head, newest.height, intervalMs);
  if (lag.tone === 'good')
    return good(
      'This node is not behind',
      `Its newest block is ${formatInteger(head)}, and nobody told it of a newer one that should be here by now. Where no block comes at all, ask why there is none.`,
    );
  const standing = `Its newest block is ${formatInteger(head)}; ${listNames(newest.names)} told of block ${formatInteger(newest.height)}.`;
  const missing = Number(newest.height - head);
  const pace =
    gain === null
      ? ''
      : gain > 0
        ? ` It gains ${gain.toFixed(1)} blocks a second on them: about ${formatDuration((missing / gain) * 1_000)} to go.`
        : ' It does not get nearer: look at its processors, its disk and its log.';
  const what = {
    blocks: 'It fetches blocks from its peers and carries them out one after the other.',
    execution: 'It is carrying out a block that is decided.',
    work: 'It has not begun to fetch them.',
    proposal: 'It has not begun to fetch them.',
    prevotes: 'It has not begun to fetch them.',
    precommits: 'It has not begun to fetch them.',
  }[waitsFor];
  return { tone: lag.tone, title: `This node is ${lag.text}`, text: `${standing} ${what}${pace}` };
}

function explainOther(facts: BehindFacts, moniker: string, known: Known | null): Explanation {
  const newest = newestOf(facts);
  const signed =
    facts.lastSigned === null
      ? ' It signed none of the blocks that were looked at.'
      : ` The newest block that it signed is ${formatInteger(facts.lastSigned)}.`;
  if (known === null || !known.isPresent)
    return bad(
      `${moniker} is away`,
      `The asked node has no connection to it, and no other node told of it lately, while the network is at block ${formatInteger(newest.height)}.${signed} Its process ended, or the network between is cut.`,
    );
  if (known.head === null)
    return warn(
      `${moniker} tells the asked node nothing of its blocks`,
      `It is connected to others, or stands behind sentries. The network is at block ${formatInteger(newest.height)}.${signed}`,
    );
  const lag = lagOf(known.head, newest.height, facts.intervalMs);
  if (lag.tone === 'good')
    return good(
      `${moniker} is not behind`,
      `It told of block ${formatInteger(known.head)}, and the network is at block ${formatInteger(newest.height)}.${signed}`,
    );
  return {
    tone: lag.tone,
    title: `${moniker} is ${lag.text}`,
    text: `The last block that it told of is ${formatInteger(known.head)}, and ${listNames(newest.names)} told of block ${formatInteger(newest.height)}.${signed} It is connected: it fetches blocks, its machine is too slow, or its process stands still. Ask it yourself, or look at its log.`,
  };
}
