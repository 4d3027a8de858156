import { PrimeError } from '@prime/primitives';

/** Why something was not admitted. Where go-ethereum has words for it, the message starts with them: clients match on them. */
export type MempoolErrorDetail =
  /** "already known": it waits here, or (actions) was in a recent block. */
  | { readonly code: 'MEMPOOL_ALREADY_KNOWN' }
  /** "nonce too low" */
  | { readonly code: 'MEMPOOL_NONCE_TOO_LOW'; readonly nextNonce: number; readonly nonce: number }
  /** "insufficient funds for gas * price + value": counts what the sender's waiting transactions may cost, too. */
  | {
      readonly code: 'MEMPOOL_INSUFFICIENT_FUNDS';
      readonly balance: string;
      readonly waitingCost: string;
      readonly cost: string;
    }
  /** "transaction gas price below minimum": the tip is below the least that this node takes. */
  | { readonly code: 'MEMPOOL_TIP_TOO_LOW'; readonly tip: string; readonly minimum: string }
  /** "transaction underpriced": the pool is full and it pays no more than what would have to go. */
  | { readonly code: 'MEMPOOL_UNDERPRICED' }
  /** "replacement transaction underpriced": both fees have to rise by the bump. */
  | { readonly code: 'MEMPOOL_REPLACEMENT_UNDERPRICED'; readonly bumpPercent: number }
  /** "txpool is full": no room can be made for it. `retryAfterMs`: when there may be some, where that is known. */
  | { readonly code: 'MEMPOOL_FULL'; readonly limit: string; readonly retryAfterMs?: number }
  /** "account limit exceeded": the sender or signer has too much waiting. */
  | { readonly code: 'MEMPOOL_ACCOUNT_LIMIT'; readonly limit: number }
  /** "in-flight transaction limit reached for delegated accounts": code may spend for the sender, so only one may wait. */
  | { readonly code: 'MEMPOOL_INFLIGHT_LIMIT' }
  /** "gapped-nonce tx from delegated accounts" */
  | { readonly code: 'MEMPOOL_DELEGATED_GAP'; readonly nextNonce: number }
  /** "authority already reserved": an account that delegates has more than one transaction waiting. */
  | { readonly code: 'MEMPOOL_AUTHORITY_RESERVED'; readonly authority: string }
  /** "exceeds block gas limit" */
  | { readonly code: 'MEMPOOL_GAS_LIMIT'; readonly gasLimit: string; readonly limit: string }
  /** "max priority fee per gas higher than max fee per gas" */
  | { readonly code: 'MEMPOOL_TIP_ABOVE_FEE_CAP' }
  /** "oversized data": longer than a node takes, or than a block of the network may be. */
  | { readonly code: 'MEMPOOL_OVERSIZED'; readonly size: number; readonly limit: number }
  /** All that waits is too much for one answer. */
  | { readonly code: 'MEMPOOL_CONTENT_TOO_LARGE'; readonly limit: number }
  /** Another action of the signer with this nonce waits; only one of them can be executed. */
  | { readonly code: 'MEMPOOL_ACTION_NONCE_TAKEN'; readonly nonce: number }
  /** A newer price report of the validator was taken, or one of less than a second before. */
  | { readonly code: 'MEMPOOL_REPORT_TOO_SOON'; readonly observedAtMs: number; readonly latestMs: number }
  /** The newest block is past the action's last moment. */
  | { readonly code: 'MEMPOOL_ACTION_EXPIRED'; readonly expiresAt: number };
/** A refusal that the sender hears; the mempool goes on as before. */
export class MempoolError extends PrimeError<MempoolErrorDetail> {}

/** @param size bytes @throws MempoolError `MEMPOOL_OVERSIZED` */
export function checkSize(what: 'transaction' | 'action', size: number, limit: number): void {
  if (size > limit)
    refuse(`oversized data: ${what} size ${size}, limit ${limit}`, { code: 'MEMPOOL_OVERSIZED', size, limit });
}

/** Throws a {@link MempoolError}; as an expression of type never it ends a branch. @throws MempoolError always */
export function refuse(message: string, detail: MempoolErrorDetail): never {
  throw new MempoolError(message, detail);
}
