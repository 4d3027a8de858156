import { compareStrings } from '@prime/primitives';
import { fundingIndexOf } from '../funding.ts';
import type { ClobState } from '../state.ts';
import { engineFree } from './invariants.ts';
import type { Model } from './model.ts';

/** What an engine and the model are compared by, in one form for both. */
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
  paid: sorted(paid),
  queued: state.transfers.total,
  pool: [state.globals.funding?.pool ?? 0n, state.globals.funding?.dust ?? 0n],
  marks: state.markets.map(({ markPrice, tradeBlocks }) => [markPrice, tradeBlocks]),
  next: [state.globals.nextOrderId, state.globals.nextTradeId, state.globals.nextTransferId],
});

/** {@link moneyOf} of the model. */
export const modelMoney = ({ state }: Model): unknown => ({
  insurance: state.insurance,
  escrow: state.escrow,
  paid: sorted(state.paid),
  queued: state.transfers.reduce((sum, { amount }) => sum + amount, 0n),
  pool: [state.pool, state.dust],
  marks: state.markets.map(({ mark, tradeBlocks }) => [mark, tradeBlocks]),
  next: [state.nextOrder, state.nextTrade, state.nextTransfer],
});

const sorted = (of: Readonly<Record<string, bigint>>): [string, bigint][] =>
  Object.entries(of).sort(([a], [b]) => compareStrings(a, b));

/** Who may sign what, and which nonces are used. */
export const authorityOf = ({ state }: Inside): unknown => ({
  locked: state.accounts.flatMap(({ address, locked }) => (locked ? [address] : [])).sort(compareStrings),
  agents: [...state.agents.values()]
    .flatMap((ofAccount) => [...ofAccount.values()])
    .map(({ account, agent, expiry, permissions, revoked }) => [`${account} ${agent}`, expiry, permissions, revoked])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  nonces: [...state.signerNonces].sort(([a], [b]) => compareStrings(a, b)),
});

/** {@link authorityOf} of the model. */
export const modelAuthority = ({ state }: Model): unknown => ({
  locked: state.locked,
  agents: Object.entries(state.agents)
    .map(([place, { expiry, permissions, revoked }]) => [place, expiry, permissions, revoked])
    .sort(([a], [b]) => compareStrings(String(a), String(b))),
  nonces: Object.entries(state.nonces).sort(([a], [b]) => compareStrings(a, b)),
});

/** Everything that a client could see of the accounts that have something. */
export function accountsOf({ state }: Inside): unknown {
  return state.accounts
    .map(({ address, collateral, exposures }) => ({
      address,
      collateral,
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
    .filter(({ collateral, positions }) => collateral !== 0n || positions.length > 0)
    .sort((a, b) => compareStrings(a.address, b.address));
}

/** {@link accountsOf} of the model. */
export function modelAccounts(model: Model): unknown {
  return Object.entries(model.state.accounts)
    .map(([address, { collateral, positions }]) => ({
      address,
      collateral,
      positions: Object.entries(positions).map(([marketId, position]) => ({ marketId: Number(marketId), ...position })),
      free: model.free(address),
    }))
    .filter(({ collateral, positions }) => collateral !== 0n || positions.length > 0)
    .sort((a, b) => compareStrings(a.address, b.address));
}

/** Values of plain data as text; keys in one order, so that only the content counts. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => {
    if (typeof entry === 'bigint') return `${entry}n`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return entry;
    return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => compareStrings(a, b)));
  });
