import type { ModelHost } from '../matching.ts';
import { fundingUnit } from '../funding.ts';
import { floor, max, min, type ModelMarket, profitOf } from '../state.ts';

/** The rules of docs/protocol/clob.md, Claims, on losses that are settled at the index, one market after the other. */
export function settleLosses(host: ModelHost): void {
  const { state, params } = host;
  for (const [place, market] of state.markets.entries()) {
    const id = place + 1;
    const index = freshIndex(host, market);
    if (index === null) continue;
    const accounts = Object.keys(state.accounts);
    const unpaid = (): bigint => {
      const claimed = accounts.reduce((sum, address) => sum + max(0n, state.accounts[address]!.claims[id] ?? 0n), 0n);
      return claimed - market.pool - market.debt;
    };
    if (unpaid() <= 0n) continue;
    const unpayable = accounts.reduce(
      (sum, address) => sum + min(lossOf(host, address, id, index), max(0n, -soundWorth(host, address))),
      0n,
    );
    const missing = (): bigint => unpaid() - unpayable;
    const losers = accounts
      .map((address) => ({ address, amount: min(lossOf(host, address, id, index), payable(host, address, id)) }))
      .filter(({ amount }) => amount > 0n)
      .sort((a, b) => (a.amount === b.amount ? (a.address < b.address ? -1 : 1) : a.amount > b.amount ? -1 : 1));
    for (const { address } of losers.slice(0, params.oracle?.settlePerBlock ?? 0)) {
      if (missing() <= 0n) break;
      host.settle(address, id);
      host.claims.takeProfit(address, 0n);
      realizeLoss(host, address, { id, index, most: missing() });
      host.claims.takeProfit(address, 0n);
    }
  }
}

/** The price outside, where it counts: else null. */
function freshIndex({ timeMs }: ModelHost, { oracle, status }: ModelMarket): bigint | null {
  if (oracle === null || status !== 'trading') return null;
  return oracle.staleSince === null && timeMs >= oracle.resumesAt ? oracle.index : null;
}

/** What an account won or lost in a market and is not in its collateral yet, at a price. */
function openWorth({ state }: ModelHost, address: string, id: number, price: bigint): bigint {
  const position = state.accounts[address]!.positions[id];
  return position === undefined ? 0n : profitOf(position, price) + floor(position.owed, fundingUnit);
}

/** What it lost there and did not pay. */
const lossOf = (host: ModelHost, address: string, id: number, index: bigint): bigint =>
  max(0n, -openWorth(host, address, id, index)) + max(0n, -(host.state.accounts[address]!.claims[id] ?? 0n));

/** Own money and all that was won and lost, but without what was won where there is no price from outside. */
function soundWorth(host: ModelHost, address: string): bigint {
  const { claims } = host.state.accounts[address]!;
  return host.state.markets.reduce((sum, market, place) => {
    const id = place + 1;
    const index = freshIndex(host, market);
    const claim = claims[id] ?? 0n;
    if (index !== null) return sum + claim + openWorth(host, address, id, index);
    const price = market.mark ?? market.last;
    return sum + min(0n, claim) + (price === null ? 0n : min(0n, openWorth(host, address, id, price)));
  }, host.claims.own(address));
}

/** What it has for a loss in a market: own money, what it won there, and what it won elsewhere and could have now. */
function payable({ state, claims }: ModelHost, address: string, id: number): bigint {
  const elsewhere = Object.entries(state.accounts[address]!.claims)
    .filter(([other]) => Number(other) !== id)
    .reduce((sum, [other, wei]) => sum + max(0n, min(wei, state.markets[Number(other) - 1]!.pool)), 0n);
  return max(0n, claims.own(address)) + max(0n, state.accounts[address]!.claims[id] ?? 0n) + elsewhere;
}

function realizeLoss(
  host: ModelHost,
  address: string,
  { id, index, most }: { readonly id: number; readonly index: bigint; readonly most: bigint },
): void {
  const { state, undo, events } = host;
  const position = state.accounts[address]!.positions[id];
  if (position === undefined) return;
  const loss = max(0n, -profitOf(position, index));
  const amount = max(0n, [loss, payable(host, address, id), most].reduce(min));
  if (amount === 0n) return;
  host.claims.realize(address, id, -amount);
  undo.add(position, 'entry', position.size > 0n ? -amount : amount);
  events.push(`loss ${address} ${id} ${position.size} ${index} ${amount} ${position.entry}`);
}
