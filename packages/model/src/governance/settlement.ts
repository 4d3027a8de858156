import { realize } from '../margin/claims.ts';
import { compareStrings } from '@prime/primitives';
import type { ModelLiquidator } from '../margin/liquidation.ts';
import type { ModelHost } from '../matching.ts';
import { abs, min, sideOf } from '../state.ts';
import { endTrigger, type TriggerHost } from '../triggers.ts';

/** Orders that a block may end and pairs of positions that it may close, of all markets together. */
const perBlock = 1000;

/** Goes on with what is being settled: orders, bids first, then longs against shorts by address. */
export function settleMarkets(host: TriggerHost, liquidator: ModelLiquidator): void {
  const { state, undo, events } = host;
  let left = perBlock;
  for (const [index, market] of state.markets.entries()) {
    if (market.status !== 'settling') continue;
    const id = index + 1;
    const orders = [...sideOf(state, id, true), ...sideOf(state, id, false)];
    for (const order of orders.slice(0, left)) host.cancel(order, 'settlement');
    left -= Math.min(left, orders.length);
    const waiting = [...state.triggers.values()].filter(({ fields }) => fields.marketId === id);
    for (const trigger of waiting.sort((a, b) => a.id - b.id).slice(0, left)) endTrigger(host, trigger, 'settlement');
    left -= Math.min(left, waiting.length);
    for (; left > 0; left--) {
      const of = (address: string): bigint => state.accounts[address]!.positions[id]?.size ?? 0n;
      const addresses = Object.keys(state.accounts).sort(compareStrings);
      const long = addresses.find((address) => of(address) > 0n);
      const short = addresses.find((address) => of(address) < 0n);
      if (long === undefined || short === undefined) break;
      const size = min(of(long), -of(short));
      close(host, long, id, size);
      close(host, short, id, -size);
      liquidator.settleLoss(long, id);
      liquidator.settleLoss(short, id);
    }
    if (left === 0) return;
    undo.set(market, 'status', 'delisted');
    events.push(`status ${id} delisted ${market.mark}`);
  }
}

/** Closes a part of a position at the price of the settlement. */
function close(host: ModelHost, address: string, id: number, size: bigint): void {
  const { state, undo, events } = host;
  const { mark } = state.markets[id - 1]!;
  host.settle(address, id);
  const account = state.accounts[address]!;
  const position = account.positions[id]!;
  const released = (position.entry * abs(size)) / abs(position.size);
  const money = abs(size) * mark!;
  const amount = size > 0n ? money - released : released - money;
  realize(undo, account, id, amount);
  undo.add(position, 'entry', -released);
  undo.add(position, 'size', -size);
  if (position.size === 0n) undo.remove(account.positions, id);
  events.push(`closed ${address} ${id} ${size} ${mark} ${amount}`);
}
