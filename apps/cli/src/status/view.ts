import type { CommitSummary, ConsensusStatus, NetworkNodes } from '@prime/sdk';
import { type Explanation, explainNoBlock, isLate } from '@prime/sdk/explain';
import type { NodeResources } from '../node/nodeMetrics.ts';

/** A node that is asked, as of its newest answer. */
export interface NodeView {
  /** Its URL, or its name where somebody gave it one. */
  readonly name: string;
  /** Null before its first answer. */
  readonly head: bigint | null;
  readonly peers: number | null;
  /** Transactions that wait: for the next block, and behind a gap of nonces. */
  readonly pending: number | null;
  readonly queued: number | null;
  /** Null where its admin endpoint is not known here, or does not answer. */
  readonly resources: NodeResources | null;
  /** Since when it does not answer, ms, and why; null while it does. */
  readonly away: { readonly sinceMs: number; readonly reason: string } | null;
}

/** A market as it is shown, in the units of people. */
export interface MarketView {
  readonly symbol: string;
  readonly status: string;
  readonly last: string | null;
  readonly mark: string | null;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly volume: string;
  readonly trades: number;
}

/** All that is shown, as of one moment. Lists are empty, and values null, before they were heard of. */
export interface StatusView {
  /** The clock here. */
  readonly nowMs: number;
  readonly network: { readonly name: string; readonly chainId: number; readonly intervalMs: number } | null;
  readonly nodes: readonly NodeView[];
  /** What of the network one of the nodes tells, the first that answers. */
  readonly status: ConsensusStatus | null;
  readonly validators: NetworkNodes['validators'];
  /** How the newest blocks were decided, oldest first. */
  readonly commits: readonly CommitSummary[];
  readonly markets: readonly MarketView[];
}

/** What is shown before any node has answered. */
export const emptyView = (names: readonly string[], nowMs: number): StatusView => ({
  nowMs,
  network: null,
  nodes: names.map((name) => ({
    name,
    head: null,
    peers: null,
    pending: null,
    queued: null,
    resources: null,
    away: null,
  })),
  status: null,
  validators: [],
  commits: [],
  markets: [],
});

/** Newest block that any node has; null before one is known. */
export function newestHead({ nodes, validators }: Pick<StatusView, 'nodes' | 'validators'>): bigint | null {
  const heads = [...nodes, ...validators].flatMap(({ head }) => (head === null ? [] : [head]));
  return heads.length === 0 ? null : heads.reduce((most, head) => (head > most ? head : most));
}

/** Whether a node has answered, and still does. */
export const isAnswering = ({ head, away }: NodeView): boolean => head !== null && away === null;

/** What the next block lacks, once it is late; null while it is not. */
export function troubleOf({ status, validators, commits, network }: StatusView): Explanation | null {
  const headMs = commits.at(-1)?.timestampMs;
  if (status === null || headMs === undefined || validators.length === 0) return null;
  const absent = validators.filter(({ isPresent }) => !isPresent).map(({ address }) => address);
  const facts = { status, validators, headMs, intervalMs: network?.intervalMs ?? 0, absent };
  return isLate(facts) ? explainNoBlock(facts) : null;
}
