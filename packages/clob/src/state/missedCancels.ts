import {
  type ActionPayload,
  type ActionResult,
  type ContractAction,
  type ContractPayload,
  type VerifiedAction,
  isRefusedFor,
} from '@prime/codec';
import type { Address } from '@prime/primitives';

/**
 * Cancels by client id that came before their order.
 *
 * A block's cancels run first, so one that was sent behind its order runs before it when both get into one block. It is not refused then: it waits, and is
 * carried out right behind the action that brings the order to rest, before anybody else can meet it. When no such order came it is refused at the end of
 * the block. A contract's writes have an order of their own: a cancel of it takes out only what it sent before.
 */

/** Whose cancel it is, and so where its answer goes. */
type MissedOrigin =
  | { readonly kind: 'action'; readonly index: number; readonly action: VerifiedAction }
  /** Of a batch that only cancels: the batch is answered already, and what is put into its results counts. */
  | { readonly kind: 'item'; readonly index: number | null; readonly results: ActionResult[]; readonly at: number }
  | { readonly kind: 'contract'; readonly action: ContractAction };

/** A cancel that waits for an order with its client id until the end of the block. */
export interface MissedCancel {
  readonly account: Address;
  readonly clientId: string;
  /** null: in any market. */
  readonly marketId: number | null;
  readonly origin: MissedOrigin;
}

/** Of the open block, in the order in which they ran. */
export class MissedCancels {
  /** null where one was carried out. */
  readonly #all: (MissedCancel | null)[] = [];
  /** Places by account and client id, ascending. */
  readonly #places = new Map<string, number[]>();

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  note(missed: MissedCancel): void {
    const key = missed.account + missed.clientId;
    const place = this.#all.push(missed) - 1;
    const known = this.#places.get(key);
    if (known === undefined) this.#places.set(key, [place]);
    else known.push(place);
  }

  /** Takes out the oldest one that an order of the account answers to; null where there is none. */
  take(account: Address, clientId: string, order: Brought): MissedCancel | null {
    const key = account + clientId;
    const places = this.#places.get(key) ?? [];
    const at = places.findIndex((place) => isMeant(this.#all[place]!, order));
    if (at < 0) return null;
    const [place] = places.splice(at, 1) as [number];
    if (places.length === 0) this.#places.delete(key);
    const missed = this.#all[place]!;
    this.#all[place] = null;
    return missed;
  }

  /** Takes out all. */
  drain(): MissedCancel[] {
    const all = this.#all.filter((missed) => missed !== null);
    this.clear();
    return all;
  }

  clear(): void {
    this.#all.length = 0;
    this.#places.clear();
  }
}

/** An order that came to rest. */
interface Brought {
  readonly marketId: number;
  /** Of the contract's write that brought it; null for an action's. */
  readonly ticket: number | null;
}

function isMeant({ marketId, origin }: MissedCancel, order: Brought): boolean {
  if (marketId !== null && marketId !== order.marketId) return false;
  return origin.kind !== 'contract' || (order.ticket !== null && order.ticket < origin.action.ticket);
}

type ByClientId = Extract<ActionPayload | ContractPayload, { readonly type: 'cancelByClientId' }>;

/** Whether an answer is that of a cancel by client id that found no order. */
export const isMissed = (payload: ActionPayload | ContractPayload, result: ActionResult): payload is ByClientId =>
  payload.type === 'cancelByClientId' && isRefusedFor(result, 'CLOB_UNKNOWN_CLIENT_ID');

/** A cancel that found nothing. */
export const missedCancel = (account: Address, payload: ByClientId, origin: MissedOrigin): MissedCancel => ({
  account,
  clientId: payload.clientId,
  marketId: 'marketId' in payload ? payload.marketId : null,
  origin,
});

const cancelTypes: ReadonlySet<ActionPayload['type']> = new Set(['cancel', 'cancelByClientId', 'cancelAll']);

/** Whether a batch takes orders out and does nothing else: it runs with the cancels of its block. */
export const onlyCancels = (items: readonly ActionPayload[]): boolean =>
  items.length > 0 && items.every(({ type }) => cancelTypes.has(type));

/**
 * Notes the items of a batch that found nothing. Only those of a batch of nothing but cancels wait: the items of any other are meant one after the other, and a
 * cancel in front of the order that is to replace its target must not take out the new one.
 */
export function noteMissedItems(
  missed: MissedCancels,
  account: Address,
  batch: { readonly index: number | null; readonly items: readonly ActionPayload[]; readonly results: ActionResult[] },
): void {
  const { index, items, results } = batch;
  if (!onlyCancels(items)) return;
  for (const [at, item] of items.entries())
    if (isMissed(item, results[at]!)) missed.note(missedCancel(account, item, { kind: 'item', index, results, at }));
}
