import type { CommitOutcome } from '@prime/codec';
import type { SignerReader } from '@prime/engine';
import { type Address, assert, type Height } from '@prime/primitives';

/** Signers whose nonces are kept at most: some 600 bytes each. */
const keptMax = 4_096;

/** Where records of signers are read. */
export interface StoredSigners {
  readonly records: SignerReader;
  /** The newest block whose records are written; null before the first one. */
  height(): Height | null;
}

/**
 * What the order book keeps about signers, as of the newest block that is written. Who sends many orders has his nonces read once a block: to look them up
 * costs more than all else that is asked about an order here.
 *
 * Nothing is kept while the newest block is not written yet: its records come between two looks.
 */
export class RecentSigners implements SignerReader {
  #stored: StoredSigners | null = null;
  #newest = 0 as Height;
  /** Whether the records are those of the newest block. */
  #isWritten = false;
  readonly #nonces = new Map<Address, readonly number[]>();

  /** The database is open. @param newest block whose results are known */
  over(stored: StoredSigners, newest: Height): this {
    this.#stored = stored;
    this.onCommit({ height: newest });
    return this;
  }

  onCommit({ height }: Pick<CommitOutcome, 'height'>): void {
    this.#newest = height;
    this.#isWritten = false;
    this.#nonces.clear();
  }

  signerNonces(signer: Address): readonly number[] {
    const known = this.#nonces.get(signer);
    if (known !== undefined) return known;
    // Asked before the record is read: what is written in between is seen then.
    this.#isWritten ||= (this.#open.height() ?? 0) >= this.#newest;
    const nonces = this.#open.records.signerNonces(signer);
    if (this.#isWritten && this.#nonces.size < keptMax) this.#nonces.set(signer, nonces);
    return nonces;
  }

  agent(account: Address, agent: Address): ReturnType<SignerReader['agent']> {
    return this.#open.records.agent(account, agent);
  }

  authority(account: Address): Address {
    return this.#open.records.authority(account);
  }

  isLocked(account: Address): boolean {
    return this.#open.records.isLocked(account);
  }

  isKnown(account: Address): boolean {
    return this.#open.records.isKnown(account);
  }

  get #open(): StoredSigners {
    assert(this.#stored !== null, 'signers were looked up before the database was open');
    return this.#stored;
  }
}
