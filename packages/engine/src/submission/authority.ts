import {
  agentMayAct,
  type AgentRecord,
  checkSignerNonce,
  domainInWords,
  type SignerNonceCheck,
  type VerifiedAction,
} from '@prime/codec';
import type { Address } from '@prime/primitives';
import { EngineError } from '../errors.ts';
import type { AccountReader, SignerReader } from '../ports.ts';

/** What an action's authority is looked up in, at the newest executed block. */
export interface AuthorityReaders {
  readonly signers: SignerReader;
  /** Whether a key reports prices for an active validator, of a network that has an oracle. */
  readonly mayReport: (validator: Address, key: Address) => boolean;
  /** Whether prices that were seen then, ms, are neither too old nor of the future, by this node's clock. */
  readonly isTimely: (observedAtMs: number) => boolean;
}

/**
 * Refuses an action that the order book would refuse for its signer or its nonce, by the state of the newest block. Only a filter:
 * the order book decides again when it executes.
 *
 * @param timeMs time of the newest block
 * @throws EngineError `ENGINE_ACTION_NONCE`, `ENGINE_SIGNER_UNAUTHORIZED`, `ENGINE_ACCOUNT_LOCKED`, `ENGINE_REPORT_TIME`
 */
export function checkAuthority(
  action: VerifiedAction,
  { signers: state, mayReport, isTimely }: AuthorityReaders,
  timeMs: number,
): void {
  const { signer, facts, transaction } = action;
  const { account, nonce, signatureKind } = transaction;
  if (signatureKind === 'gateway') {
    if (state.isLocked(account))
      throw new EngineError(`owner ${account} is not unlocked on this node`, {
        code: 'ENGINE_ACCOUNT_LOCKED',
        account,
      });
    return;
  }
  const check = checkSignerNonce(state.signerNonces(signer), nonce, timeMs);
  if (check !== 'fresh')
    throw new EngineError(`nonce ${check}${nonceHint(nonce, check, timeMs)}`, {
      code: 'ENGINE_ACTION_NONCE',
      nonce,
      reason: check,
    });
  if (facts.type === 'oracleReport') {
    if (mayReport(account, signer)) return checkReportTime(action, isTimely);
    throw new EngineError(`signer ${signer} does not report for an active validator ${account}`, {
      code: 'ENGINE_SIGNER_UNAUTHORIZED',
      signer,
      account,
    });
  }
  if (signer === account) return;
  const own = state.agent(account, signer);
  // Of most accounts that others sign for, an agent is known: their records need not be looked at.
  const authority = own === null ? state.authority(account) : account;
  if (signer === authority) return;
  const approval = authority === account ? own : state.agent(authority, signer);
  if (!agentMayAct(approval, transaction.payload, timeMs, authority !== account))
    throw new EngineError(
      `signer ${signer} may not act for ${account}: ${whyNot(action, approval, authority, timeMs)}`,
      {
        code: 'ENGINE_SIGNER_UNAUTHORIZED',
        signer,
        account,
      },
    );
}

/** The mempool remembers the newest report of each validator: one of the future would keep out all that come before that time. */
function checkReportTime({ transaction: { payload } }: VerifiedAction, isTimely: AuthorityReaders['isTimely']): void {
  if (payload.type !== 'oracleReport' || isTimely(payload.observedAtMs)) return;
  throw new EngineError(
    `a report of prices that were seen at ${payload.observedAtMs} ms is too old, or of the future`,
    {
      code: 'ENGINE_REPORT_TIME',
      observedAtMs: payload.observedAtMs,
    },
  );
}

/** What a nonce would have to be multiplied by, were it of another unit. */
const otherUnits = [
  ['seconds', 1000],
  ['microseconds', 1 / 1000],
] as const;

/** What is allowed, and the unit that the caller may have meant. */
function nonceHint(nonce: number, check: Exclude<SignerNonceCheck, 'fresh'>, timeMs: number): string {
  const inWindow = (value: number): boolean => checkSignerNonce([], Math.floor(value), timeMs) === 'fresh';
  if (check === 'used') return ', and a signer uses each once';
  if (inWindow(nonce)) return ': the signer has used 64 newer ones';
  const allowed = ': a nonce is a time in milliseconds since 1970, less than two days before and one day behind that';
  const unit = otherUnits.find(([, factor]) => inWindow(nonce * factor))?.[0];
  return `${allowed} of the newest block, ${timeMs}${unit === undefined ? '' : `; ${nonce} looks like ${unit}`}`;
}

/** Nobody knows what a signer meant to sign: over something else any key comes out, and nearly always one that is nobody's. */
function whyNot(
  { transaction }: VerifiedAction,
  approval: AgentRecord | null,
  authority: Address,
  timeMs: number,
): string {
  const { account, chainId, signatureKind } = transaction;
  if (approval === null && authority !== account)
    return `that is a sub-account, and it is neither the owner ${authority} nor an agent of it`;
  if (approval === null) {
    const domain = signatureKind === 'eip712' ? `the EIP-712 domain (${domainInWords(chainId)}) and ` : '';
    return `it is no agent of that account, which is no sub-account of its either. If the account signed, then over something else: compare ${domain}every signed field`;
  }
  if (approval.revoked) return 'its approval is revoked';
  const isOver = approval.expiry !== 0 && approval.expiry < timeMs;
  return isOver ? `its approval ended at ${approval.expiry} ms` : 'its approval does not allow that';
}

/** What an action's owner and signer are looked up in, at the newest executed block. */
export interface OwnerReaders {
  readonly signers: Pick<SignerReader, 'agent' | 'authority' | 'isKnown'>;
  readonly accounts: AccountReader;
  readonly isValidator: (account: Address) => boolean;
  /** Whether somebody pays the deposits of those who have nothing. */
  readonly hasFaucet: boolean;
}

/**
 * Refuses a signed action of whoever has nothing on this chain: no wei, nothing in the order book, no stake, no account that approved it. Keys
 * are free, and such an action could only leave its nonce and a locked account behind. By the state of the newest block; where genesis has
 * `ownersOnly`, blocks go by the same rule.
 *
 * @throws EngineError `ENGINE_SIGNER_OWNS_NOTHING`
 * @see docs/adr/0135-signers-without-anything.md
 */
export function checkOwner({ signer, facts, transaction }: VerifiedAction, readers: OwnerReaders): void {
  const { account, signatureKind } = transaction;
  const { signers, accounts, isValidator, hasFaucet } = readers;
  // Whoever reports prices was found among the validators.
  if (signatureKind === 'gateway' || facts.type === 'oracleReport' || (hasFaucet && facts.type === 'deposit')) return;
  const owns =
    signers.isKnown(signer) ||
    accounts.account(signer).balance > 0n ||
    (signer !== account && signers.agent(signers.authority(account), signer) !== null) ||
    isValidator(signer);
  if (owns) return;
  throw new EngineError(`signer ${signer} has nothing on this chain yet: deposit first`, {
    code: 'ENGINE_SIGNER_OWNS_NOTHING',
    signer,
  });
}
