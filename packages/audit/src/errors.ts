import { PrimeError } from '@prime/primitives';

/** Codes of {@link AuditError}, each with what explains it. */
export type AuditErrorDetail =
  /** A node answered a call with something that its method never answers. */
  | {
      readonly code: 'AUDIT_ANSWER_UNREADABLE';
      readonly method: string;
      readonly field: string;
      readonly value: string;
    }
  /** A node does not have a block that has to be read; `head` is what it said right after that. */
  | { readonly code: 'AUDIT_BLOCK_MISSING'; readonly height: number; readonly head: bigint }
  /** Blocks are judged from genesis on, one after the other. */
  | { readonly code: 'AUDIT_BLOCK_OUT_OF_ORDER'; readonly expected: number; readonly height: number }
  /** A block holds an action whose signature or form is wrong: no validator may have decided it. */
  | { readonly code: 'AUDIT_ACTION_INVALID'; readonly height: number; readonly reason: string };
/** What stops an audit. A broken rule is a finding of the verdict and no error. */
export class AuditError extends PrimeError<AuditErrorDetail> {}
