import { type ActionPayload, type ActionResult, agentPermissionsMax, type AgentRecord } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { setAgent } from '../state/changes.ts';
import { refusal } from './errors.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Keys that may trade for an account.
 *
 * A revoked agent leaves a tombstone and is never approved again: the nonces that it used may be forgotten by then, and an old
 * signature of its must not become good once more.
 */

type Approval = Extract<ActionPayload, { readonly type: 'approveAgent' }>;

/** Agents of one account that are not revoked. */
const liveAgentsMax = 64;
/** Agents of one account and tombstones: what an account may cost the state. */
const agentRecordsMax = 1024;

const done: ActionResult = { ok: true, value: { type: 'done' } };

/**
 * Lets a key trade for an account, or replaces an approval that the key has.
 *
 * @param approval expiry in ms, 0 for never; permissions as bits, at least one
 * @returns a refusal for an approval that makes no sense, a revoked key, or too many keys
 */
export function approveAgent(state: ClobState, account: Address, approval: Approval): ActionResult {
  const { agent, expiry, permissions, name } = approval;
  if (agent === account) return refusal.badAgent('an account is no agent of its own');
  if (permissions < 1 || permissions > agentPermissionsMax)
    return refusal.badAgent(`permissions must be 1 to ${agentPermissionsMax}`);
  if (expiry !== 0 && expiry <= state.timestampMs) return refusal.badAgent('the approval has expired already');
  const known = state.agent(account, agent);
  if (known?.revoked === true) return refusal.agentRevoked(agent);
  if (known === null) {
    const others = [...(state.agents.get(account)?.values() ?? [])];
    const live = others.filter(({ revoked }) => !revoked).length;
    if (live >= liveAgentsMax) return refusal.tooManyAgents(liveAgentsMax);
    if (others.length >= agentRecordsMax) return refusal.tooManyAgents(agentRecordsMax);
  }
  setAgent(state, { account, agent, expiry, permissions, name, revoked: false });
  state.emit('agent_approved', { account, agent, expiry, permissions, name });
  return done;
}

/** Ends an approval for good. @returns a refusal when there is none, or it was revoked before */
export function revokeAgent(state: ClobState, account: Address, agent: Address): ActionResult {
  const known: AgentRecord | null = state.agent(account, agent);
  if (known === null) return refusal.unknownAgent(agent);
  if (known.revoked) return refusal.agentRevoked(agent);
  setAgent(state, { ...known, revoked: true });
  state.emit('agent_revoked', { account, agent });
  return done;
}
