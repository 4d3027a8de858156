import { type DomainEventFilter, type DomainEventOf, HistoryPrunedError, LimitExceededError } from '@prime/sdk';

/** Which events a list shows. */
export interface EventSelection extends DomainEventFilter {
  /** Nodes do not select by market; the list does. */
  readonly marketId?: number | undefined;
}

/** Whether a list shows an event that the node selected: what is of no market is in no market's list. */
export const isSelected = ({ data }: DomainEventOf, { marketId }: EventSelection): boolean =>
  marketId === undefined || ('marketId' in data && data.marketId === marketId);

/** Why there is nothing further back. */
export type EndOfEvents = 'genesis' | 'pruned';

/** Events of the past, of whole blocks. */
export interface EventPage {
  /** Newest first. */
  readonly events: readonly DomainEventOf[];
  /** Everything that is selected from this block on is known. */
  readonly fromBlock: bigint;
  /** null where there may be more before `fromBlock`. */
  readonly end: EndOfEvents | null;
}

/** Which events are wanted, and how far back they are looked for. */
export interface PageRequest {
  readonly selection: EventSelection;
  /** Events of blocks before this one. */
  readonly before: bigint;
  /** Goes back until there are so many. */
  readonly wanted: number;
}

/** Asks a node for a range of blocks, both included. */
export type AskEvents = (fromBlock: bigint, toBlock: bigint) => Promise<readonly DomainEventOf[]>;

/** Blocks of a first look, and requests until somebody has to ask for more. */
const firstBlocks = 500n;
const requestsMax = 30;

/**
 * Goes back in time until there are enough events, the chain begins, the node has nothing older, or many requests found little. The
 * range of a request grows where there is little, and shrinks where a node refuses to answer so much.
 */
export async function readEventPage(ask: AskEvents, { selection, before, wanted }: PageRequest): Promise<EventPage> {
  const events: DomainEventOf[] = [];
  let next = before;
  let blocks = firstBlocks;
  for (let requests = 0; requests < requestsMax && events.length < wanted; requests++) {
    if (next <= 0n) return { events, fromBlock: 0n, end: 'genesis' };
    const from = next > blocks ? next - blocks : 0n;
    try {
      const found = (await ask(from, next - 1n)).filter((event) => isSelected(event, selection));
      const { taken, fromBlock } = newestBlocks(found, wanted - events.length, from);
      events.push(...taken);
      next = fromBlock;
      blocks = found.length * 4 < wanted ? blocks * 8n : blocks;
    } catch (error) {
      const oldest = oldestOf(error);
      if (oldest !== null) {
        // The part that is kept is asked for, and then it is over.
        if (oldest >= next) return { events, fromBlock: next, end: 'pruned' };
        blocks = next - oldest;
      } else if (error instanceof LimitExceededError && blocks > 1n) blocks = blocks > 8n ? blocks / 8n : 1n;
      else throw error;
    }
  }
  return { events, fromBlock: next, end: next === 0n ? 'genesis' : null };
}

/** The newest whole blocks that hold enough of them, newest event first. */
function newestBlocks(
  found: readonly DomainEventOf[],
  enough: number,
  from: bigint,
): { readonly taken: readonly DomainEventOf[]; readonly fromBlock: bigint } {
  const newestFirst = found.toReversed();
  const last = newestFirst[enough - 1];
  if (last === undefined) return { taken: newestFirst, fromBlock: from };
  return {
    taken: newestFirst.filter(({ blockNumber }) => blockNumber >= last.blockNumber),
    fromBlock: last.blockNumber,
  };
}

/** First block that the node keeps, of a refusal for older ones. */
const oldestOf = (error: unknown): bigint | null =>
  error instanceof HistoryPrunedError ? (error.oldest ?? 1n << 62n) : null;
