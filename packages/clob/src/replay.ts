import {
  agentMayAct,
  checkNonce,
  checkSignerNonce,
  type NonceRecord,
  signerNoncesMax,
  useNonce,
  useNonceOf,
  type VerifiedAction,
} from '@prime/codec';
import type { Account } from './accounts.ts';
import { refusal } from './errors.ts';
import type { ClobState } from './state.ts';

/**
 * Replay guard and authority of actions.
 *
 * Gateway actions come from a node that counts: its numbers are consecutive and may arrive out of order, so a window of the
 * last 4096 tells which were used. Signed actions carry millisecond nonces, see checkSignerNonce.
 */
/** Gateways take numbers from a microsecond clock; this is how far ahead of block time it may run. */
const gatewayFutureMicros = 1_000_000_000;

type Refused = ReturnType<typeof refusal.nonce>;

/** Uses the nonces of a block's actions up, in their order. @returns refusals, by the place of the action */
export function takeNonces(state: ClobState, actions: readonly VerifiedAction[]): ReadonlyMap<number, Refused> {
  const refusals = new Map<number, Refused>();
  const limit = state.timestampMs * 1000 + gatewayFutureMicros;
  // A gateway's numbers mostly come one after the other: its record is looked up when they do not.
  let turn: Signer | null = null;
  let own: NonceRecord | null = null;
  for (let index = 0; index < actions.length; index++) {
    const action = actions[index]!;
    const { nonce, signatureKind } = action.transaction;
    if (
      own !== null &&
      signatureKind === 'gateway' &&
      action.signer === turn &&
      nonce === own.newest + 1 &&
      nonce <= limit
    ) {
      useNonceOf(own, nonce);
      continue;
    }
    const refused = takeNonce(state, action);
    if (refused !== null) refusals.set(index, refused);
    turn = action.signer;
    own = signatureKind === 'gateway' && state.dirtyGateways.has(turn) ? state.gatewayNonces.get(turn)! : null;
  }
  return refusals;
}

/** Uses the nonce up, or says why it can not be used. A refusal later on leaves it used. */
function takeNonce(state: ClobState, { signer, transaction }: VerifiedAction): Refused | null {
  const { nonce, signatureKind } = transaction;
  return signatureKind === 'gateway' ? takeGatewayNonce(state, signer, nonce) : takeSignerNonce(state, signer, nonce);
}

type Signer = VerifiedAction['signer'];

function takeGatewayNonce(state: ClobState, signer: Signer, nonce: number): Refused | null {
  const { gatewayNonces } = state;
  const record = gatewayNonces.get(signer) ?? null;
  if (nonce > state.timestampMs * 1000 + gatewayFutureMicros) return refusal.nonce('too far ahead');
  const check = checkNonce(record, nonce);
  if (check !== 'fresh') return refusal.nonce(check === 'used' ? 'used' : 'too old');
  if (record !== null && state.dirtyGateways.has(signer)) {
    // The record is this block's own; what undoes the block puts the one from before it back.
    const used = useNonceOf(record, nonce);
    if (used !== record) gatewayNonces.set(signer, used);
    return null;
  }
  gatewayNonces.set(signer, useNonce(record, signer, nonce));
  state.dirtyGateways.add(signer);
  state.journal.push(() => {
    if (record === null) gatewayNonces.delete(signer);
    else gatewayNonces.set(signer, record);
  });
  return null;
}

function takeSignerNonce(state: ClobState, signer: Signer, nonce: number): Refused | null {
  const { signerNonces, timestampMs } = state;
  const known = signerNonces.get(signer);
  const used = known ?? [];
  const check = checkSignerNonce(used, nonce, timestampMs);
  if (check !== 'fresh') return refusal.nonce(check);
  let place = used.length;
  while (place > 0 && used[place - 1]! > nonce) place--;
  const next = [...used.slice(0, place), nonce, ...used.slice(place)];
  signerNonces.set(signer, next.slice(-signerNoncesMax));
  state.dirtySigners.add(signer);
  state.journal.push(() => {
    if (known === undefined) signerNonces.delete(signer);
    else signerNonces.set(signer, known);
  });
  return null;
}

/** Whether the signer may act for the account now. @param known the account, when it was ever used */
export function authorize(
  state: ClobState,
  { signer, transaction }: VerifiedAction,
  known: Account | undefined,
  actionsMode: 'open' | 'signed',
): Refused | null {
  const { account, payload, signatureKind } = transaction;
  const allowed =
    signatureKind === 'gateway'
      ? actionsMode === 'open' && known?.locked !== true
      : signer === account || agentMayAct(state.agent(account, signer), payload, state.timestampMs);
  return allowed ? null : refusal.unauthorized(signer, account);
}
