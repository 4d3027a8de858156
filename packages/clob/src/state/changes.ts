import type { AgentRecord, ClobParams, ProposalRecord, SubAccount } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { Account, exposurePlace, findExposure, noteChanged } from './accounts.ts';
import type { AnyBook } from '../book/book.ts';
import { Exposure } from '../book/exposure.ts';
import type { Globals } from './globals.ts';
import { saveOnce, step } from './journal.ts';
import type { Market } from './markets.ts';
import type { EvmCredit } from '../ports.ts';
import type { ClobState } from './state.ts';

/**
 * Records what changes in the state: each function keeps what an undo needs, and notes which record the change makes dirty. Orders
 * have openOrders.ts; undo.ts takes all of it back.
 */

/** Has wei paid out of escrow to an EVM account at the end of the block. */
export function payOut({ credits, journal }: ClobState, credit: EvmCredit): void {
  credits.push(credit);
  journal.push(() => void credits.pop());
}

/** The counters, about to change. */
export const changeGlobals = ({ journal, globals }: ClobState): Globals => saveOnce(journal, globals);

/** The market, about to change. */
export function changeMarket(state: ClobState, market: Market): Market {
  state.dirtyMarkets.add(market);
  return saveOnce(state.journal, market);
}

/** A price or parameter that margin is computed with changes. */
export function reprice(state: ClobState): void {
  forgetPrices(state);
  state.journal.push(() => forgetPrices(state));
}

/** What was computed with prices is void. */
export function forgetPrices(state: ClobState): void {
  state.pricing++;
  state.regime++;
}

/** Mark prices moved at the end of a block. @param most part by which one of them did, at most */
export function moveMarks(state: ClobState, most: number): void {
  state.pricing++;
  state.drift *= 1 + most * (1 + 2 ** -40) + 2 ** -50;
  // Long before the product is no longer exact enough, everybody is asked anew.
  if (state.drift > 2 ** 20) {
    state.drift = 1;
    state.regime++;
  }
}

/** Gives a market another book with the same orders. */
export function replaceBook(state: ClobState, market: Market, book: AnyBook): void {
  const { book: before } = changeMarket(state, market);
  market.book = book;
  // Not only with the market's other values: what happened to orders is taken back in the book in which it happened.
  state.journal.push(() => {
    market.book = before;
  });
}

/** Adds a market whose id is the next one. */
export function insertMarket({ markets, dirtyMarkets, journal }: ClobState, market: Market): void {
  markets.push(market);
  dirtyMarkets.add(market);
  journal.push(() => void markets.pop());
}

/** The account of an address, made when there is none. */
export const ensureAccount = (state: ClobState, address: Address): Account =>
  state.accountOf.get(address) ?? addAccount(state, address);

function addAccount({ accounts, accountOf, journal }: ClobState, address: Address): Account {
  const account = new Account(accounts.length, address);
  accounts.push(account);
  accountOf.set(address, account);
  journal.push(() => {
    accounts.pop();
    accountOf.delete(address);
  });
  return account;
}

/** The account's own values, about to change. */
export function changeAccount(state: ClobState, account: Account): Account {
  account.room.regime = 0;
  return touchAccount(state, account);
}

/** {@link changeAccount} of who takes care of the account's room himself, see room.ts. */
export function touchAccount(state: ClobState, account: Account): Account {
  const { journal } = state;
  state.dirtyAccounts.add(account);
  if (state.holders.rankings.watching) state.holders.rankings.note(account, journal);
  const { epoch } = journal;
  if (account.savedIn !== epoch) {
    account.savedIn = epoch;
    state.saved.saveAccount(account);
    journal.note(step.accountSaved, 0, 0);
  }
  return account;
}

/** Makes an account one of its owner's, for good. From then on only what he signs counts for it. */
export function setSubAccount(state: ClobState, account: Account, subAccount: SubAccount): void {
  const { owner } = subAccount;
  changeAccount(state, account).locked = true;
  countSubAccount(state, account, subAccount);
  state.journal.push(() => {
    account.subAccount = null;
    state.subAccounts.set(owner, state.subAccounts.get(owner)! - 1);
  });
}

/** Notes whose an account is. */
export function countSubAccount({ subAccounts }: ClobState, account: Account, subAccount: SubAccount): void {
  account.subAccount = subAccount;
  subAccounts.set(subAccount.owner, (subAccounts.get(subAccount.owner) ?? 0) + 1);
}

/** Puts other parameters into force. @param hasRooms whether room.ts knows all of them */
export function setParams(state: ClobState, params: ClobParams, hasRooms: boolean): void {
  const before = { params: state.params, hasRooms: state.hasRooms };
  Object.assign(state, { params, hasRooms });
  state.journal.push(() => void Object.assign(state, before));
}

/** Sets what is known of a proposal; null forgets it. */
export function setProposal(
  { proposals, dirtyProposals, journal }: ClobState,
  hash: Hash,
  next: ProposalRecord | null,
): void {
  const before = proposals.get(hash) ?? null;
  const put = (record: ProposalRecord | null): void => {
    if (record === null) proposals.delete(hash);
    else proposals.set(hash, record);
  };
  put(next);
  dirtyProposals.add(hash);
  journal.push(() => put(before));
}

/** Sets what an agent may do for an account. */
export function setAgent(state: ClobState, record: AgentRecord): void {
  const { account, agent } = record;
  const known = state.agent(account, agent);
  const ofAccount = state.agents.get(account) ?? new Map<Address, AgentRecord>();
  state.agents.set(account, ofAccount);
  ofAccount.set(agent, record);
  state.dirtyAgents.set(account + agent, [account, agent]);
  state.journal.push(() => {
    if (known === null) ofAccount.delete(agent);
    else ofAccount.set(agent, known);
  });
}

/** The account's stake in a market, made when there is none. */
export const ensureExposure = (state: ClobState, account: Account, marketId: number): Exposure =>
  findExposure(account, marketId) ?? addExposure(state, account, marketId);

function addExposure({ markets, journal }: ClobState, account: Account, marketId: number): Exposure {
  const exposure = new Exposure(marketId, markets[marketId - 1]!);
  account.exposures.splice(exposurePlace(account, marketId), 0, exposure);
  journal.push(() => void account.exposures.splice(account.exposures.indexOf(exposure), 1));
  return exposure;
}

/** The account's position in a market, about to change. */
export function changeExposure(state: ClobState, account: Account, exposure: Exposure): void {
  noteChanged(account, exposure);
  state.sharing?.positions.set(exposure, account);
  const { journal } = state;
  const { epoch } = journal;
  if (exposure.savedIn === epoch) return;
  exposure.savedIn = epoch;
  state.saved.saveExposure(account, exposure);
  journal.note(step.exposureSaved, 0, 0);
}

/** What the open block noted for itself is over. */
export function clearBlock(state: ClobState): void {
  state.credits.length = 0;
  state.holders.rankings.reset();
  state.refused.current.length = 0;
  state.missed.clear();
  state.transfers.dirty.clear();
  state.orders.forgetTouched();
  state.dirtyAccounts.clear();
  state.dirtyMarkets.clear();
  state.levels?.clear();
  state.dirtyGateways.clear();
  state.dirtySigners.clear();
  state.dirtyReporters.clear();
  state.dirtyAgents.clear();
  state.dirtyProposals.clear();
  state.schedules.dirty.clear();
  state.triggers.dirty.clear();
}
