import { dirname, join, relative } from 'node:path';
import { type Genesis, type GenesisMarket, genesisHash } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { bytesToHex, type Hash, type TimestampMs } from '@prime/primitives';
import { devPrivateKeys } from '../keys/devAccounts.ts';
import { formatGenesis, parseGenesis } from '../genesis/genesisFile.ts';
import { ownerKeyPath, passwordName, relativeHomePaths } from '../home.ts';
import { generateKeyPair, type KeyKind, type KeyPair, keyPair, type RandomBytes } from '../keys/keys.ts';
import { formatKeystore, scryptCosts } from '../keys/keystore.ts';
import { formatListenAddress } from '../listenAddress.ts';
import { createPreset, type Preset, type PresetName } from './presets.ts';
import { type ConfigValues, renderConfigToml } from '../render.ts';
import { formatUnlockedAccounts } from '../keys/unlockedAccounts.ts';

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

/** What a network may have instead of what its preset says. */
export interface GenesisOfItsOwn {
  readonly networkName?: string;
  readonly chainId?: number;
  readonly markets?: readonly GenesisMarket[];
  readonly minBlockIntervalMs?: number;
  readonly emptyBlockIntervalMs?: number;
  /** False: no price comes from outside, and nobody has to report any. */
  readonly oracle?: boolean;
}

/** Whom a node connects with: numbers of nodes, validators first and then followers. */
export interface NodeWiring {
  readonly peers: readonly number[];
  /** Of a validator: its sentries, which are among its peers. */
  readonly sentries: readonly number[];
  /** Of a sentry: the validators behind it, which are among its peers. */
  readonly privatePeers: readonly number[];
}

/** All that decides what the files of a network say. Lists of one per node are in the order of their folders. */
export interface TestnetInput {
  readonly preset: PresetName;
  readonly timestampMs: TimestampMs;
  /** One per validator. */
  readonly places: readonly TestnetPlace[];
  /** One per follower: a node without a part in consensus, which follows the validators. Default none. */
  readonly followerPlaces?: readonly TestnetPlace[];
  /** One per validator, then one per follower. */
  readonly tls: readonly TlsIdentityFiles[];
  /** What genesis has of its own; default: what the preset says. */
  readonly genesis?: GenesisOfItsOwn;
  /** One per validator; default: named as its folder, with the stake of the preset. */
  readonly members?: readonly { readonly moniker: string; readonly stake: bigint }[];
  /** Folders of the followers; default: follower0 … */
  readonly followerNames?: readonly string[];
  /** One per validator, then one per follower; default: {@link meshWiring}. */
  readonly wiring?: readonly NodeWiring[];
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

/** A network that exists in memory only. It holds private keys: see the mode of each file. */
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

/** Each validator lists the other validators, each follower all of them. */
export const meshWiring = (validators: number, followers: number): NodeWiring[] =>
  Array.from({ length: validators + followers }, (_, index) => ({
    peers: [...Array(validators).keys()].filter((other) => other !== index),
    sentries: [],
    privatePeers: [],
  }));

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
    ...ownGenesis(preset.genesis, input.genesis ?? {}),
    timestampMs: input.timestampMs,
    validators: validators.map(({ name, owner, signer }, index) => ({
      address: owner.address,
      publicKey: signer.publicKey,
      stake: input.members?.[index]?.stake ?? preset.stake,
      moniker: input.members?.[index]?.moniker ?? name,
    })),
  });
  // Read back, so that the value handed out is what every node will read from the file.
  const genesis = parseGenesis(genesisText);
  const unlocked = preset.unlocksDevAccounts ? devAccounts : [];
  const followers = followerPlaces.map((_, index) => ({
    name: input.followerNames?.[index] ?? followerName(index),
    owner: null,
    signer: generateKeyPair(provider, randomBytes),
  }));
  const nodes = [...validators, ...followers];
  const files = nodes.flatMap((node, index) =>
    homeFiles({ input, preset, genesisText, unlocked, index, node, nodes }).map((file) => ({
      ...file,
      path: join(node.name, file.path),
    })),
  );
  return {
    genesis,
    genesisHash: genesisHash(genesis),
    validators,
    files: [...ownerFiles(validators, randomBytes), ...files],
  };
}

const secret = 0o600;

/** A password that nobody has to guess: 256 bits, in hex. */
export const generatePassword = (randomBytes: RandomBytes): string => bytesToHex(randomBytes(32)).slice(2);

/** A file with a generated password, and keys under it: they need no cost, because the password can not be guessed. */
function keyFiles(
  folder: string,
  keys: readonly { readonly path: string; readonly kind: KeyKind; readonly key: KeyPair }[],
  randomBytes: RandomBytes,
): TestnetFile[] {
  const password = generatePassword(randomBytes);
  const stores = keys.map(({ path, kind, key }) => ({
    path,
    text: formatKeystore(kind, key, password, { cost: scryptCosts.light, randomBytes }),
    mode: secret,
  }));
  return [{ path: join(folder, passwordName), text: `${password}\n`, mode: secret }, ...stores];
}

/** Beside the homes: no node needs them. */
function ownerFiles(validators: Testnet['validators'], randomBytes: RandomBytes): TestnetFile[] {
  const keys = validators.map(({ name, owner }) => ({
    path: relative('.', ownerKeyPath(name)),
    kind: 'owner' as const,
    key: owner,
  }));
  return keyFiles(dirname(keys[0]!.path), keys, randomBytes);
}

function ownGenesis(genesis: Preset['genesis'], own: GenesisOfItsOwn): Preset['genesis'] {
  const { minBlockIntervalMs, emptyBlockIntervalMs, oracle, ...rest } = own;
  const consensus = {
    ...genesis.consensus,
    ...(minBlockIntervalMs === undefined ? {} : { minBlockIntervalMs }),
    ...(emptyBlockIntervalMs === undefined ? {} : { emptyBlockIntervalMs }),
  };
  const all = { ...genesis, ...rest, consensus };
  return oracle === false ? withoutOracle(all) : all;
}

function withoutOracle({
  clob: { oracle: _oracle, ...clob },
  markets,
  ...genesis
}: Preset['genesis']): Preset['genesis'] {
  return { ...genesis, clob, markets: markets.map(({ oracle: _own, ...market }) => market) };
}

/** A follower owns nothing; its signer key only shows who it is. */
interface HomeOwner {
  readonly owner: KeyPair | null;
  readonly signer: KeyPair;
}

interface HomeInput {
  readonly input: TestnetInput;
  readonly preset: Preset;
  readonly genesisText: string;
  readonly unlocked: readonly KeyPair[];
  /** Among validators and then followers. */
  readonly index: number;
  readonly node: HomeOwner;
  /** All nodes. */
  readonly nodes: readonly HomeOwner[];
}

function homeFiles(home: HomeInput): TestnetFile[] {
  const { input, genesisText, unlocked, index, node } = home;
  const tls = input.tls[index]!;
  const open = 0o644;
  const signer = { path: relativeHomePaths.signerKey, kind: 'signer', key: node.signer } as const;
  const files: TestnetFile[] = [
    ...keyFiles(relativeHomePaths.keys, [signer], input.randomBytes),
    { path: relativeHomePaths.tlsKey, text: tls.privateKeyPem, mode: secret },
    { path: relativeHomePaths.tlsCertificate, text: tls.certificatePem, mode: open },
    { path: relativeHomePaths.genesis, text: genesisText, mode: open },
    { path: relativeHomePaths.config, text: renderConfigToml(configOf(home)), mode: open },
  ];
  if (unlocked.length > 0)
    files.push({ path: relativeHomePaths.unlockedAccounts, text: formatUnlockedAccounts(unlocked), mode: secret });
  return files;
}

function configOf({ input, preset, index, node, nodes }: HomeInput): ConfigValues {
  const { places, followerPlaces = [], tls } = input;
  const allPlaces = [...places, ...followerPlaces];
  const place = allPlaces[index]!;
  const wiring = (input.wiring ?? meshWiring(places.length, followerPlaces.length))[index]!;
  const listen = (port: number): string => formatListenAddress({ host: place.listenHost, port });
  const addressOf = (other: number): string => nodes[other]!.owner?.address ?? nodes[other]!.signer.address;
  const peers = wiring.peers.map((other) => ({
    address: addressOf(other),
    host: allPlaces[other]!.dialHost,
    port: allPlaces[other]!.p2pPort,
    spki: tls[other]!.spki,
  }));
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
    ...(wiring.sentries.length === 0 ? {} : { 'p2p.sentries': wiring.sentries.map(addressOf) }),
    ...(wiring.privatePeers.length === 0 ? {} : { 'p2p.private_peers': wiring.privatePeers.map(addressOf) }),
    'admin.listen': listen(place.adminPort),
  };
}
