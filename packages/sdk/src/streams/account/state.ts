import { bigintMax } from '@prime/primitives';
import type { OpenOrder } from '../../types/order.ts';
import type { Address } from '../../types/primitives.ts';
import type { Link } from '../connection/session.ts';
import type { DomainEventFilter, DomainEventOf } from '../domainEvents.ts';
import { StreamError, streamsClosed, toStreamError } from '../errors.ts';
import { Feed, type FeedBlock, type FeedEntry, type FeedSource } from '../feed/feed.ts';
import { history } from '../feed/history.ts';
import { sessionOf, type StreamsClient } from '../streams.ts';
import type {
  AccountDifference,
  AccountFill,
  BlockPosition,
  FundingPayment,
  HeldPosition,
  LostGap,
  OrderUpdate,
  StreamStatus,
} from '../types.ts';
import { eventsSource } from '../watchDomainEvents.ts';
import { type Json, toObject } from '../wire/fields.ts';
import { accountFills, accountFunding, type Ledger, type LedgerStep, stepLedger } from './ledger.ts';
import { Reconciler } from './reconciler.ts';
import { readLedger } from './snapshot.ts';

/**
 * `syncing`: nothing is known yet. `sure`: it is what the chain has. `unsure`: it was, and may be old: there is no connection, or what
 * was missed is being fetched and compared.
 */
export type AccountStatus = 'syncing' | 'sure' | 'unsure' | 'ended';

/** An account of the order book. Never changed, only replaced. */
export interface AccountView {
  readonly address: Address;
  readonly status: AccountStatus;
  /** Block up to which it is complete; null while nothing is known. */
  readonly blockNumber: bigint | null;
  /** Wei; negative is a debt. Funding that is not settled yet is not in it. */
  readonly collateral: bigint;
  /** By market id. */
  readonly positions: readonly HeldPosition[];
  /** By order id. */
  readonly openOrders: readonly OpenOrder[];
  /** Since it is followed, the newest last; at most as many as are kept. */
  readonly fills: readonly AccountFill[];
  /** Blocks whose fills are not among them because nobody can tell them. */
  readonly gaps: readonly LostGap[];
}

/** Why a view is another one than before. */
export type AccountChange =
  | { readonly kind: 'status'; readonly status: AccountStatus }
  /**
   * The account was read from the chain: at the beginning, and behind lost blocks. The first one has the fills and the funding of the
   * blocks from `fillsFrom` on, the oldest first, and those of these blocks that nobody can tell any more.
   */
  | {
      readonly kind: 'snapshot';
      readonly blockNumber: bigint;
      readonly fills: readonly AccountFill[];
      readonly funding: readonly FundingPayment[];
      readonly gaps: readonly LostGap[];
    }
  | (BlockPosition & {
      readonly kind: 'block';
      readonly fills: readonly AccountFill[];
      readonly funding: readonly FundingPayment[];
      readonly orders: readonly OrderUpdate[];
    })
  /** What was followed was wrong; the chain's version was taken. It is told as an error, too. */
  | { readonly kind: 'corrected'; readonly blockNumber: bigint; readonly differences: readonly AccountDifference[] }
  | { readonly kind: 'gap'; readonly gap: LostGap };

/** Whose account is followed, who is told, and how often it is compared with the chain. */
export interface LocalAccountStateParameters {
  readonly address: Address;
  readonly onChange?: ((view: AccountView, change: AccountChange) => void) | undefined;
  /** Connections that end, disagreements with the chain (`STREAM_ACCOUNT_DISAGREES`), and whatever else goes wrong. */
  readonly onError?: ((error: StreamError) => void) | undefined;
  /** First block whose fills and funding are told, with the first snapshot. Default: the block behind that snapshot. */
  readonly fillsFrom?: bigint | undefined;
  /** Fills that are kept. Default 1 000. */
  readonly fillsMax?: number | undefined;
  /** It is compared with the chain after each gap, and besides whenever so many blocks came; null: not besides. Default 100. */
  readonly reconcileBlocks?: number | null | undefined;
}

/** An account that is followed. */
export interface LocalAccountState {
  readonly address: Address;
  readonly current: AccountView;
  /** @returns what ends it */
  onChange(listener: (view: AccountView, change: AccountChange) => void): () => void;
  /** The view as soon as it is sure. @throws StreamError when the state has ended */
  whenSure(): Promise<AccountView>;
  /** Nothing changes any more. */
  stop(): void;
}

interface Step extends LedgerStep {
  readonly position: BlockPosition;
}

/** What blocks before the first snapshot held. */
interface Earlier {
  readonly fills: AccountFill[];
  readonly funding: FundingPayment[];
  readonly gaps: LostGap[];
}

const nothingEarlier: Earlier = { fills: [], funding: [], gaps: [] };

const gapsMax = 100;

class FollowedAccount implements LocalAccountState {
  readonly address: Address;
  readonly #parameters: LocalAccountStateParameters;
  readonly #feed: Feed<readonly DomainEventOf[], Step>;
  readonly #listeners = new Set<(view: AccountView, change: AccountChange) => void>();
  readonly #waiting: {
    readonly resolve: (view: AccountView) => void;
    readonly reject: (error: StreamError) => void;
  }[] = [];
  #treasury: Address | null | undefined;
  #ledger: Ledger | null = null;
  #isFresh = false;
  /** Told with the first snapshot; null before it was fetched. */
  #earlier: Earlier | null = null;
  #status: AccountStatus = 'syncing';
  #fills: readonly AccountFill[] = [];
  #gaps: readonly LostGap[] = [];
  #reconciler: Reconciler | null = null;
  #blocksSince = 0;
  #link: Link | null = null;
  #view: AccountView | null = null;

  constructor(client: StreamsClient, parameters: LocalAccountStateParameters) {
    this.address = parameters.address.toLowerCase() as Address;
    this.#parameters = parameters;
    this.#feed = new Feed({
      session: sessionOf(client),
      source: this.#source(),
      fromBlock: null,
      // The listeners are not waited for, so nothing ever waits here.
      queueMax: Number.MAX_SAFE_INTEGER,
      onEntry: (entry) => this.#onEntry(entry),
      onOverflow: () => undefined,
      onError: (error) => this.#tellError(error),
      onStatus: (status) => this.#onFeedStatus(status),
      onCaughtUp: (link) => this.#onCaughtUp(link),
      onHead: () => this.#onHead(),
    });
  }

  start(): void {
    this.#feed.start();
  }

  get current(): AccountView {
    const ledger = this.#ledger;
    this.#view ??= {
      address: this.address,
      status: this.#status,
      blockNumber: ledger === null ? null : bigintMax(ledger.blockNumber, this.#feed.cursor ?? 0n),
      collateral: ledger?.collateral ?? 0n,
      positions: [...(ledger?.positions.values() ?? [])].toSorted((a, b) => a.marketId - b.marketId),
      openOrders: [...(ledger?.orders.values() ?? [])].toSorted((a, b) => a.orderId - b.orderId),
      fills: this.#fills,
      gaps: this.#gaps,
    };
    return this.#view;
  }

  onChange(listener: (view: AccountView, change: AccountChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  whenSure(): Promise<AccountView> {
    if (this.#status === 'sure') return Promise.resolve(this.current);
    if (this.#status === 'ended') return Promise.reject(streamsClosed());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  stop(): void {
    this.#feed.stop();
    this.#onFeedStatus('ended');
  }

  /** What the feed asks for depends on whether the account is the one that fees go to, which no event of fees names. */
  #source(): FeedSource<readonly DomainEventOf[], Step> {
    const own = eventsSource({ domain: 'orders', address: this.address });
    const all = eventsSource({ domain: 'orders' });
    const current = (): typeof own => (this.#treasury === this.address ? all : own);
    return {
      kind: own.kind,
      get options(): Json {
        return current().options;
      },
      get filters() {
        return current().filters;
      },
      read: own.read,
      prepare: async (link) => {
        // A vote may have changed it since the last connection.
        this.#treasury = await readTreasury(link);
      },
      snapshot: async (link) => {
        const ledger = await readLedger(link, this.address);
        this.#earlier ??= await this.#readEarlier(link, own.filters, ledger.blockNumber);
        this.#ledger = ledger;
        this.#isFresh = true;
        this.#reconciler = null;
        return ledger.blockNumber;
      },
      convert: (block) => [this.#step(block)],
    };
  }

  async #readEarlier(link: Link, filters: readonly DomainEventFilter[], to: bigint): Promise<Earlier> {
    const { fillsFrom = to + 1n } = this.#parameters;
    const found: Earlier = { fills: [], funding: [], gaps: [] };
    for await (const part of history(link, filters, { from: fillsFrom, to }))
      if (part.kind === 'lost') found.gaps.push(part.gap);
      else
        for (const { events } of part.blocks) {
          found.fills.push(...accountFills(events, this.address));
          found.funding.push(...accountFunding(events, this.address));
        }
    return found;
  }

  #step(block: FeedBlock<readonly DomainEventOf[]>): Step {
    const { blockNumber, blockHash, timeMs } = block;
    const position = { blockNumber, blockHash, timeMs };
    const events = 'live' in block ? block.live : block.events;
    const step = stepLedger(this.#ledger!, events, position, this.#followed());
    this.#ledger = step.ledger;
    this.#reconciler?.take(position, events);
    return { ...step, position };
  }

  #followed(): { readonly address: Address; readonly treasury: Address | null } {
    return { address: this.address, treasury: this.#treasury ?? null };
  }

  #onEntry(entry: FeedEntry<Step>): void {
    if (entry.kind === 'gap') {
      this.#keep([], [entry.gap]);
      return this.#tell({ kind: 'gap', gap: entry.gap });
    }
    for (const { fills, funding, orders, differences, position } of entry.items) {
      this.#keep(fills, []);
      this.#tell({ kind: 'block', ...position, fills, funding, orders });
      if (differences.length > 0) {
        this.#tellError(disagreement(this.address, position.blockNumber, differences));
        this.#setStatus('unsure');
        this.#reconcile();
      }
    }
    this.#checkReconciliation();
  }

  #keep(fills: readonly AccountFill[], gaps: readonly LostGap[]): void {
    const { fillsMax = 1_000 } = this.#parameters;
    if (fills.length > 0) this.#fills = [...this.#fills, ...fills].slice(-fillsMax);
    if (gaps.length > 0) this.#gaps = [...this.#gaps, ...gaps].slice(-gapsMax);
  }

  #onFeedStatus(status: StreamStatus): void {
    if (status === 'ended') {
      this.#setStatus('ended');
      for (const { reject } of this.#waiting.splice(0)) reject(streamsClosed());
    } else if (status !== 'live') {
      this.#link = null;
      this.#reconciler = null;
      if (this.#ledger !== null) this.#setStatus('unsure');
    }
  }

  /** The stream told everything: what was read from the chain just now is sure, what was followed over a gap is compared first. */
  #onCaughtUp(link: Link): void {
    this.#link = link;
    if (!this.#isFresh) return this.#reconcile();
    this.#isFresh = false;
    this.#blocksSince = 0;
    const { fills, funding, gaps } = this.#earlier ?? nothingEarlier;
    this.#earlier = nothingEarlier;
    this.#keep(fills, gaps);
    this.#tell({ kind: 'snapshot', blockNumber: this.#ledger!.blockNumber, fills, funding, gaps });
    this.#setStatus('sure');
  }

  #onHead(): void {
    this.#view = null;
    this.#blocksSince++;
    const { reconcileBlocks = 100 } = this.#parameters;
    if (reconcileBlocks !== null && this.#blocksSince >= reconcileBlocks) this.#reconcile();
    this.#checkReconciliation();
  }

  #reconcile(): void {
    const link = this.#link;
    if (link === null || this.#ledger === null || this.#reconciler !== null) return;
    this.#blocksSince = 0;
    const reconciler = new Reconciler(this.#ledger, this.#followed());
    this.#reconciler = reconciler;
    readLedger(link, this.address).then(
      (chain) => {
        reconciler.answer(chain);
        this.#checkReconciliation();
      },
      (thrown: unknown) => {
        if (this.#reconciler !== reconciler || this.#link !== link) return;
        this.#reconciler = null;
        // Once more with the next block; until then it stays unsure where it was.
        this.#blocksSince = this.#parameters.reconcileBlocks ?? 0;
        if (link.isOpen) this.#tellError(toStreamError(thrown));
        if (this.#status === 'unsure') link.fail(toStreamError(thrown));
      },
    );
  }

  #checkReconciliation(): void {
    const found = this.#reconciler?.check(this.#feed.cursor ?? -1n);
    if (found === undefined || found.kind === 'wait') return;
    this.#reconciler = null;
    if (found.kind === 'corrected') {
      this.#ledger = found.ledger;
      const { blockNumber } = found.ledger;
      this.#tellError(disagreement(this.address, blockNumber, found.differences));
      this.#tell({ kind: 'corrected', blockNumber, differences: found.differences });
    }
    this.#setStatus('sure');
  }

  #setStatus(status: AccountStatus): void {
    if (this.#status === status || this.#status === 'ended') return;
    this.#status = status;
    this.#tell({ kind: 'status', status });
    if (status === 'sure') for (const { resolve } of this.#waiting.splice(0)) resolve(this.current);
  }

  #tell(change: AccountChange): void {
    this.#view = null;
    const view = this.current;
    for (const listener of [this.#parameters.onChange, ...this.#listeners])
      try {
        listener?.(view, change);
      } catch (thrown) {
        this.#tellError(new StreamError('A listener of an account threw.', { code: 'STREAM_HANDLER_FAILED' }, thrown));
      }
  }

  #tellError(error: StreamError): void {
    this.#parameters.onError?.(error);
  }
}

const disagreement = (address: Address, blockNumber: bigint, differences: readonly AccountDifference[]): StreamError =>
  new StreamError(`The account of ${address} is not what was followed, at block ${blockNumber}.`, {
    code: 'STREAM_ACCOUNT_DISAGREES',
    address,
    blockNumber,
    differences,
  });

/** The account that gets a part of all fees now; null on networks without one. */
async function readTreasury(link: Link): Promise<Address | null> {
  const parameters = toObject(await link.request('prime_getParameters', []), 'parameters');
  const fees = toObject(parameters['clob'], 'clob')['fees'];
  if (fees === undefined || fees === null) return null;
  const treasury = toObject(fees, 'fees')['treasury'];
  return typeof treasury === 'string' ? (treasury.toLowerCase() as Address) : null;
}

/**
 * Follows orders, fills, positions and collateral of an account: read from the chain once, kept by what blocks tell, and compared with the
 * chain after each gap. `status` says when it is sure.
 */
export function createLocalAccountState(
  client: StreamsClient,
  parameters: LocalAccountStateParameters,
): LocalAccountState {
  const account = new FollowedAccount(client, parameters);
  account.start();
  return account;
}
