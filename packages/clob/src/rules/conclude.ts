import type { ActionPayload, ActionResult, ContractAction, ContractPayload, VerifiedAction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { type Answer, isRefused } from '../records/blockLog.ts';
import { cancelHandle } from '../orders/cancelOrder.ts';
import { changeAccount, ensureAccount } from '../state/changes.ts';
import { refusal } from './errors.ts';
import { triggerNamed } from '../triggers/triggerChanges.ts';
import { cancelTrigger } from '../triggers/endTriggers.ts';
import { isMissed, type MissedCancel, missedCancel } from '../state/missedCancels.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';

/** What follows from the answers to actions and to what contracts asked for, also from those that come later in the block. */

/** What follows from the answer to the action under execution. @returns the answer as it stands so far */
export function concludeAction(state: ClobState, action: VerifiedAction, result: Answer): Answer {
  const { account, payload, signatureKind } = action.transaction;
  if (isRefused(result)) {
    if (isMissed(payload, result)) {
      const index = state.actionIndex!;
      state.missed.note(missedCancel(account, payload, { kind: 'action', index, action }));
    } else if (payload.type === 'oracleReport') tellReportRefused(state, account, action.hash, result);
    else tellRefused(state, { account, hash: action.hash, ticket: null }, result);
    return result;
  }
  // A report says nothing about its validator's account. Who signs by himself is never again taken at an unsigned word.
  if (signatureKind !== 'gateway' && payload.type !== 'oracleReport') lock(state, account);
  return result;
}

/** The same for what a contract asked for; nobody can be told of a refusal, so it is an event and remembered. */
export function concludeContract(state: ClobState, action: ContractAction, result: ActionResult): void {
  const { ticket, account, payload } = action;
  if (result.ok) {
    // Who acts by his own transactions is never again taken at an unsigned word; a gift to somebody else says nothing about the giver's account.
    if (payload.type !== 'deposit' || payload.to === account) lock(state, account);
  } else if (isMissed(payload, result)) state.missed.note(missedCancel(account, payload, { kind: 'contract', action }));
  else {
    tellRefused(state, { account, hash: null, ticket }, result);
    if (payload.type === 'order' && payload.clientId !== null)
      state.refused.note({ ticket, owner: account, clientId: payload.clientId });
  }
}

function tellRefused(
  state: ClobState,
  who: { readonly account: Address; readonly hash: string | null; readonly ticket: number | null },
  { error }: Refused,
): void {
  state.emit('action_rejected', { ...who, reason: String(error.data['kind']) });
}

/** Whoever runs a feeder learns by it that it is broken. */
const tellReportRefused = (state: ClobState, validator: Address, hash: Hash, { error }: Refused): void =>
  state.emit('oracle_refused', { validator, hash, reason: String(error.data['kind']) });

function lock(state: ClobState, account: Address): void {
  if (state.accountOf.get(account)?.locked !== true) changeAccount(state, ensureAccount(state, account)).locked = true;
}

/** What brought orders, and is through: an action, or what a contract asked for. */
interface Done {
  readonly account: Address;
  readonly payload: ActionPayload | ContractPayload;
  readonly ticket?: number;
}

/** Carries out the cancels that waited for orders that an action brought. @param answers of the block, by place */
export function catchOrders(state: ClobState, { account, payload, ticket }: Done, answers: Answer[]): void {
  if (state.missed.isEmpty) return;
  for (const item of payload.type === 'batch' ? payload.items : [payload]) {
    if (item.type !== 'order' && item.type !== 'trigger' && item.type !== 'bracket') continue;
    if (item.clientId === null) continue;
    const known = state.accountOf.get(account);
    const handle = known?.clientIds.get(item.clientId);
    const trigger = triggerNamed(state, known, item.clientId);
    const marketId = handle === undefined ? trigger?.marketId : state.orders.market[handle]!;
    if (marketId === undefined) continue;
    const missed = state.missed.take(account, item.clientId, { marketId, ticket: ticket ?? null });
    if (missed === null) continue;
    cancelLate(
      state,
      missed,
      () => (handle === undefined ? cancelTrigger(state, trigger!) : cancelHandle(state, handle)),
      answers,
    );
  }
}

function cancelLate(state: ClobState, { origin }: MissedCancel, cancel: () => Answer, answers: Answer[]): void {
  const { actionIndex, contract } = state;
  enter(state, origin);
  const result = state.log.answer(cancel());
  if (origin.kind === 'action') answers[origin.index] = concludeAction(state, origin.action, result);
  else if (origin.kind === 'item') origin.results[origin.at] = result;
  else concludeContract(state, origin.action, result);
  Object.assign(state, { actionIndex, contract });
}

/** Tells of the cancels for which no order came; their answers say so already. */
export function refuseMissed(state: ClobState): void {
  if (state.missed.isEmpty) return;
  for (const { origin, account, clientId } of state.missed.drain()) {
    if (origin.kind === 'item') continue;
    enter(state, origin);
    const who =
      origin.kind === 'action'
        ? { account, hash: origin.action.hash, ticket: null }
        : { account, hash: null, ticket: origin.action.ticket };
    tellRefused(state, who, refusal.unknownClientId(clientId));
  }
  Object.assign(state, { actionIndex: null, contract: null });
}

/** What happens now is caused by a cancel that waited. */
function enter(state: ClobState, origin: MissedCancel['origin']): void {
  if (origin.kind !== 'contract') {
    state.actionIndex = origin.index;
    state.contract = null;
    return;
  }
  const { ticket, transactionHash } = origin.action;
  state.actionIndex = null;
  state.contract = { ticket, transactionHash };
}
