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
import { type Account, authorityOf, hasAnything } from '../state/accounts.ts';
import { refusal } from './errors.ts';
import { authorizeReport } from '../oracle/reports.ts';
import type { ClobBlock } from '../ports.ts';
import type { ClobState } from '../state/state.ts';

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
export function takeNonces(state: ClobState, block: ClobBlock): ReadonlyMap<number, Refused> {
  const { actions } = block;
  const refusals = refuseOwnersOfNothing(state, block);
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
    if (refusals.size > 0 && refusals.has(index)) continue;
    const refused = takeNonce(state, action);
    if (refused !== null) refusals.set(index, refused);
    turn = action.signer;
    own = signatureKind === 'gateway' && state.dirtyGateways.has(turn) ? state.gatewayNonces.get(turn)! : null;
  }
  return refusals;
}

/**
 * Signing costs nothing: whoever has nothing here could leave a nonce, or an account that is locked, for each key that he makes.
 *
 * What such a key signs leaves nothing behind, its nonce included: it may come again once the signer has something, as a transaction of
 * who can not pay may. Judged by the state before the block's actions, as admission judges by the newest block.
 */
function refuseOwnersOfNothing(
  state: ClobState,
  { actions, deposits, outsiders = [] }: ClobBlock,
): Map<number, Refused> {
  const refusals = new Map<number, Refused>();
  if (outsiders.length === 0) return refusals;
  const bringing = new Set(deposits.flatMap(({ actionIndex, funded }) => (funded ? [actionIndex] : [])));
  for (const index of outsiders) {
    const { signer, transaction } = actions[index]!;
    const own = state.accountOf.get(signer);
    const authority = authorityOf(state.accountOf.get(transaction.account), transaction.account);
    const isKnown = (own !== undefined && hasAnything(own)) || state.agent(authority, signer) !== null;
    if (!isKnown && !bringing.has(index)) refusals.set(index, refusal.ownsNothing(signer));
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
  const { signerNonces, dirtySigners, timestampMs } = state;
  const known = signerNonces.get(signer);
  const check = checkSignerNonce(known ?? [], nonce, timestampMs);
  if (check !== 'fresh') return refusal.nonce(check);
  if (known !== undefined && dirtySigners.has(signer)) {
    // The list is this block's own; what undoes the block puts the one from before it back.
    keepNonce(known, nonce);
    return null;
  }
  const own = known === undefined ? [] : known.slice();
  keepNonce(own, nonce);
  signerNonces.set(signer, own);
  dirtySigners.add(signer);
  state.journal.push(() => {
    if (known === undefined) signerNonces.delete(signer);
    else signerNonces.set(signer, known);
  });
  return null;
}

/** Puts a nonce into its place, and forgets the lowest where there are too many. */
function keepNonce(nonces: number[], nonce: number): void {
  let place = nonces.length;
  // Nearly always the last place: signers count upwards.
  while (place > 0 && nonces[place - 1]! > nonce) place--;
  if (place === nonces.length) nonces.push(nonce);
  else nonces.splice(place, 0, nonce);
  if (nonces.length > signerNoncesMax) nonces.shift();
}

/** Whether the signer may act for the account now. @param known the account, when it was ever used */
export function authorize(
  state: ClobState,
  action: VerifiedAction,
  known: Account | undefined,
  actionsMode: 'open' | 'signed',
): Refused | null {
  const { signer, transaction } = action;
  const { account, payload, signatureKind } = transaction;
  if (payload.type === 'oracleReport') return authorizeReport(state, action);
  const authority = authorityOf(known, account);
  const allowed =
    signatureKind === 'gateway'
      ? actionsMode === 'open' && known?.locked !== true
      : signer === authority ||
        agentMayAct(state.agent(authority, signer), payload, state.timestampMs, authority !== account);
  return allowed ? null : refusal.unauthorized(signer, account);
}
