import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { type CommitSummary, getCommits, HistoryPrunedError, type NativeBlockHead } from '@prime/sdk';
import type { ExplorerNode } from '../node/node.ts';
import { lacksMethod } from '../node/rpcClient.ts';
import { ofNode } from './ofNode.ts';
import { createShared, type Shared } from './shared.ts';

/** How the newest blocks were decided. */
export interface CommitFeed extends Shared {
  /** Newest first, without gaps; null until they were read. */
  readonly commits: ReadonlySignal<readonly CommitSummary[] | null>;
}

/** Blocks that are followed: what one answer holds. */
export const keptCommits = 256;

/** What the head of a block says of its commit; null for genesis. Whose turn failed it does not say. */
function commitOf({ number, hash, timestampMs, proposer, commit }: NativeBlockHead): CommitSummary | null {
  if (commit === null || hash === null) return null;
  const { round, signers } = commit;
  return { blockNumber: number, blockHash: hash, timestampMs, proposer, round, signers, missedTurns: [] };
}

/** Newest first, each once, as many as follow each other from the newest one on. */
export function mergeCommits(
  known: readonly CommitSummary[],
  more: readonly CommitSummary[],
  max = keptCommits,
): readonly CommitSummary[] {
  const byNumber = new Map([...known, ...more].map((commit) => [commit.blockNumber, commit]));
  const sorted = [...byNumber.values()].toSorted((a, b) => (a.blockNumber < b.blockNumber ? 1 : -1)).slice(0, max);
  const gap = sorted.findIndex(
    ({ blockNumber }, index) => index > 0 && sorted[index - 1]!.blockNumber !== blockNumber + 1n,
  );
  return gap === -1 ? sorted : sorted.slice(0, gap);
}

/** The heights that have to be asked for: after the newest known one, as far as the head; null where it is there. */
export function wantedRange(
  newest: bigint | null,
  head: bigint,
): { readonly from: bigint; readonly count: number } | null {
  const first = head - BigInt(keptCommits - 1);
  const from = [1n, first, newest === null ? 1n : newest + 1n].reduce((a, b) => (a > b ? a : b));
  return from > head ? null : { from, count: Number(head - from) + 1 };
}

/** How the newest blocks were decided; one feed for each node, whoever looks at it. */
export const commitsOf = ofNode((node): CommitFeed => {
  const commits = signal<readonly CommitSummary[] | null>(null);
  const take = (more: readonly CommitSummary[]): void => {
    commits.value = mergeCommits(commits.peek() ?? [], more);
  };
  const shared = createShared(() => {
    let isAsking = false;
    const follow = (): void => {
      const head = node.chain.head.peek()?.number ?? 0n;
      takeNext(node.chain.blocks.peek(), commits.peek()?.[0]?.blockNumber ?? null, take);
      const wanted = wantedRange(commits.peek()?.[0]?.blockNumber ?? null, head);
      if (wanted === null || isAsking) return;
      isAsking = true;
      ask(node, wanted)
        .then(take, () => undefined)
        .finally(() => {
          isAsking = false;
        });
    };
    // Asked again with each block, so that a failure needs nothing of its own.
    return effect(() => {
      if (node.chain.head.value !== null) follow();
    });
  });
  return { commits, hold: () => shared.hold() };
});

/** Blocks that follow the newest known one and were decided at once: they say all there is to say. */
function takeNext(
  blocks: readonly NativeBlockHead[],
  newest: bigint | null,
  take: (commits: readonly CommitSummary[]) => void,
): void {
  if (newest === null) return;
  const next: CommitSummary[] = [];
  for (const block of blocks.toReversed()) {
    const isNext = block.number === newest + BigInt(next.length) + 1n;
    const commit = isNext ? commitOf(block) : null;
    if (isNext && (commit === null || commit.round > 0)) break;
    if (commit !== null) next.push(commit);
  }
  if (next.length > 0) take(next);
}

async function ask(
  { client, chain }: ExplorerNode,
  { from, count }: { readonly from: bigint; readonly count: number },
): Promise<readonly CommitSummary[]> {
  try {
    return await getCommits(client.sdk, { from, count });
  } catch (error) {
    if (error instanceof HistoryPrunedError && error.oldest !== null && error.oldest > from) {
      const skipped = Number(error.oldest - from);
      if (skipped < count) return getCommits(client.sdk, { from: error.oldest, count: count - skipped });
    }
    if (!lacksMethod(error)) throw error;
    return chain.blocks.peek().flatMap((block) => commitOf(block) ?? []);
  }
}
