import type { Hash } from '../types/primitives.ts';
import { PrimeSdkError } from './base.ts';
import { decodeRefusalData, type RefusalData, type RefusalKind } from './refusalData.ts';

/** A refusal as nodes and blocks tell it. */
export interface WireRefusal {
  readonly kind: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the action; null for what never got into a block. */
  readonly hash: Hash | null;
  readonly cause?: Error | undefined;
}

/**
 * The order book or the bridge refused: nothing changed. `kind` says why and never changes, `data` has the figures.
 *
 * Each kind has a class of its own below; a kind that this version does not know comes as a plain RefusalError.
 */
export class RefusalError extends PrimeSdkError {
  override name = 'RefusalError';
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the action, which is in a block; null where it was refused before. */
  readonly hash: Hash | null;

  constructor({ kind, message, data, hash, cause }: WireRefusal) {
    super('REFUSED', `Refused: ${message}.`, { cause });
    this.kind = kind;
    this.data = decodeRefusalData(data);
    this.hash = hash;
  }
}

/** A refusal of a kind that has data of its own. */
export class KnownRefusalError<kind extends RefusalKind> extends RefusalError {
  declare readonly kind: kind;
  declare readonly data: RefusalData[kind];
}
