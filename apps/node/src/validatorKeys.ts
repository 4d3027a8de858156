import { existsSync, readFileSync } from 'node:fs';
import type { ExecutionStatus, Genesis, RegisteredValidator } from '@prime/codec';
import { type HomePaths, parseKeyFile } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { HotKey } from '@prime/engine';
import type { HeldKey } from '@prime/network';
import type { Address, Height } from '@prime/primitives';
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
  readonly #source: () => readonly HotKey[];
  readonly #notePath: string;
  #noted: NotedValidator | null;
  #registered: readonly Pick<RegisteredValidator, 'address' | 'signer' | 'status'>[];
  #before: readonly Pick<RegisteredValidator, 'address' | 'signer'>[] = [];
  /** What is registered is known as of this block. */
  #height = 0 as Height;

  /** @param source the keys that this node has now, the oldest first @param notePath see validatorNote.ts */
  constructor(genesis: Genesis, source: () => readonly HotKey[], notePath: string) {
    this.#source = source;
    this.#notePath = notePath;
    this.#noted = readValidatorNote(notePath);
    const { validators } = validatorsFromGenesis(genesis.validators);
    this.#registered = validators.map((validator) => ({ ...validator, status: 'active' }));
    this.reread();
  }

  /** A block was executed; without validators it changed nothing about them. */
  update({ height, validators }: Pick<ExecutionStatus, 'height' | 'validators'>): void {
    this.#height = height;
    if (validators === undefined) return;
    this.#before = this.#registered;
    this.#registered = validators;
    this.reread();
    this.#note();
  }

  /** Hot keys that a validator may show itself with; none when the address is no validator. */
  signersOf(address: Address): readonly Address[] {
    const now = this.#registered.find((validator) => validator.address === address && validator.status !== 'left');
    if (now === undefined) return [];
    const before = this.#before.find((validator) => validator.address === address);
    return before === undefined || before.signer === now.signer ? [now.signer] : [now.signer, before.signer];
  }

  /** The validator that one of the own keys is registered for. */
  self(): Address | null {
    if (this.#notedKey !== null) return this.#noted!.address;
    for (const { address } of this.signers) {
      const own = this.#registered.find((validator) => validator.signer === address && validator.status !== 'left');
      if (own !== undefined) return own.address;
    }
    return null;
  }

  /** The key to show to peers: of the own validator, or simply the first one. */
  shown(): HotKey {
    if (this.#notedKey !== null) return this.#notedKey;
    const self = this.self();
    const registered = self === null ? [] : this.signersOf(self);
    const held = registered.flatMap((signer) => this.signers.find(({ address }) => address === signer) ?? []);
    return held[0] ?? this.signers.at(-1)!;
  }

  /** The own key that the noted validator votes with, where the state that is here is older than the note, or does not know that validator. */
  get #notedKey(): HotKey | null {
    const noted = this.#noted;
    if (noted === null) return null;
    const isKnown = this.#registered.some(({ address }) => address === noted.address);
    if (isKnown && this.#height >= noted.height) return null;
    return this.signers.find(({ address }) => address === noted.signer) ?? null;
  }

  /** Keeps the note up to date: written when the chain says something else, and gone when the validator left. What older blocks say counts for nothing. */
  #note(): void {
    if (this.#noted !== null && this.#height < this.#noted.height) return;
    for (const { address, signer, status } of this.#registered) {
      const isNoted = address === this.#noted?.address;
      if (status === 'left') {
        if (isNoted) this.#write(null);
      } else if (this.signers.some((key) => key.address === signer) && !(isNoted && signer === this.#noted?.signer))
        this.#write({ address, signer, height: this.#height });
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

/** The hot keys in a home folder, the one in use first. @throws ConfigError `CONFIG_KEY_FILE_INVALID` */
export const homeKeys =
  ({ signerKey, nextSignerKey }: Pick<HomePaths, 'signerKey' | 'nextSignerKey'>, provider: CryptoProvider) =>
  (): HeldKey[] =>
    [signerKey, nextSignerKey].flatMap((path) => {
      if (path === nextSignerKey && !existsSync(path)) return [];
      const { privateKey, publicKey } = parseKeyFile(provider, readFileSync(path, 'utf8'), 'signer', path);
      const address = publicKeyToAddress(publicKey);
      return [{ address, publicKey, sign: (digest) => provider.sign(digest, privateKey) }];
    });
