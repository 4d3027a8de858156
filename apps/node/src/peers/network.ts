import { readFile } from 'node:fs/promises';
import { genesisHash } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { NodeConfig } from '@prime/config';
import { type Clock, isRemote, type Peer, type PeerEvents, protocolOffer } from '@prime/engine';
import { type BanRecord, type BanStore, createNetwork, type Network } from '@prime/network';
import { type Address, assert, type Height, parseAddress } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Logger } from '@prime/telemetry';
import { engineLog } from '../logging.ts';
import { networkLimits } from './networkLimits.ts';
import { nodeProtocol } from './nodeProtocol.ts';
import type { ThreadData } from '../threads/threadData.ts';
import { readTlsIdentity } from '../keys/keyFiles.ts';
import type { ValidatorKeys } from '../keys/validatorKeys.ts';

/** Who this node is to its peers, and who takes what they send. */
export interface NodeNetworkOptions {
  readonly data: Pick<ThreadData, 'config' | 'genesis' | 'home'>;
  readonly validator: Address | null;
  readonly keys: ValidatorKeys;
  /** Of a key in a remote signer, for the TLS key of this node; null where the keys are here. */
  readonly credential: ((key: Address) => Uint8Array) | null;
  readonly provider: CryptoProvider;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly head: () => Height;
  readonly events: PeerEvents;
}

/** The transport of this node, from its configuration and keys; nothing is opened yet. */
export function openNetwork(options: NodeNetworkOptions): Network {
  const { data, validator, keys, credential, logger } = options;
  const signer = keys.shown();
  const { config, genesis, home } = data;
  const { p2p, node } = config;
  const protocol = nodeProtocol(data);
  const hides = p2p.sentries.length > 0;
  const sentries = new Set(p2p.sentries.map(parseAddress));
  const listed = p2p.peers.map(({ address, ...peer }) => ({ ...peer, address: parseAddress(address) }));
  const log = engineLog(logger);
  if (validator === null && node.role === 'validator')
    logger.warn(
      { signer: signer.address },
      'the key is not registered for a validator: a full node until the next start',
    );
  return createNetwork(
    {
      listen: p2p.listen,
      advertise: hides ? null : p2p.advertise,
      tls: readTlsIdentity(home),
      identity: {
        address: validator ?? signer.address,
        role: shownRole(node.role, validator !== null),
        signer: signer.address,
        sign: (digest) => {
          const shown = keys.shown();
          assert(!isRemote(shown), 'a node with a remote signer shows the word of its signer');
          return shown.sign(digest);
        },
        ...(credential !== null && { credential: () => credential(keys.shown().address) }),
      },
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      protocol: () => protocolOffer(protocol, options.head()),
      // Behind sentries there is nobody else.
      peers: hides ? listed.filter(({ address }) => sentries.has(address)) : listed,
      dialPolicy: p2p.dialPolicy,
      acceptUnknownFollowers: takesFollowers(p2p.followers, genesis.testNetwork) && !hides,
      signersOf: (address) => keys.roster.signersOf(address),
      formerSignersOf: (address) => keys.roster.formerSignersOf(address),
      provider: options.provider,
      headHeight: options.head,
      limits: networkLimits(config),
      clock: options.clock,
      random: Math.random,
      log,
      bans: fileBanStore(home.bans),
    },
    options.events,
  );
}

/** Whether nodes that nobody listed may follow this one. */
export const takesFollowers = (followers: NodeConfig['p2p']['followers'], isTestNetwork: boolean): boolean =>
  followers === 'auto' ? isTestNetwork : followers === 'all';

/**
 * How a node shows itself.
 *
 * @param isRegistered whether one of its keys is a validator's, as far as is known here: before it joined it comes as a full node
 */
export const shownRole = (role: NodeConfig['node']['role'], isRegistered: boolean): Peer['role'] =>
  isRegistered ? 'validator' : role === 'validator' ? 'full' : role;

/** Bans in a small file of the home folder; a missing or damaged one means no bans. */
function fileBanStore(path: string): BanStore {
  return {
    async load() {
      try {
        return JSON.parse(await readFile(path, 'utf8')) as readonly BanRecord[];
      } catch {
        return [];
      }
    },
    async save(records) {
      writeFileDurably(path, new TextEncoder().encode(`${JSON.stringify(records)}\n`), 0o600);
    },
  };
}
