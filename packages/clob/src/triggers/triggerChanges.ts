import type { OrderEnd } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { AccountTriggers } from './accountTriggers.ts';
import { expiryKey } from '../book/sortedIndex.ts';
import { buySide, sellSide } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';
import { goesWithPosition, MarketTriggers, type Trigger } from './triggers.ts';

/** Changes of triggers, each with its undo. */

/** Takes a new trigger in. */
export function addTrigger(state: ClobState, trigger: Trigger): void {
  link(state, trigger);
  state.triggers.dirty.add(trigger.id);
  state.journal.push(() => unlink(state, trigger));
}

/** Puts a trigger in the place of one with the same id. */
export function replaceTrigger(state: ClobState, before: Trigger, after: Trigger): void {
  unlink(state, before);
  link(state, after);
  state.triggers.dirty.add(after.id);
  state.journal.push(() => {
    unlink(state, after);
    link(state, before);
  });
}

/** Takes a trigger out and remembers how it ended. */
export function removeTrigger(state: ClobState, trigger: Trigger, end: OrderEnd): void {
  unlink(state, trigger);
  state.triggers.dirty.add(trigger.id);
  state.journal.push(() => link(state, trigger));
  const { id, marketId, account, side, limitPrice, size, tif, clientId, createdBlock, expiresAt } = trigger;
  const { kind, triggerPrice } = trigger;
  state.memory.note({
    orderId: id,
    marketId,
    owner: account,
    side: side === 'buy' ? buySide : sellSide,
    price: limitPrice,
    size,
    tif: tif === 'gtc' ? 0 : 1,
    end,
    filled: 0n,
    remaining: size,
    clientId,
    createdBlock,
    expiresAt,
    trigger: { kind, triggerPrice },
  });
}

/** Enters a trigger into the lists; not in the journal: for {@link addTrigger} and for restoring. */
export function link({ triggers }: ClobState, trigger: Trigger): void {
  const { id, marketId, account, clientId, expiresAt, attached } = trigger;
  triggers.byId.set(id, trigger);
  let ofMarket = triggers.ofMarket.get(marketId);
  if (ofMarket === undefined) triggers.ofMarket.set(marketId, (ofMarket = new MarketTriggers()));
  ofMarket.insert(trigger);
  if (expiresAt !== 0) triggers.expiries.insert(expiryKey(expiresAt, id), id);
  if (trigger.queued !== null) triggers.queued++;
  if (attached?.isOpen === true) {
    const ofOrder = triggers.ofOrder.get(attached.orderId);
    if (ofOrder === undefined) triggers.ofOrder.set(attached.orderId, new Set([id]));
    else ofOrder.add(id);
  }
  const own = (account.triggers ??= new AccountTriggers());
  own.ids.add(id);
  if (clientId !== null) own.byClientId.set(clientId, id);
  if (goesWithPosition(trigger)) own.ofPosition++;
}

function unlink({ triggers }: ClobState, trigger: Trigger): void {
  const { id, marketId, account, clientId, expiresAt, attached } = trigger;
  triggers.byId.delete(id);
  triggers.ofMarket.get(marketId)!.remove(trigger);
  if (expiresAt !== 0) triggers.expiries.remove(expiryKey(expiresAt, id));
  if (trigger.queued !== null) triggers.queued--;
  if (attached?.isOpen === true) {
    const ofOrder = triggers.ofOrder.get(attached.orderId)!;
    ofOrder.delete(id);
    if (ofOrder.size === 0) triggers.ofOrder.delete(attached.orderId);
  }
  const own = account.triggers!;
  own.ids.delete(id);
  if (clientId !== null) own.byClientId.delete(clientId);
  if (goesWithPosition(trigger)) own.ofPosition--;
}

/** Triggers of an account by id. */
export function triggersOf({ triggers }: ClobState, account: Account | undefined): Trigger[] {
  const ids = account?.triggers?.ids;
  if (ids === undefined || ids.size === 0) return [];
  return [...ids].sort((a, b) => a - b).map((id) => triggers.byId.get(id)!);
}

/** The trigger of an account with a client id. */
export function triggerNamed(
  { triggers }: ClobState,
  account: Account | undefined,
  clientId: string,
): Trigger | undefined {
  const id: OrderId | undefined = account?.triggers?.byClientId.get(clientId);
  return id === undefined ? undefined : triggers.byId.get(id);
}
