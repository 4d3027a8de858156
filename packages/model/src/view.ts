import { compareStrings } from '@prime/primitives';
import type { Model } from './model.ts';
import { type ModelOrder, ordersThat } from './state.ts';

/** What the model is compared by with whoever else has the same state, as plain data in one order. */

/** Orders that rest, by id: of one account, or all. */
export const openOrders = ({ state }: Model, account: string | null = null): ModelOrder[] =>
  ordersThat(state, ({ owner }) => account === null || owner === account).sort((a, b) => a.id - b.id);

/** Wei that are in no account, marks, and the next numbers. */
export const modelMoney = ({ state }: Model): unknown => ({
  insurance: state.insurance,
  escrow: state.escrow,
  paid: Object.entries(state.paid).sort(([a], [b]) => compareStrings(a, b)),
  queued: state.transfers.reduce((sum, { amount }) => sum + amount, 0n),
  pool: [state.pool, state.dust],
  marks: state.markets.map(({ mark, tradeBlocks, status }) => [mark, tradeBlocks, status]),
  debts: state.markets.map(({ pool, debt }) => [pool, debt]),
  next: [state.nextOrder, state.nextTrade, state.nextTransfer],
});

/** What waits for marks, by id: since when its turn comes, and how far the mark had passed it. */
export const modelTriggers = ({ state }: Model): unknown =>
  [...state.triggers.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, owner, fields: { triggerPrice, size }, since, passed, parent }) => [
      id,
      owner,
      triggerPrice,
      size,
      since === null ? null : [since, passed],
      parent,
      state.orders.has(parent),
    ]);

/** Who may sign what, and which nonces are used. */
export const modelAuthority = ({ state }: Model): unknown => ({
  locked: state.locked,
  agents: Object.entries(state.agents)
    .map(([place, { expiry, permissions, revoked }]) => [place, expiry, permissions, revoked])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  subAccounts: Object.entries(state.subAccounts)
    .map(([address, { owner, index }]) => [address, owner, index])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  proposals: Object.entries(state.proposals)
    .map(([hash, { passed, votes }]) => [hash, passed, Object.entries(votes).sort(([a], [b]) => compareStrings(a, b))])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  params: Object.fromEntries(Object.entries(state.params).filter(([, value]) => value !== undefined)),
  schedules: Object.entries(state.schedules).sort(([a], [b]) => compareStrings(a, b)),
  nonces: Object.entries(state.nonces).sort(([a], [b]) => compareStrings(a, b)),
});

/** Everything that a client could see of the accounts that have something. */
export function modelAccounts(model: Model): unknown {
  return Object.entries(model.state.accounts)
    .map(([address, { collateral, positions, claims }]) => ({
      address,
      collateral,
      claims: Object.entries(claims).map(([id, wei]) => [Number(id), wei]),
      positions: Object.entries(positions).map(([marketId, position]) => ({ marketId: Number(marketId), ...position })),
      free: model.free(address),
    }))
    .filter(({ collateral, positions, claims }) => collateral !== 0n || positions.length > 0 || claims.length > 0)
    .sort((a, b) => compareStrings(a.address, b.address));
}

/** Values of plain data as text; keys in one order, so that only the content counts. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => {
    if (typeof entry === 'bigint') return `${entry}n`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => compareStrings(a, b)));
  });
