import { join } from 'node:path';
import { type Genesis, genesisHash } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Hash, TimestampMs } from '@prime/primitives';
import { devPrivateKeys } from './devAccounts.ts';
import { formatGenesis, parseGenesis } from './genesisFile.ts';
import { relativeHomePaths } from './home.ts';
import {
  formatKeyFile,
  formatUnlockedAccounts,
  generateKeyPair,
  type KeyPair,
  keyPair,
  type RandomBytes,
} from './keyFile.ts';
import { formatListenAddress } from './listenAddress.ts';
import { createPreset, type Preset, type PresetName } from './presets.ts';
import { type ConfigValues, renderConfigToml } from './render.ts';

/** Transport identity of a node, made by @prime/network. */
export interface TlsIdentityFiles {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** SHA-256 of the SubjectPublicKeyInfo, 0x and 64 hex digits; peers pin it. */
  readonly spki: string;
}

/** Where one node is reached. */
export interface TestnetPlace {
  /** Where its sockets listen, for instance 127.0.0.1 or 0.0.0.0. */
  readonly listenHost: string;
  /** Where the other validators dial it. */
  readonly dialHost: string;
  readonly rpcPort: number;
  readonly p2pPort: number;
  readonly adminPort: number;
}

export interface TestnetInput {
  readonly preset: PresetName;
  readonly timestampMs: TimestampMs;
  /** One per validator. */
  readonly places: readonly TestnetPlace[];
  /** One per follower: a node without a part in consensus, which follows the validators. Default none. */
  readonly followerPlaces?: readonly TestnetPlace[];
  /** One per validator, then one per follower. */
  readonly tls: readonly TlsIdentityFiles[];
  /** The same bytes give the same network. */
  readonly randomBytes: RandomBytes;
  readonly provider: CryptoProvider;
}

/** A file to write, relative to the folder of the network. */
export interface TestnetFile {
  readonly path: string;
  readonly text: string;
  /** Permissions: 0o600 for keys, 0o644 for the rest. */
  readonly mode: number;
}

export interface Testnet {
  readonly genesis: Genesis;
  readonly genesisHash: Hash;
  readonly validators: readonly { readonly name: string; readonly owner: KeyPair; readonly signer: KeyPair }[];
  /** In the order in which they should be written. */
  readonly files: readonly TestnetFile[];
}

const validatorsMax = 100;
const followersMax = 100;

/** Folder of a follower inside the network's folder. */
export const followerName = (index: number): string => `follower${index}`;

/** Folder of a validator inside the network's folder. */
export const validatorName = (index: number): string => `validator${index}`;

/** RPC 8545…, p2p 26656…, admin 9100…, one apart. */
export const defaultPlace = (index: number): TestnetPlace => loopback(8_545 + index, 26_656 + index, 9_100 + index);

/** Ten ports for each validator from `basePort` on: +0 RPC, +1 p2p, +2 admin. */
export const placeFrom = (basePort: number, index: number): TestnetPlace => {
  const first = basePort + 10 * index;
  return loopback(first, first + 1, first + 2);
};

/** A machine or container of its own: the default ports on all of its addresses, dialled by name. */
export const placeOn = (dialHost: string): TestnetPlace => ({ ...defaultPlace(0), listenHost: '0.0.0.0', dialHost });

const loopback = (rpcPort: number, p2pPort: number, adminPort: number): TestnetPlace => ({
  listenHost: '127.0.0.1',
  dialHost: '127.0.0.1',
  rpcPort,
  p2pPort,
  adminPort,
});

/**
 * A network of n validators as files: a home for each, all with the same genesis, each listing the others as peers; and homes of
 * followers, which list the validators.
 * A pure function of its input: nothing is written, nothing is drawn from the system.
 *
 * @throws RangeError unless there are 1 to 100 places of validators, at most 100 of followers, and as many TLS identities
 */
export function createTestnet(input: TestnetInput): Testnet {
  const { places, tls, provider, randomBytes } = input;
  const followerPlaces = input.followerPlaces ?? [];
  const count = places.length + followerPlaces.length;
  const fits = places.length >= 1 && places.length <= validatorsMax && followerPlaces.length <= followersMax;
  if (!fits || tls.length !== count)
    throw new RangeError(
      `a network has 1 to ${validatorsMax} validators, at most ${followersMax} followers and as many TLS identities, ` +
        `got ${places.length}, ${followerPlaces.length} and ${tls.length}`,
    );
  const validators = places.map((_, index) => ({
    name: validatorName(index),
    owner: generateKeyPair(provider, randomBytes),
    signer: generateKeyPair(provider, randomBytes),
  }));
  const devAccounts = devPrivateKeys().map((key) => keyPair(provider, key));
  const [first] = validators;
  if (first === undefined) throw new RangeError('a network needs a validator');
  const preset = createPreset(input.preset, {
    devAccounts: devAccounts.map((account) => account.address),
    admin: first.owner.address,
  });
  const genesisText = formatGenesis({
    ...preset.genesis,
    timestampMs: input.timestampMs,
    validators: validators.map(({ name, owner, signer }) => ({
      address: owner.address,
      publicKey: signer.publicKey,
      stake: preset.stake,
      moniker: name,
    })),
  });
  // Read back, so that the value handed out is what every node will read from the file.
  const genesis = parseGenesis(genesisText);
  const unlocked = preset.unlocksDevAccounts ? devAccounts : [];
  const followers = followerPlaces.map((_, index) => ({
    name: followerName(index),
    owner: null,
    signer: generateKeyPair(provider, randomBytes),
  }));
  const files = [...validators, ...followers].flatMap((node, index) =>
    homeFiles({ input, preset, genesisText, unlocked, index, node, validators }).map((file) => ({
      ...file,
      path: join(node.name, file.path),
    })),
  );
  return { genesis, genesisHash: genesisHash(genesis), validators, files };
}

interface HomeInput {
  readonly input: TestnetInput;
  readonly preset: Preset;
  readonly genesisText: string;
  readonly unlocked: readonly KeyPair[];
  /** Among validators and then followers. */
  readonly index: number;
  /** A follower owns nothing; its signer key only shows who it is. */
  readonly node: { readonly owner: KeyPair | null; readonly signer: KeyPair };
  readonly validators: Testnet['validators'];
}

function homeFiles(home: HomeInput): TestnetFile[] {
  const { input, genesisText, unlocked, index, node } = home;
  const tls = input.tls[index]!;
  const secret = 0o600;
  const open = 0o644;
  const files: TestnetFile[] = [
    { path: relativeHomePaths.signerKey, text: formatKeyFile('signer', node.signer), mode: secret },
    { path: relativeHomePaths.tlsKey, text: tls.privateKeyPem, mode: secret },
    { path: relativeHomePaths.tlsCertificate, text: tls.certificatePem, mode: open },
    { path: relativeHomePaths.genesis, text: genesisText, mode: open },
    { path: relativeHomePaths.config, text: renderConfigToml(configOf(home)), mode: open },
  ];
  if (node.owner !== null)
    files.unshift({ path: relativeHomePaths.ownerKey, text: formatKeyFile('owner', node.owner), mode: secret });
  if (unlocked.length > 0)
    files.push({ path: relativeHomePaths.unlockedAccounts, text: formatUnlockedAccounts(unlocked), mode: secret });
  return files;
}

function configOf({ input, preset, index, node, validators }: HomeInput): ConfigValues {
  const place = [...input.places, ...(input.followerPlaces ?? [])][index]!;
  const listen = (port: number): string => formatListenAddress({ host: place.listenHost, port });
  const peers = validators.flatMap(({ owner }, other) =>
    other === index
      ? []
      : [
          {
            address: owner.address,
            host: input.places[other]!.dialHost,
            port: input.places[other]!.p2pPort,
            spki: input.tls[other]!.spki,
          },
        ],
  );
  const advertise =
    place.dialHost === place.listenHost
      ? {}
      : {
          'p2p.advertise': formatListenAddress({ host: place.dialHost, port: place.p2pPort }),
        };
  return {
    ...preset.config,
    'node.role': node.owner === null ? 'full' : 'validator',
    'rpc.listen': listen(place.rpcPort),
    'p2p.listen': listen(place.p2pPort),
    ...advertise,
    'p2p.peers': peers,
    'admin.listen': listen(place.adminPort),
  };
}
