import type { ExecutionStatus, Genesis, ValidatorSet } from '@prime/codec';
import { type HotKey, ValidatorRoster } from '@prime/engine';
import type { Address } from '@prime/primitives';
import { type NotedValidator, readValidatorNote, writeValidatorNote } from './validatorNote.ts';

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
  readonly #notePath: string;
  #noted: NotedValidator | null;

  /** @param source the keys that this node has now, the oldest first @param notePath see validatorNote.ts */
  constructor(genesis: Genesis, source: () => readonly HotKey[], notePath: string) {
    this.#source = source;
    this.#notePath = notePath;
    this.#noted = readValidatorNote(notePath);
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
    this.#note();
  }

  /** The validator that one of the own keys is registered for. */
  self(): Address | null {
    if (this.#notedKey !== null) return this.#noted!.address;
    for (const { address: signer } of this.signers) {
      const own = this.roster.validatorOf(signer);
      if (own !== null) return own;
    }
    return null;
  }

  /** The key to show to peers: of the own validator, or simply the first one. */
  shown(): HotKey {
    if (this.#notedKey !== null) return this.#notedKey;
    const self = this.self();
    const registered = self === null ? [] : this.roster.signersOf(self);
    const held = registered.flatMap((signer) => this.signers.find(({ address }) => address === signer) ?? []);
    return held[0] ?? this.signers.at(-1)!;
  }

  /** The own key that the noted validator votes with, where the state that is here is older than the note, or does not know that validator. */
  get #notedKey(): HotKey | null {
    const noted = this.#noted;
    if (noted === null) return null;
    const isKnown = this.roster.registered.some(({ address }) => address === noted.address);
    if (isKnown && this.roster.height >= noted.height) return null;
    return this.signers.find(({ address }) => address === noted.signer) ?? null;
  }

  /** Keeps the note up to date: written when the chain says something else, and gone when the validator left. What older blocks say counts for nothing. */
  #note(): void {
    if (this.#noted !== null && this.roster.height < this.#noted.height) return;
    for (const { address, signer, status } of this.roster.registered) {
      const isNoted = address === this.#noted?.address;
      if (status === 'left') {
        if (isNoted) this.#write(null);
      } else if (this.signers.some((key) => key.address === signer) && !(isNoted && signer === this.#noted?.signer))
        this.#write({ address, signer, height: this.roster.height });
    }
  }

  #write(noted: NotedValidator | null): void {
    this.#noted = noted;
    writeValidatorNote(this.#notePath, noted);
  }

  /** The source may have a new key. */
  reread(): void {
    for (const key of this.#source())
      if (!this.signers.some(({ address }) => address === key.address)) this.signers.unshift(key);
  }
}
