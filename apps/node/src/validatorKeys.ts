import { existsSync, readFileSync } from 'node:fs';
import type { ExecutionStatus, Genesis, RegisteredValidator } from '@prime/codec';
import { type HomePaths, parseKeyFile } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { MessageSigner } from '@prime/engine';
import type { Address } from '@prime/primitives';

/**
 * The validators of the chain as this process knows them, and its own hot keys.
 *
 * A key may be exchanged while the node runs: `keys/signer.next.json` is looked for whenever something about the validators changed, and
 * found in time, because a change decides the second block after it. Peers that are a block behind know the old key of a validator, so
 * that both count for a while.
 */
export class ValidatorKeys {
  /** The newest first; the engine reads it at each height. */
  readonly signers: MessageSigner[] = [];
  readonly #home: Pick<HomePaths, 'signerKey' | 'nextSignerKey'>;
  readonly #provider: CryptoProvider;
  #registered: readonly Pick<RegisteredValidator, 'address' | 'signer' | 'status'>[];
  #before: readonly Pick<RegisteredValidator, 'address' | 'signer'>[] = [];

  constructor(options: {
    readonly genesis: Genesis;
    readonly home: Pick<HomePaths, 'signerKey' | 'nextSignerKey'>;
    readonly provider: CryptoProvider;
  }) {
    this.#home = options.home;
    this.#provider = options.provider;
    const { validators } = validatorsFromGenesis(options.genesis.validators);
    this.#registered = validators.map((validator) => ({ ...validator, status: 'active' }));
    this.#readKeys();
  }

  /** A block changed something about the validators; nothing happens where it did not. */
  update({ validators }: Pick<ExecutionStatus, 'validators'>): void {
    if (validators === undefined) return;
    this.#before = this.#registered;
    this.#registered = validators;
    this.#readKeys();
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
    for (const { address } of this.signers) {
      const own = this.#registered.find((validator) => validator.signer === address && validator.status !== 'left');
      if (own !== undefined) return own.address;
    }
    return null;
  }

  /** The key to show to peers: of the own validator, or simply the first one. */
  shown(): MessageSigner {
    const self = this.self();
    const registered = self === null ? [] : this.signersOf(self);
    return this.signers.find(({ address }) => registered.includes(address)) ?? this.signers.at(-1)!;
  }

  #readKeys(): void {
    const { signerKey, nextSignerKey } = this.#home;
    for (const path of [signerKey, nextSignerKey]) {
      if (path === nextSignerKey && !existsSync(path)) continue;
      const { privateKey, publicKey } = parseKeyFile(this.#provider, readFileSync(path, 'utf8'), 'signer', path);
      const address = publicKeyToAddress(publicKey);
      if (this.signers.some((known) => known.address === address)) continue;
      this.signers.unshift({ address, sign: (digest) => this.#provider.sign(digest, privateKey) });
    }
  }
}
