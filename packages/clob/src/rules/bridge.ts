import {
  type ActionResult,
  type ActionValue,
  ordersAddress,
  type ProcessedTransfer,
  type TransferDirection,
  type TransferRecord,
} from '@prime/codec';
import { type Address, type Height, zeroAddress } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import { changeAccount, changeGlobals, ensureAccount, payOut } from '../state/changes.ts';
import { refusal } from './errors.ts';
import { settleAllFunding } from '../margin/funding.ts';
import { escrowOf } from '../margin/ledger.ts';
import { takeProfit } from '../margin/claims.ts';
import { marginState, unpaidOf, withdrawableCollateral } from '../margin/margin.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Transfers between the domains. A transfer leaves its domain and enters a queue in one action, and leaves the queue into the
 * other domain in a later one, first in, first out. The domain that it arrives in decides whether it can be taken; what can
 * not goes back to where it came from. Wei in a queue belong to neither domain and are in escrow.
 */

/** Transfers that one action, or a block by itself, carries out. */
const transfersPerDequeueMax = 1000;
/** Transfers that may wait in one direction. */
const transfersWaitingMax = 100_000;

type Queued = Extract<ActionValue, { readonly type: 'transferQueued' }>;

/** Takes collateral out and queues it for an EVM account. */
export function withdraw(
  state: ClobState,
  from: Address,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
): ActionResult {
  const refused =
    checkAmount(state, 'orders_to_evm', amount) ?? checkRecipient(to) ?? checkWithdrawable(state, from, amount);
  if (refused !== null) return refused;
  const held = escrowOf(state) - state.transfers.total;
  if (held < amount) return refusal.insufficientCollateral(held);
  const account = changeAccount(state, ensureAccount(state, from));
  takeProfit(state, account, amount);
  account.collateral -= amount;
  state.emit('collateral_withdrawn', { address: from, amount, collateral: account.collateral });
  return { ok: true, value: enqueue(state, 'orders_to_evm', { from, to, amount }) };
}

/** Queues wei that the boundary phase brought into escrow. @param funded whether it did */
export function enqueueEvmToOrders(
  state: ClobState,
  from: Address,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
  funded: boolean,
): ActionResult {
  const refused = checkAmount(state, 'evm_to_orders', amount) ?? checkRecipient(to);
  if (refused !== null) return refused;
  if (!funded) return refusal.insufficientFunds();
  changeGlobals(state).totalDeposits += amount;
  return { ok: true, value: enqueue(state, 'evm_to_orders', { from, to, amount }) };
}

/** Moves collateral to another account of the order book. */
export function transferCollateral(
  state: ClobState,
  from: Address,
  { to, amount }: { readonly to: Address; readonly amount: bigint },
): ActionResult {
  if (amount <= 0n) return refusal.badAmount();
  if (to === ordersAddress) return refusal.badRecipient(to);
  const refused = checkRecipient(to) ?? checkWithdrawable(state, from, amount);
  if (refused !== null) return refused;
  const sender = changeAccount(state, ensureAccount(state, from));
  takeProfit(state, sender, amount);
  sender.collateral -= amount;
  changeAccount(state, ensureAccount(state, to)).collateral += amount;
  state.emit('collateral_transferred', { from, to, amount });
  return { ok: true, value: { type: 'transfer', from, to, amount, collateral: sender.collateral } };
}

/** Carries out the transfers whose turn it is, at most `max` of them. */
export function dequeue(
  state: ClobState,
  { direction, max }: { readonly direction: TransferDirection; readonly max: number },
): ActionResult {
  const processed: ProcessedTransfer[] = [];
  const most = Math.min(max, transfersPerDequeueMax);
  for (let count = 0; count < most; count++) {
    const transfer = state.transfers.dequeue(direction);
    if (transfer === undefined) break;
    processed.push(settle(state, transfer));
  }
  return { ok: true, value: { type: 'dequeued', direction, processed, pending: state.transfers[direction].length } };
}

/** What a block carries out by itself, of what earlier blocks queued. */
export function dequeueAll(state: ClobState): void {
  for (const direction of ['orders_to_evm', 'evm_to_orders'] as const)
    dequeue(state, { direction, max: transfersPerDequeueMax });
}

type Refused = Extract<ActionResult, { readonly ok: false }>;

function checkAmount(state: ClobState, direction: TransferDirection, amount: bigint): Refused | null {
  if (amount <= 0n) return refusal.badAmount();
  return state.transfers[direction].length >= transfersWaitingMax
    ? refusal.tooManyTransfers(transfersWaitingMax)
    : null;
}

const checkRecipient = (to: Address): Refused | null => (to === zeroAddress ? refusal.zeroRecipient(to) : null);

function checkWithdrawable(state: ClobState, from: Address, amount: bigint): Refused | null {
  const account = state.accountOf.get(from);
  if (account === undefined) return refusal.insufficientCollateral(0n);
  // What leaves is collateral, not what is still to come.
  settleAllFunding(state, account);
  const margin = marginState(account, state.marginMarket);
  const withdrawable = withdrawableCollateral(account.collateral, margin);
  if (amount <= withdrawable) return null;
  const whenPaid = withdrawableCollateral(account.collateral, { ...margin, unpaid: 0n });
  const most = mostUnpaid(state, account);
  return amount > whenPaid || most === null
    ? refusal.insufficientCollateral(withdrawable)
    : refusal.profitUnpaid(most.marketId, most.unpaid, withdrawable);
}

/** The market that owes an account the most profit that it can not pay; the first of equal ones. */
function mostUnpaid(
  state: ClobState,
  { exposures }: Account,
): { readonly marketId: number; readonly unpaid: bigint } | null {
  let most: { readonly marketId: number; readonly unpaid: bigint } | null = null;
  for (const exposure of exposures) {
    const { marketId, claim } = exposure;
    const unpaid = unpaidOf(claim, state.market(marketId)!.profitPool);
    if (unpaid > (most?.unpaid ?? 0n)) most = { marketId, unpaid };
  }
  return most;
}

function enqueue(
  state: ClobState,
  direction: TransferDirection,
  parties: { readonly from: Address; readonly to: Address; readonly amount: bigint },
): Queued {
  const transferId = changeGlobals(state).nextTransferId++;
  state.transfers.enqueue({ transferId, direction, ...parties, createdBlock: state.height as Height });
  emit(state, 'transfer_queued', { transferId, direction, ...parties });
  return { type: 'transferQueued', transferId, direction, ...parties };
}

function settle(state: ClobState, transfer: TransferRecord): ProcessedTransfer {
  const { transferId, direction, from, to, amount } = transfer;
  const reason = to === ordersAddress ? 'the escrow account can not receive' : null;
  const receiver = reason === null ? to : from;
  const entersOrders = direction === 'evm_to_orders' ? reason === null : reason !== null;
  if (entersOrders) {
    const account = changeAccount(state, ensureAccount(state, receiver));
    account.collateral += amount;
    state.emit('collateral_deposited', { address: receiver, amount, collateral: account.collateral });
  } else {
    changeGlobals(state).totalWithdrawals += amount;
    payOut(state, { to: receiver, amount });
  }
  if (reason === null) emit(state, 'transfer_completed', transfer);
  else emit(state, 'transfer_failed', transfer, { reason });
  return { transferId, from, to, amount, status: reason === null ? 'completed' : 'failed', reason };
}

function emit(
  state: ClobState,
  kind: 'transfer_queued' | 'transfer_completed' | 'transfer_failed',
  { transferId, direction, from, to, amount }: Omit<TransferRecord, 'createdBlock'>,
  more: { readonly reason?: string } = {},
): void {
  state.emit(kind, { transfer_id: transferId, direction, from, to, amount, ...more });
}
