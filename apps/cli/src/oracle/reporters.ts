import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homePaths, type KeyPair, parseGenesis, validatorName } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { readHomeFile } from '@prime/node';
import { type Address, bytesToHex } from '@prime/primitives';
import {
  definePrimeChain,
  getValidators,
  type PrimeWalletActions,
  primeWalletActions,
  toDigestAccount,
} from '@prime/sdk';
import { createClient, createWalletClient, type Hex, type Transport } from 'viem';
import { asCommand } from '../client/errors.ts';
import { notFound, usageError } from '../errors.ts';
import { existingHome } from '../files.ts';
import { openKeystore } from '../keys/keystores.ts';
import type { PasswordFlags } from '../keys/passwordFlags.ts';
import { countValidators } from '../testnet/files.ts';

/** For whom a feeder reports, and with which keys. */

/** Flags that say so, as they were typed. */
export interface ReporterFlags extends PasswordFlags {
  readonly home?: string;
  readonly network?: string;
  readonly key?: string;
  readonly validator?: string;
}

/** A validator whose prices are reported. */
export interface Reporter {
  readonly wallet: Pick<PrimeWalletActions, 'reportPrices'>;
  /** Its owner. */
  readonly validator: Address;
  /** That signs. */
  readonly key: Address;
}

/** A key that was opened, of a network with a chain id. */
interface ReporterKey {
  readonly key: KeyPair;
  readonly chainId: number;
}

/**
 * The keys of a home, or of all validators of a network in a folder.
 *
 * @throws CliError `CLI_USAGE` unless there is one of `--home` and `--network`; `CLI_NOT_FOUND`; errors of keystores
 */
export async function reporterKeys(flags: ReporterFlags): Promise<readonly ReporterKey[]> {
  const { home, network, key, validator } = flags;
  if ((home === undefined) === (network === undefined)) throw usageError('give either --home or --network', '--home');
  if (home !== undefined) return [await keyOf(home, flags)];
  const more = [
    ['--key', key],
    ['--validator', validator],
  ].find(([, value]) => value !== undefined);
  if (more !== undefined) throw usageError(`${more[0]} is for --home: --network has keys of its own`, more[0]!);
  const folder = resolve(network!);
  const count = countValidators(folder);
  if (count === 0) throw notFound(`${folder} has no validators of prime testnet`, folder);
  return Promise.all(Array.from({ length: count }, (_, index) => keyOf(homeWithKey(folder, index), {})));
}

/** A validator with a remote signer has no key: the signer of a local network is in the folder beside it. */
function homeWithKey(folder: string, index: number): string {
  const [own, signer] = [validatorName(index), `signer${index}`].map((name) => join(folder, name)) as [string, string];
  return existsSync(homePaths(own).signerKey) ? own : signer;
}

async function keyOf(folder: string, flags: ReporterFlags): Promise<ReporterKey> {
  const { genesis, home } = await existingHome(folder);
  const { chainId } = parseGenesis(await readHomeFile(genesis));
  const path = flags.key ?? homePaths(home).signerKey;
  const { key } = await openKeystore(path, flags.key === undefined ? 'signer' : 'owner', '--key', flags);
  return { key, chainId };
}

/** Nodes that are asked as one. */
export interface FeederNodes {
  readonly urls: readonly [string, ...string[]];
  readonly transport: Transport;
}

/**
 * Who reports with each of the keys.
 *
 * @param validator owner of the validator; absent: the one that a key signs for
 * @throws CliError `CLI_NOT_FOUND` for a key that signs for no validator, `CLI_UNREACHABLE`
 */
export async function reportersOf(
  keys: readonly ReporterKey[],
  { urls, transport }: FeederNodes,
  validator: string | undefined,
): Promise<readonly Reporter[]> {
  const provider = await cryptoProvider();
  const known =
    validator === undefined ? await asCommand(urls[0], () => getValidators(createClient({ transport }))) : [];
  return keys.map(({ key, chainId }) => {
    const account = toDigestAccount({
      address: key.address as Hex,
      signDigest: (digest: Uint8Array): Uint8Array => provider.sign(digest, key.privateKey),
    });
    const wallet = createWalletClient({
      account,
      chain: definePrimeChain({ id: chainId, http: urls }),
      transport,
    }).extend(primeWalletActions());
    const publicKey = bytesToHex(key.publicKey);
    const owner = validator ?? known.find((each) => each.publicKey === publicKey)?.address;
    if (owner === undefined)
      throw notFound(
        `${key.address} signs for no validator of the network: name the owner with --validator`,
        'validator',
      );
    return { wallet, validator: owner as Address, key: key.address };
  });
}
