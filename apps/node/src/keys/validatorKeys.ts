import type { ExecutionStatus, Genesis, ValidatorSet } from '@prime/codec';
import { type HotKey, ValidatorRoster } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { type OwnValidator, readOwnValidator, writeOwnValidator } from './ownValidator.ts';

/**
 * The validators of the chain as this process knows them, and its own hot keys.
 *
 * A key may be exchanged while the node runs: a new one (`keys/signer.next.json`) is looked for whenever something about the validators changed, and
 * found in time, because a change decides the second block after it. Peers that are a block behind know the old key of a validator, so
 * that both count for a while.
 */
export class ValidatorKeys {
  /** The newest first; the engine reads it at each height. */
  readonly signers: HotKey[] = [];
  /** Who the others are. */
  readonly roster: ValidatorRoster;
  readonly #source: () => readonly HotKey[];
  readonly #recordPath: string;
  #recorded: OwnValidator | null;

  /** @param source the keys that this node has now, the oldest first @param recordPath see ownValidator.ts */
  constructor(genesis: Genesis, source: () => readonly HotKey[], recordPath: string) {
    this.#source = source;
    this.#recordPath = recordPath;
    this.#recorded = readOwnValidator(recordPath);
    this.roster = new ValidatorRoster(genesis);
    this.reread();
  }

  /** What execution says at the start. @param next the set that decides the block after it; null where that is not known */
  begin(status: Pick<ExecutionStatus, 'height' | 'validators'>, next: ValidatorSet | null): void {
    this.roster.begin(status, next);
    if (status.validators !== undefined) this.refresh();
  }

  /**
   * A block was executed; without validators it changed nothing about them.
   *
   * @returns whether the members of the roster may be others now
   */
  update(status: Pick<ExecutionStatus, 'height' | 'validators'>): boolean {
    const isMoved = this.roster.update(status);
    if (status.validators !== undefined) this.refresh();
    return isMoved;
  }

  /** Looks at the source again, which may have a new key. */
  refresh(): void {
    this.reread();
    this.#record();
  }

  /** The validator that one of the own keys is registered for. */
  self(): Address | null {
    if (this.#recordedKey !== null) return this.#recorded!.address;
    for (const { address: signer } of this.signers) {
      const own = this.roster.validatorOf(signer);
      if (own !== null) return own;
    }
    return null;
  }

  /** The key to show to peers: of the own validator, or simply the first one. */
  shown(): HotKey {
    if (this.#recordedKey !== null) return this.#recordedKey;
    const self = this.self();
    const registered = self === null ? [] : this.roster.signersOf(self);
    const held = registered.flatMap((signer) => this.signers.find(({ address }) => address === signer) ?? []);
    return held[0] ?? this.signers.at(-1)!;
  }

  /** The own key that the recorded validator votes with, where the state that is here is older than the record, or does not know that validator. */
  get #recordedKey(): HotKey | null {
    const recorded = this.#recorded;
    if (recorded === null) return null;
    const isKnown = this.roster.registered.some(({ address }) => address === recorded.address);
    if (isKnown && this.roster.height >= recorded.height) return null;
    return this.signers.find(({ address }) => address === recorded.signer) ?? null;
  }

  /** Keeps the record up to date: written when the chain says something else, and gone when the validator left. What older blocks say counts for nothing. */
  #record(): void {
    if (this.#recorded !== null && this.roster.height < this.#recorded.height) return;
    for (const { address, signer, status } of this.roster.registered) {
      const isRecorded = address === this.#recorded?.address;
      if (status === 'left') {
        if (isRecorded) this.#write(null);
      } else if (
        this.signers.some((key) => key.address === signer) &&
        !(isRecorded && signer === this.#recorded?.signer)
      )
        this.#write({ address, signer, height: this.roster.height });
    }
  }

  #write(recorded: OwnValidator | null): void {
    this.#recorded = recorded;
    writeOwnValidator(this.#recordPath, recorded);
  }

  /** The source may have a new key. */
  reread(): void {
    for (const key of this.#source())
      if (!this.signers.some(({ address }) => address === key.address)) this.signers.unshift(key);
  }
}
