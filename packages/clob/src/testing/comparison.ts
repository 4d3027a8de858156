import { compareStrings } from '@prime/primitives';
import type { SideIndex } from '../book/orderPool.ts';
import { fundingIndexOf, type Market } from '../state/markets.ts';
import type { ClobState } from '../state/state.ts';
import { engineFree } from './invariants.ts';

/** What an engine is compared by with the model, in the form that the model's own view has (`packages/model/src/view.ts`). */
interface Inside {
  readonly state: ClobState;
}

/**
 * Wei that are in no account, marks, and the next numbers.
 *
 * @param escrow of 0x…0100 @param paid to accounts of the EVM since genesis
 */
export const moneyOf = ({ state }: Inside, escrow: bigint, paid: Readonly<Record<string, bigint>>): unknown => ({
  insurance: state.globals.insurance,
  escrow,
  paid: Object.entries(paid).sort(([a], [b]) => compareStrings(a, b)),
  queued: state.transfers.total,
  pool: [state.globals.funding?.pool ?? 0n, state.globals.funding?.dust ?? 0n],
  marks: state.markets.map(({ markPrice, tradeBlocks, status }) => [markPrice, tradeBlocks, status]),
  debts: state.markets.map(({ profitPool, debt }) => [profitPool, debt]),
  next: [state.globals.nextOrderId, state.globals.nextTradeId, state.globals.nextTransferId],
});

/** Ids of the orders of a side, in the order in which a taker meets them. */
export function queueIn({ state }: Inside, market: Market, side: SideIndex): number[] {
  return [...market.book.orders(side)].map((handle) => state.orders.id[handle]!);
}

/** What waits for marks, by id: since when its turn comes, and how far the mark had passed it. */
export const triggersIn = ({ state }: Inside): unknown =>
  [...state.triggers.byId.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, account, triggerPrice, size, queued, attached }) => [
      id,
      account.address,
      triggerPrice,
      size,
      queued === null ? null : [queued.height, queued.distance],
      attached?.orderId ?? 0,
      attached?.isOpen === true,
    ]);

/** Who may sign what, and which nonces are used. */
export const authorityOf = ({ state }: Inside): unknown => ({
  locked: state.accounts.flatMap(({ address, locked }) => (locked ? [address] : [])).sort(compareStrings),
  agents: [...state.agents.values()]
    .flatMap((ofAccount) => [...ofAccount.values()])
    .map(({ account, agent, expiry, permissions, revoked }) => [`${account} ${agent}`, expiry, permissions, revoked])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  subAccounts: state.accounts
    .flatMap(({ address, subAccount }) => (subAccount === null ? [] : [[address, subAccount.owner, subAccount.index]]))
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  proposals: [...state.proposals.values()]
    .map(({ proposal, isPassed, votes }) => [proposal, isPassed, votes.map(({ validator, yes }) => [validator, yes])])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  params: Object.fromEntries(Object.entries(state.params).filter(([, value]) => value !== undefined)),
  schedules: [...state.schedules.timeOf].sort(([a], [b]) => compareStrings(a, b)),
  nonces: [...state.signerNonces].sort(([a], [b]) => compareStrings(a, b)),
});

/** Everything that a client could see of the accounts that have something. */
export function accountsOf({ state }: Inside): unknown {
  return state.accounts
    .map(({ address, collateral, exposures }) => ({
      address,
      collateral,
      claims: exposures.filter(({ claim }) => claim !== 0n).map(({ marketId, claim }) => [marketId, claim]),
      positions: exposures
        .filter(({ size }) => size !== 0n)
        .map(({ marketId, size, entry, fundingIndex }) => ({
          marketId,
          size,
          entry,
          owed: -size * (fundingIndexOf(state.market(marketId)!) - fundingIndex),
        })),
      free: engineFree(state, address),
    }))
    .filter(({ collateral, positions, claims }) => collateral !== 0n || positions.length > 0 || claims.length > 0)
    .sort((a, b) => compareStrings(a.address, b.address));
}
