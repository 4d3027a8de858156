import { bigintMin } from '@prime/primitives';
import type { Link } from '../connection/session.ts';
import type { DomainEventOf, DomainEventFilter } from '../domainEvents.ts';
import { isStreamError, type StreamError } from '../errors.ts';
import type { BlockPosition, LostGap } from '../types.ts';
import { readEvents } from '../wire/events.ts';
import { toBigInt, toNumber, toObject } from '../wire/fields.ts';
import { matchesFilter } from './matching.ts';
import type { Range } from './sequencer.ts';

/** The events of a block that a stream wants, in their order. */
interface EventBlock extends BlockPosition {
  readonly events: readonly DomainEventOf[];
}

/** A part of what was missed, up to `to`: what was in it, or that nobody can tell. */
export type HistoryPart =
  | { readonly kind: 'blocks'; readonly to: bigint; readonly blocks: readonly EventBlock[] }
  | { readonly kind: 'lost'; readonly to: bigint; readonly gap: LostGap };

/** Blocks of one question, before a node says that it wants to be asked for less. */
const spanBlocksMax = 10_000n;

const hex = (height: bigint): string => `0x${height.toString(16)}`;

/** Events of several filters as one list by block: each once, in the order of execution. */
function byBlock(lists: readonly (readonly DomainEventOf[])[]): readonly EventBlock[] {
  const blocks = new Map<bigint, Map<number, DomainEventOf>>();
  for (const event of lists.flat()) {
    const events = blocks.get(event.blockNumber) ?? new Map<number, DomainEventOf>();
    blocks.set(event.blockNumber, events.set(event.index, event));
  }
  return [...blocks]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([blockNumber, found]) => {
      const events = [...found.values()].toSorted((a, b) => a.index - b.index);
      const { blockHash, timeMs } = events[0]!;
      return { blockNumber, blockHash, timeMs, events };
    });
}

type Request = Link['request'];

const filterJson = ({ domain, kind, address }: DomainEventFilter): object => ({
  ...(domain === undefined ? {} : { domain }),
  ...(kind === undefined ? {} : { kind }),
  ...(address === undefined ? {} : { address }),
});

async function eventsOf(
  request: Request,
  filters: readonly DomainEventFilter[],
  { from, to }: Range,
): Promise<readonly EventBlock[]> {
  const lists: (readonly DomainEventOf[])[] = [];
  for (const filter of filters) {
    const range = { fromBlock: hex(from), toBlock: hex(to), ...filterJson(filter) };
    lists.push(readEvents(await request('prime_getDomainEvents', [range])));
  }
  return byBlock(lists);
}

/** One block as a whole, where its events are more than one answer of the other method may hold. */
async function wholeBlock(
  request: Request,
  filters: readonly DomainEventFilter[],
  height: bigint,
): Promise<readonly EventBlock[]> {
  const block = toObject(await request('prime_getBlockByNumber', [hex(height), false]), 'a block');
  const events = readEvents(block['domain_events']);
  return byBlock([events.filter((event) => filters.some((filter) => matchesFilter(event, filter)))]);
}

/** What an error of the node says about the range that was asked for. */
type Refusal =
  | { readonly kind: 'tooWide'; readonly spanMax: bigint }
  | { readonly kind: 'tooMany' }
  | { readonly kind: 'pruned'; readonly oldest: bigint }
  | { readonly kind: 'hidden' };

const rpcLimitExceeded = -32005;
const rpcDisabled = -32004;
const rpcPruned = 4444;

function refusalOf(error: StreamError): Refusal | null {
  if (!isStreamError(error, 'STREAM_REQUEST_FAILED')) return null;
  const { rpcCode, data } = error.detail;
  if (rpcCode === rpcDisabled) return { kind: 'hidden' };
  if (typeof data !== 'object' || data === null) return null;
  const said = data as Readonly<Record<string, unknown>>;
  if (rpcCode === rpcPruned) return { kind: 'pruned', oldest: toBigInt(said['oldest'], 'oldest') };
  // An overloaded node says when to come back instead.
  if (rpcCode !== rpcLimitExceeded || 'retry_after_ms' in said) return null;
  if (said['limit'] === 'blockRange')
    return { kind: 'tooWide', spanMax: BigInt(Math.max(1, toNumber(said['maximum'], 'maximum'))) };
  return said['limit'] === 'eventCount' || said['limit'] === 'responseSize' ? { kind: 'tooMany' } : null;
}

/** An answer, or the refusal that it met. @throws StreamError for everything else that went wrong */
async function attempt<T>(ask: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await ask();
  } catch (error) {
    const refusal = isStreamError(error, 'STREAM_REQUEST_FAILED') ? refusalOf(error) : null;
    if (refusal === null) throw error;
    return refusal;
  }
}

const isRefusal = (value: readonly EventBlock[] | Refusal): value is Refusal => 'kind' in value;
/**
 * Fetches what blocks held, part by part in order. Asks a node for less where it wants to, and other nodes for what it does not keep.
 *
 * @param range of blocks that the node has
 * @throws StreamError when the node can not be asked now
 */
export async function* history(
  link: Pick<Link, 'request' | 'elsewhere'>,
  filters: readonly DomainEventFilter[],
  { from, to: last }: Range,
): AsyncGenerator<HistoryPart, void> {
  let span = spanBlocksMax;
  for (let next = from; next <= last; ) {
    const range = { from: next, to: bigintMin(last, next + span - 1n) };
    const answer = await attempt(() => eventsOf(link.request, filters, range));
    if (!isRefusal(answer)) {
      yield { kind: 'blocks', to: range.to, blocks: answer };
      next = range.to + 1n;
    } else if (answer.kind === 'tooWide' && answer.spanMax < span) span = answer.spanMax;
    else if ((answer.kind === 'tooMany' || answer.kind === 'tooWide') && span > 1n) span = span / 2n;
    else {
      const part = await hardPart(link, filters, range, answer);
      yield part;
      next = part.to + 1n;
    }
  }
}

/** Of a range that the node does not answer however it is asked. */
async function hardPart(
  link: Pick<Link, 'request' | 'elsewhere'>,
  filters: readonly DomainEventFilter[],
  { from, to }: Range,
  refusal: Refusal,
): Promise<HistoryPart> {
  if (refusal.kind === 'tooMany' || refusal.kind === 'tooWide')
    return { kind: 'blocks', to: from, blocks: await wholeBlock(link.request, filters, from) };
  const oldest = refusal.kind === 'pruned' ? refusal.oldest : null;
  const end = oldest === null ? to : bigintMin(to, oldest - 1n);
  // What a node deletes while it is asked: all of the range is asked for elsewhere.
  const range = { from, to: end < from ? to : end };
  const found = await link.elsewhere(range.to, (request) => eventsOf(request, filters, range));
  if (found !== null) return { kind: 'blocks', to: range.to, blocks: found };
  const reason = refusal.kind === 'hidden' ? 'hidden' : 'pruned';
  return { kind: 'lost', to: range.to, gap: { fromBlock: from, toBlock: range.to, reason, oldestBlock: oldest } };
}
