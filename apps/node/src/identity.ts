import { readFileSync } from 'node:fs';
import { parseKeyFile } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { MessageSigner } from '@prime/engine';
import { type Address, bytesEqual } from '@prime/primitives';
import type { ThreadData } from './threadData.ts';

export interface Identity {
  readonly provider: CryptoProvider;
  /** Address of this node's validator; null on a follower. */
  readonly validator: Address | null;
  /** The hot key; a follower's only shows who it is. */
  readonly signer: MessageSigner;
}

/** The hot key of the home folder and the validator that genesis registered it for. */
export function readIdentity(
  { config, genesis, home }: Pick<ThreadData, 'config' | 'genesis' | 'home'>,
  provider: CryptoProvider,
): Identity {
  const { privateKey } = parseKeyFile(provider, readFileSync(home.signerKey, 'utf8'), 'signer', home.signerKey);
  const publicKey = provider.publicKey(privateKey);
  const own = validatorsFromGenesis(genesis.validators).validators.find((validator) =>
    bytesEqual(validator.publicKey, publicKey),
  );
  return {
    provider,
    validator: config.node.role === 'validator' ? (own?.address ?? null) : null,
    signer: { address: publicKeyToAddress(publicKey), sign: (digest) => provider.sign(digest, privateKey) },
  };
}
