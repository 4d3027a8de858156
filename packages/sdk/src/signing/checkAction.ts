import { batchItemsMax } from '@prime/codec';
import { BatchSizeError, InvalidActionError } from '../errors/own.ts';
import type { Action } from '../types/action.ts';
import type { OrderRequest, TriggerRequest } from '../types/order.ts';

/** Most items of a batch. */
export const batchSizeMax: number = batchItemsMax;

/** Latest time in seconds, of the year 5138: what is above it can only be milliseconds. */
const latestSeconds = 100_000_000_000;
/** What may stand in a batch. */
const batchTypes: ReadonlySet<string> = new Set([
  'order',
  'cancel',
  'cancelByClientId',
  'cancelAll',
  'modify',
  'trigger',
]);

function positive(field: string, value: bigint): void {
  if (value <= 0n) throw new InvalidActionError(field, `has to be above zero, not ${value}`);
}

function checkOrder(order: OrderRequest): void {
  const { price, size, tif = 'gtc', postOnly, reduceOnly, expiresAtSeconds = 0, stop, takeProfit } = order;
  if (postOnly === true && tif !== 'gtc') throw new InvalidActionError('postOnly', 'is for gtc orders only');
  positive('price', price);
  positive('size', size);
  if (expiresAtSeconds > latestSeconds)
    throw new InvalidActionError('expiresAtSeconds', `is in seconds, and ${expiresAtSeconds} is in milliseconds`);
  for (const [name, leg] of Object.entries({ stop, takeProfit })) {
    if (leg === undefined) continue;
    positive(name, leg.triggerPrice);
    if (reduceOnly === true) throw new InvalidActionError(name, 'is for orders that are not reduce-only');
  }
}

function checkTrigger({ triggerPrice, limitPrice = 0n, size, tif, expiresAtSeconds = 0 }: TriggerRequest): void {
  positive('triggerPrice', triggerPrice);
  if (size !== 'position') positive('size', size);
  if (tif === 'gtc' && limitPrice === 0n) throw new InvalidActionError('tif', 'is ioc where there is no limit');
  if (expiresAtSeconds > latestSeconds)
    throw new InvalidActionError('expiresAtSeconds', `is in seconds, and ${expiresAtSeconds} is in milliseconds`);
}

/**
 * Refuses what has an encoding and would still be refused by every node, so that neither a nonce nor a block is used for it.
 *
 * @throws InvalidActionError, BatchSizeError
 */
export function checkAction(action: Action): void {
  if (action.type === 'order') checkOrder(action);
  else if (action.type === 'trigger') checkTrigger(action);
  else if ('amount' in action) positive('amount', action.amount);
  else if ('stake' in action) positive('stake', action.stake);
  else if (action.type === 'batch') {
    const { items } = action;
    if (items.length < 1 || items.length > batchSizeMax) throw new BatchSizeError(items.length, batchSizeMax);
    for (const item of items) {
      if (!batchTypes.has(item.type))
        throw new InvalidActionError('items', `hold orders, triggers, cancels and modifies, not ${String(item.type)}`);
      checkAction(item);
    }
  }
}
