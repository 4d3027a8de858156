import { type AgentRecord, signerNoncesMax } from '../records/clobRecords.ts';
import { isValidatorType } from './actionPayload.ts';
import type { ActionPayload } from '../types.ts';

/**
 * Who may sign what, and when a signer's nonce is good. Here, because the order book decides by it and the mempool refuses by it
 * what the order book would not execute.
 */

const dayMs = 86_400_000;
const signerPastMs = 2 * dayMs;
const signerFutureMs = dayMs;

/** `too old` and `too far ahead` are relative to the block time, or to the nonces that are still remembered. */
export type SignerNonceCheck = 'fresh' | 'used' | 'too old' | 'too far ahead';

/**
 * Whether a signer of `raw` and `eip712` actions may use a nonce.
 *
 * Nonces are millisecond times of people's clocks with any gaps: the 64 highest are kept, and a window around block time bounds
 * how long a signature stays good.
 *
 * @param used   the highest ones that it has used, ascending
 * @param timeMs block time
 */
export function checkSignerNonce(used: readonly number[], nonce: number, timeMs: number): SignerNonceCheck {
  if (nonce >= timeMs + signerFutureMs) return 'too far ahead';
  if (nonce <= timeMs - signerPastMs) return 'too old';
  if (used.includes(nonce)) return 'used';
  return used.length >= signerNoncesMax && nonce < used[0]! ? 'too old' : 'fresh';
}

/**
 * What an account lets an agent do; permissions add up. Never withdraw, transfer or approve. `sub_accounts` lets it do the same for the sub-accounts of
 * the account.
 */
export const agentPermission = { trade: 1, cancel: 2, liquidate: 4, sub_accounts: 8 } as const;
/** All permissions together. */
export const agentPermissionsMax = 15;

/** The permission that an action needs; 0 is any, null is none that an agent could have. */
function permissionFor(payload: ActionPayload): number | null {
  switch (payload.type) {
    case 'order':
    case 'modify':
    case 'trigger':
    case 'bracket':
      return agentPermission.trade;
    case 'cancel':
    case 'cancelByClientId':
    case 'cancelAll':
    case 'scheduleCancel':
      return agentPermission.cancel;
    case 'liquidate':
      return agentPermission.liquidate;
    case 'noop':
      return 0;
    case 'batch':
      return payload.items.reduce<number | null>((all, item) => {
        const needed = permissionFor(item);
        return all === null || needed === null ? null : all | needed;
      }, 0);
    default:
      return null;
  }
}

/**
 * Whether an approval covers an action at a block time.
 *
 * @param agent what the account lets the signer do; of a sub-account, what its owner does
 */
export function agentMayAct(
  agent: AgentRecord | null,
  payload: ActionPayload,
  timeMs: number,
  isForSubAccount: boolean,
): boolean {
  if (agent === null || agent.revoked || (agent.expiry !== 0 && agent.expiry < timeMs)) return false;
  const needed = permissionFor(payload);
  if (needed === null) return false;
  const all = isForSubAccount ? needed | agentPermission.sub_accounts : needed;
  return (agent.permissions & all) === all;
}

/** Whether an action may name a sub-account as its account. Its wei leave through the owner, whose agents are its agents. */
export function isForSubAccounts({ type }: ActionPayload): boolean {
  switch (type) {
    case 'withdraw':
    case 'approveAgent':
    case 'revokeAgent':
    case 'createSubAccount':
    case 'change':
    case 'propose':
    case 'vote':
      return false;
    default:
      return !isValidatorType(type);
  }
}
