import { PrimeSdkError } from '../errors/base.ts';
import type { Hash } from '../types/primitives.ts';

/** Figures of each kind. */
export interface LightErrorData {
  /** Genesis, chain id or block 0 are those of another network. */
  readonly wrong_network: { readonly expected: Hash | number; readonly actual: Hash | number };
  /** Not the block that was asked for, or its header, hash and certificate do not belong together. */
  readonly wrong_block: { readonly blockNumber: bigint };
  /** The validators are not those that a believed header names. */
  readonly wrong_validators: { readonly blockNumber: bigint };
  /** The block is not later than those before it, or lies in the future. */
  readonly wrong_time: { readonly blockNumber: bigint; readonly timestampMs: number };
  /** The certificate is malformed, or a signature is not by its validator. */
  readonly wrong_signature: { readonly blockNumber: bigint; readonly validator: string | null };
  /** Too few of the block's validators signed, or too few of those that are known. */
  readonly not_enough_power: {
    readonly blockNumber: bigint;
    readonly power: bigint;
    readonly total: bigint;
    /** More than this part is needed. */
    readonly needed: '1/3' | '2/3';
    /** Whose power: that of the block's own validators, or of those of the trusted block. */
    readonly of: 'block' | 'trust';
  };
  /** The trusted block is older than the trusting period. */
  readonly trust_expired: { readonly blockNumber: bigint; readonly expiredAtMs: number };
  /** The block is not after the trusted one. */
  readonly before_trust: { readonly blockNumber: bigint; readonly trusted: bigint };
  /** Validators change so often that too many blocks in between are needed. */
  readonly too_many_blocks: { readonly limit: number };
  /** The proof does not lead from the state root to the record. */
  readonly wrong_proof: { readonly blockNumber: bigint };
  /** The node proves an older state than was asked for. */
  readonly stale_proof: { readonly blockNumber: bigint; readonly minBlockNumber: bigint };
  /** Genesis has no `clob.levelProofs`: that a level is absent would mean nothing. */
  readonly levels_not_provable: Readonly<Record<string, never>>;
  /** The node has no such block, or had none within the time. */
  readonly block_missing: { readonly blockNumber: bigint };
  /** Genesis, a trust, a block or a proof that can not be read. */
  readonly malformed: { readonly what: string };
}
/** What a {@link LightClientError} says in its `kind`; the type of its data follows from it. */
export type LightErrorKind = keyof LightErrorData;

/**
 * Something is not proven: who sent it lies, belongs to another network, or what is trusted is too old. `kind` says why and never changes,
 * `data` has the figures.
 */
export class LightClientError<kind extends LightErrorKind = LightErrorKind> extends PrimeSdkError {
  override name = 'LightClientError';
  readonly kind: kind;
  readonly data: LightErrorData[kind];

  constructor(kind: kind, shortMessage: string, data: LightErrorData[kind], cause?: Error) {
    super('NOT_PROVEN', shortMessage, { cause });
    this.kind = kind;
    this.data = data;
  }
}

/** @returns whether it is a LightClientError of the kind, with its data */
export const isLightError = <kind extends LightErrorKind>(
  error: unknown,
  kind: kind,
): error is LightClientError<kind> => error instanceof LightClientError && error.kind === kind;

/** Runs what reads foreign bytes. @throws LightClientError `malformed` where it can not be read */
export function reading<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof LightClientError) throw thrown;
    const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
    throw new LightClientError('malformed', `${what} can not be read: ${cause.message}.`, { what }, cause);
  }
}
