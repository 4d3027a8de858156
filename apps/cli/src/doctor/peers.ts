import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { randomBytes } from 'node:crypto';
import { type Genesis, genesisHash, type ProtocolSchedule } from '@prime/codec';
import { generateKeyPair, type PeerConfig } from '@prime/config';
import { cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { type Clock, type Peer, protocolOffer } from '@prime/engine';
import { createNetwork, generateTlsIdentity, type Network, type NetworkOptions } from '@prime/network';
import { type Height, parseAddress } from '@prime/primitives';
import { listNames } from '@prime/sdk/explain';
import { type Check, fail, ok, warn } from './check.ts';

/** Whether the names of peers lead anywhere. */
export async function dnsCheck(peers: readonly PeerConfig[]): Promise<Check> {
  const hosts = [...new Set(peers.map(({ host }) => host))].filter((host) => isIP(host) === 0);
  if (hosts.length === 0) return ok('peer names', 'none: peers are listed by their addresses');
  const failures = await Promise.all(
    hosts.map(async (host) => {
      const reason = await lookup(host).then(
        () => null,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      return reason === null ? [] : [`${host} (${reason})`];
    }),
  );
  const unknown = failures.flat();
  if (unknown.length === 0) return ok('peer names', `${hosts.length} of ${hosts.length} are known`);
  const advice = {
    why: 'a peer whose name leads nowhere is never dialled',
    advice: 'look after /etc/resolv.conf and the records of these names; an address works, too',
  };
  const found = `${unknown.length} of ${hosts.length} are not: ${listNames(unknown)}`;
  return (unknown.length === hosts.length ? fail : warn)('peer names', found, advice);
}

/** What became of asking a peer who it is. */
export interface PeerProbe {
  readonly peer: PeerConfig;
  /** Null where it did not say who it is. */
  readonly protocol: Peer['protocol'] | null;
  /** Why it did not. */
  readonly trouble: { readonly code: string; readonly reason: string } | null;
}

/** For all peers together, ms: longer than a node waits for one connection. */
const probeMs = 8_000;

/** Timers and clocks of this process. */
const clock: Clock = {
  nowMs: Date.now,
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
const ignore = (): void => undefined;

/**
 * A node that nobody knows, that listens nowhere, and that has no block: the pin of a listed peer proves who it is, whatever key it has exchanged since.
 *
 * @param observe told of everything that happens to connections
 */
async function stranger(
  genesis: Genesis,
  protocol: ProtocolSchedule,
  peers: NetworkOptions['peers'],
  observe: () => void,
): Promise<Network> {
  const provider = await cryptoProvider();
  const key = generateKeyPair(provider, (length) => new Uint8Array(randomBytes(length)));
  const options: NetworkOptions = {
    listen: null,
    advertise: null,
    tls: await generateTlsIdentity(),
    identity: {
      address: key.address,
      role: 'full',
      signer: key.address,
      sign: (digest) => provider.sign(digest, key.privateKey),
    },
    chainId: genesis.chainId,
    genesisHash: genesisHash(genesis),
    protocol: () => protocolOffer(protocol, 0 as Height),
    peers,
    signersOf: (address) =>
      genesis.validators
        .filter((validator) => validator.address === address)
        .map(({ publicKey }) => publicKeyToAddress(publicKey)),
    provider,
    headHeight: () => 0 as Height,
    clock,
    random: Math.random,
    log: { debug: ignore, info: ignore, warn: ignore },
    observe,
  };
  return createNetwork(options, {
    onMessage: ignore,
    onPeerConnected: ignore,
    onPeerDisconnected: ignore,
    onIdentityInUse: ignore,
  });
}

/**
 * Asks each peer who it is, by the handshake of nodes and without a key of the home, so that no validator seems to run twice. A peer that takes no strangers says who it
 * is, too, before it ends the connection.
 */
export async function probePeers(
  genesis: Genesis,
  protocol: ProtocolSchedule,
  peers: readonly PeerConfig[],
): Promise<PeerProbe[]> {
  const known = new Map<string, Peer['protocol']>();
  const troubles = new Map<string, PeerProbe['trouble']>();
  const listed = peers.map(({ address, ...peer }) => ({ ...peer, address: parseAddress(address) }));
  let settled = (): void => undefined;
  const done = new Promise<void>((resolve) => (settled = resolve));
  const network = await stranger(genesis, protocol, listed, () => {
    for (const { address, protocol: offer } of network.peerDetails()) known.set(address, offer);
    for (const { address, trouble } of network.unconnected()) if (trouble !== null) troubles.set(address, trouble);
    if (listed.every(({ address }) => known.has(address) || troubles.has(address))) settled();
  });
  const timer = setTimeout(settled, probeMs);
  await network.start();
  await done;
  clearTimeout(timer);
  await network.close();
  const late = { code: 'NETWORK_HANDSHAKE_TIMEOUT', reason: `no answer within ${probeMs} ms` };
  return listed.map((peer) => {
    const offer = known.get(peer.address) ?? null;
    return { peer, protocol: offer, trouble: offer === null ? (troubles.get(peer.address) ?? late) : null };
  });
}

/** Another network than that of the home. */
const otherNetwork: ReadonlySet<string> = new Set(['NETWORK_GENESIS_MISMATCH', 'NETWORK_CHAIN_MISMATCH']);

const placeOf = ({ peer: { host, port } }: PeerProbe): string => `${host}:${port}`;
const told = (probes: readonly PeerProbe[]): string =>
  listNames(probes.map((probe) => `${placeOf(probe)} (${probe.trouble?.reason})`));

/** Whether the peers are there, are who they should be, and are of this network. */
export function reachCheck(probes: readonly PeerProbe[]): Check {
  const name = 'peers';
  const strangers = probes.filter(({ trouble }) => trouble !== null && otherNetwork.has(trouble.code));
  if (strangers.length > 0)
    return fail(name, `${strangers.length} of ${probes.length} are of another network: ${told(strangers)}`, {
      why: 'nodes of two networks never talk to each other: this home gets no blocks from them',
      advice: 'compare genesis.json with theirs, byte by byte; take the one that the operators agreed on',
    });
  const others = probes.filter(({ trouble }) => trouble?.code === 'NETWORK_PROTOCOL_MISMATCH');
  if (others.length > 0)
    return fail(
      name,
      `${others.length} of ${probes.length} speak another version of the protocol between nodes: ${told(others)}`,
      {
        why: 'nodes of two versions of it do not talk to each other',
        advice: 'install the release that they run',
      },
    );
  const changed = probes.filter(({ trouble }) => trouble?.code === 'NETWORK_PIN_MISMATCH');
  if (changed.length > 0)
    return warn(
      name,
      `${changed.length} of ${probes.length} show another key than the one that is listed: ${told(changed)}`,
      {
        why: 'a peer that is not who the list says is not talked to',
        advice: 'ask its operator for the lines of prime node show; never list a key that a stranger names',
      },
    );
  const away = probes.filter(({ trouble }) => trouble !== null);
  if (away.length === 0) return ok(name, `${probes.length} of ${probes.length} answer, and are of this network`);
  const advice = {
    why: 'a node without peers gets no blocks, and one with few of them gets them late',
    advice: 'look after firewalls on both sides, p2p.listen and p2p.advertise of theirs, and whether they run',
  };
  const found = `${away.length} of ${probes.length} can not be reached: ${told(away)}`;
  return (away.length === probes.length ? fail : warn)(name, found, advice);
}

/** Whether this program knows the rules that its peers go by. */
export function versionCheck(
  probes: readonly {
    readonly name: string;
    readonly known: number | null;
    readonly upgrades: readonly { readonly version: number; readonly height: number }[];
  }[],
  { knownMax, upgrades }: Pick<ProtocolSchedule, 'knownMax' | 'upgrades'>,
): Check {
  const name = 'peer versions';
  const newer = probes.filter(({ known }) => known !== null && known > knownMax);
  if (newer.length > 0)
    return warn(
      name,
      `${listNames(newer.map((probe) => probe.name))} know rules up to version ${Math.max(...newer.map(({ known }) => known ?? 0))}, this program up to ${knownMax}`,
      {
        why: 'a node does not begin a block whose rules it does not know: it stops there',
        advice: 'install the newer release before the upgrade',
      },
    );
  const own = new Map(upgrades.map(({ version, height }) => [version, height as number]));
  const differing = probes.filter((probe) => probe.upgrades.some(({ version, height }) => own.get(version) !== height));
  if (differing.length > 0)
    return warn(name, `${listNames(differing.map((probe) => probe.name))} have planned other upgrades than this home`, {
      why: 'nodes that upgrade at different blocks part ways there',
      advice: 'compare [upgrades] of config.toml with what the operators agreed on',
    });
  return ok(name, `rules up to version ${knownMax}, as its peers`);
}

/** What {@link versionCheck} looks at. */
export const versionsOf = (probes: readonly PeerProbe[]) =>
  probes.map((probe) => ({
    name: placeOf(probe),
    known: probe.protocol?.known ?? null,
    upgrades: probe.protocol?.upgrades ?? [],
  }));
