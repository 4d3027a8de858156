import type { OrderFields } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { fundingUnit } from './funding.ts';
import type { ModelExtra } from './margin/margin.ts';
import { floor, margin, type ModelOrder, type RulesHost } from './state.ts';

/** What judging a fill needs of the model's other rules. */
interface FillHost extends RulesHost {
  readonly fees: { most(notional: bigint): bigint; mostOfMaker(notional: bigint): bigint };
  free(owner: string, extra: ModelExtra, withMargin: boolean): bigint;
  fill(owner: Address, market: number, quantity: bigint, price: bigint): void;
}

/** Whether a fill leaves its account what it needs. @param equity before it */
export function mayTrade(
  host: FillHost,
  maker: Pick<ModelOrder, 'owner' | 'market' | 'buy' | 'price'>,
  quantity: bigint,
  equity: bigint,
): boolean {
  const held = host.account(maker.owner).positions[maker.market]?.size ?? 0n;
  const reduces = (maker.buy ? -held : held) >= quantity;
  const { mark: fair } = host.state.markets[maker.market - 1]!;
  const isFair = fair === null || (maker.buy ? maker.price <= fair : maker.price >= fair);
  if (reduces && isFair && equity >= 0n) return true;
  const { state, undo } = host;
  const mark = undo.mark();
  const events = host.events.length;
  host.fill(maker.owner, maker.market, maker.buy ? quantity : -quantity, maker.price);
  const { collateral, positions } = host.account(maker.owner);
  let slack = collateral;
  for (const [id, { size, entry, owed }] of Object.entries(positions)) {
    slack += floor(owed, fundingUnit);
    const market = state.markets[Number(id) - 1]!;
    const price = market.mark ?? (Number(id) === maker.market ? maker.price : market.last!);
    slack += size > 0n ? size * price - entry : entry + size * price;
    if (!reduces) slack -= margin(state, Number(id), 'initialMarginBps', size, price);
  }
  undo.back(mark);
  host.events.length = events;
  return slack >= (reduces ? 0n : host.fees.mostOfMaker(maker.price * quantity));
}

interface Asked {
  readonly fields: OrderFields;
  readonly size: bigint;
  /** Whether it can only reduce. */
  readonly reduces: boolean;
  readonly equity: bigint;
}

/** Whether an account can not pay for an order of that size at its limit. */
export function isShort(host: FillHost, owner: Address, { fields, size, reduces, equity }: Asked): boolean {
  const { marketId: market, side, price } = fields;
  const buy = side === 'buy';
  const { mark, last } = host.state.markets[market - 1]!;
  const fair = mark ?? last;
  const gives = fair !== null && (buy ? price > fair : price < fair);
  if (reduces && !gives && equity >= 0n) return false;
  return host.free(owner, { market, buy, price, size }, !reduces) < (reduces ? 0n : host.fees.most(price * size));
}
