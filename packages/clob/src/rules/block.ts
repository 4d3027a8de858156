import type { ActionPayload, ActionResult, ContractPayload, VerifiedAction } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import { runAction } from './actions.ts';
import { dequeueAll } from './bridge.ts';
import { cancelOrder } from '../orders/cancelOrder.ts';
import { reprice } from '../state/changes.ts';
import { type Answer, isRefused } from '../records/blockLog.ts';
import { catchOrders, concludeAction, refuseMissed } from './conclude.ts';
import { depositsFirst, runContractAction } from './contractActions.ts';
import { refusal } from './errors.ts';
import { runProposals } from '../governance/proposals.ts';
import { advanceSettlements } from '../governance/settlement.ts';
import { advanceIndexes } from '../oracle/indexPrices.ts';
import { runSurely } from '../orders/sureOrders.ts';
import { advanceFunding } from '../margin/funding.ts';
import { liquidateRiskiest } from '../margin/liquidate.ts';
import { onlyCancels } from '../state/missedCancels.ts';
import type { ClobBlock, DepositFunding } from '../ports.ts';
import { authorize, takeNonces } from './replay.ts';
import { refusedForSubAccount } from './subAccounts.ts';
import { runScheduledCancels } from './scheduledCancels.ts';
import type { ClobState } from '../state/state.ts';
import { expireTriggers } from '../triggers/endTriggers.ts';
import { fireTriggers } from '../triggers/fireTriggers.ts';
import { undoTo } from '../state/undo.ts';

/** What a block does, in the order in which it does it; engine.ts opens and closes it. */

/** Orders that one block takes out because their time is over; what is left comes with the next blocks. */
const expiriesPerBlockMax = 1000;

/** Whether an action runs before the others of its block: what brings collateral in, sets parameters or takes risk out. */
export function runsFirst(payload: ActionPayload | ContractPayload): boolean {
  switch (payload.type) {
    case 'deposit':
    case 'setMargin':
    case 'change':
    case 'propose':
    case 'vote':
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'scheduleCancel':
    case 'revokeAgent':
    case 'oracleReport':
      return true;
    case 'batch':
      return onlyCancels(payload.items);
    default:
      return false;
  }
}

/** What does not change from block to block: whether actions must be signed, and whether new books count in bigints. */
export interface BlockRules {
  readonly actionsMode: 'open' | 'signed';
  readonly wideBooks: boolean;
}

/** What a block does by itself before its actions, and takes their nonces. @returns the refusals of those that have none left */
export function beginBlock(state: ClobState, block: ClobBlock): ReadonlyMap<number, ActionResult> {
  state.height = block.height;
  state.timestampMs = block.timestampMs;
  state.actionIndex = null;
  state.oracle = block.oracle ?? null;
  runProposals(state);
  advanceIndexes(state);
  advanceSettlements(state);
  const hasMoved = advanceFunding(state);
  // Funding is a part of margin; what a parameter that is not known makes of it is asked anew in each block.
  if (hasMoved || !state.hasRooms) reprice(state);
  expireOrders(state);
  expireTriggers(state);
  runScheduledCancels(state);
  if (state.params.autoDequeue) dequeueAll(state);
  // Nonces are taken in proposed order: running cancels first must not make the numbers before them too old.
  return takeNonces(state, block);
}

/** Carries a block out. @returns the answers to its actions, by place */
export function executeBlock(state: ClobState, block: ClobBlock, rules: BlockRules): Answer[] {
  const refusals = beginBlock(state, block);
  const deposits = new Map(block.deposits.map((deposit) => [deposit.actionIndex, deposit]));
  const answers = Array<Answer>(block.actions.length).fill(0);
  const contractActions = depositsFirst(block.contractActions ?? []);
  const work = { actions: block.actions, contractActions, rules, refusals, deposits, answers };
  if (state.params.cancelFirst) {
    runTurn(state, work, 'first');
    // After deposits, which may save an account, and cancels, which makers may need; before anybody takes.
    liquidateRiskiest(state);
    fireTriggers(state);
    runTurn(state, work, 'second');
  } else {
    liquidateRiskiest(state);
    fireTriggers(state);
    runTurn(state, work, 'only');
  }
  refuseMissed(state);
  return answers;
}

/** A block that is being executed. */
interface BlockWork {
  readonly actions: ClobBlock['actions'];
  /** Of contracts, in the order in which they run. */
  readonly contractActions: NonNullable<ClobBlock['contractActions']>;
  readonly rules: BlockRules;
  /** By the place of the action, as {@link deposits}. */
  readonly refusals: ReadonlyMap<number, ActionResult>;
  readonly deposits: ReadonlyMap<number, DepositFunding>;
  readonly answers: Answer[];
}

/** When an action runs: in the only turn, or in one of two. */
type Turn = 'only' | 'first' | 'second';

const isIn = (turn: Turn, payload: ActionPayload | ContractPayload): boolean =>
  turn === 'only' || (turn === 'first') === runsFirst(payload);

/**
 * Runs the actions whose turn it is. Not a function that is made for each block: what the compiler makes of such a one goes with the last of them, at
 * each large collection.
 */
function runTurn(state: ClobState, work: BlockWork, turn: Turn): void {
  const { actions, contractActions, rules, refusals, deposits, answers } = work;
  for (const action of contractActions) {
    if (!isIn(turn, action.payload)) continue;
    runContractAction(state, action);
    catchOrders(state, action, answers);
  }
  for (let index = 0; index < actions.length; index++) {
    const action = actions[index]!;
    if (!isIn(turn, action.transaction.payload)) continue;
    state.actionIndex = index;
    const refused = refusals.size === 0 ? null : (refusals.get(index) ?? null);
    const deposit = deposits.size === 0 ? undefined : deposits.get(index);
    answers[index] = runOne(state, action, refused, deposit, rules);
    catchOrders(state, action.transaction, answers);
  }
  state.actionIndex = null;
}

/** Why an action does not run at all: its nonce, its time, or who signed it. */
export function refusedBefore(
  state: ClobState,
  action: VerifiedAction,
  known: Account | undefined,
  refused: ActionResult | null,
  actionsMode: BlockRules['actionsMode'],
): ActionResult | null {
  const { expiresAt } = action.transaction;
  const isExpired = expiresAt !== 0 && state.timestampMs > expiresAt;
  if (refused !== null || isExpired) return refused ?? refusal.expired();
  return authorize(state, action, known, actionsMode) ?? refusedForSubAccount(action.transaction, known);
}

/**
 * Runs one action, and undoes what it did when it is refused.
 *
 * @param refused why its nonce is not taken; null when it is
 * @param deposit of an action that brings wei in
 * @returns the answer as it stands so far
 */
export function runOne(
  state: ClobState,
  action: VerifiedAction,
  refused: ActionResult | null,
  deposit: DepositFunding | undefined,
  { actionsMode, wideBooks }: BlockRules,
): Answer {
  const { account, payload } = action.transaction;
  const known = state.accountOf.get(account);
  const before = refusedBefore(state, action, known, refused, actionsMode);
  const sure = before ?? (known === undefined ? null : runSurely(state, known, payload));
  if (sure !== null) return concludeAction(state, action, sure);
  const mark = state.mark();
  const answer = runAction(state, { action, deposit: deposit ?? null, wideBooks });
  if (isRefused(answer)) undoTo(state, mark);
  return concludeAction(state, action, answer);
}

function expireOrders(state: ClobState): void {
  for (let count = 0; count < expiriesPerBlockMax; count++) {
    const handle = state.expiries.last();
    if (handle < 0 || !state.isExpired(handle)) return;
    cancelOrder(state, handle, 'expired');
  }
}
