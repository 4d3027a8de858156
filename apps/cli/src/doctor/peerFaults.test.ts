import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Genesis, genesisHash } from '@prime/codec';
import { homePaths, loadConfig, type NodeConfig, type PeerConfig, parseGenesis, protocolSchedule } from '@prime/config';
import { cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { protocolOffer } from '@prime/engine';
import { createNetwork, generateTlsIdentity, type Network, spkiOf } from '@prime/network';
import { type Hash, type Height, parseAddress } from '@prime/primitives';
import { keyOf } from '../testing/keyOf.ts';
import { usePrime } from '../testing/usePrime.ts';
import { closedPort, useServers } from '../testing/useServers.ts';
import { askedNodeChecks } from './askedNode.ts';
import type { Check } from './check.ts';
import { answererAt, inboundCheck } from './inbound.ts';
import { dnsCheck, probePeers, reachCheck, versionCheck, versionsOf } from './peers.ts';
import { connectedCheck } from './running.ts';

const { home } = usePrime(2);
const { serveRpc } = useServers();
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Home {
  readonly config: NodeConfig;
  readonly genesis: Genesis;
}
async function read(index: number): Promise<Home> {
  const paths = homePaths(home(index));
  const file = { name: paths.config, text: await readFile(paths.config, 'utf8') };
  return { config: loadConfig({ file }).config, genesis: parseGenesis(await readFile(paths.genesis, 'utf8')) };
}
const protocolOf = ({ config, genesis }: Home) => {
  const { schedule, versionMax } = config.upgrades;
  return protocolSchedule(genesis, { schedule, versionMax });
};

interface Listening {
  readonly genesisHash?: Hash;
  readonly protocolVersion?: number;
  readonly acceptsStrangers?: boolean;
}

/** Validator 1, which listens and does nothing else. @returns how validator 0 lists it */
async function validator1(changes: Listening = {}): Promise<PeerConfig> {
  const paths = homePaths(home(1));
  const { genesis, config } = await read(1);
  const provider = await cryptoProvider();
  const key = await keyOf(paths.signerKey, 'signer');
  const { address } = genesis.validators.find(({ publicKey }) => publicKeyToAddress(publicKey) === key.address)!;
  const certificatePem = readFileSync(paths.tlsCertificate, 'utf8');
  const network: Network = createNetwork(
    {
      listen: { host: '127.0.0.1', port: 0 },
      advertise: null,
      tls: { certificatePem, privateKeyPem: readFileSync(paths.tlsKey, 'utf8') },
      identity: {
        address,
        role: 'validator',
        signer: key.address,
        sign: (digest) => provider.sign(digest, key.privateKey),
      },
      chainId: genesis.chainId,
      genesisHash: changes.genesisHash ?? genesisHash(genesis),
      ...(changes.protocolVersion === undefined ? {} : { protocolVersion: changes.protocolVersion }),
      acceptUnknownFollowers: changes.acceptsStrangers ?? true,
      protocol: () => protocolOffer(protocolOf({ genesis, config }), 0 as Height),
      peers: [],
      signersOf: () => [],
      provider,
      headHeight: () => 41 as Height,
      clock: {
        nowMs: Date.now,
        monotonicMs: () => performance.now(),
        after: (delayMs, callback) => {
          const timer = setTimeout(callback, delayMs);
          return () => clearTimeout(timer);
        },
      },
      random: Math.random,
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
    },
    {
      onMessage: () => undefined,
      onPeerConnected: () => undefined,
      onPeerDisconnected: () => undefined,
      onIdentityInUse: () => undefined,
    },
  );
  const place = await network.start();
  closers.push(() => network.close());
  return { address, host: '127.0.0.1', port: place!.port, spki: spkiOf(certificatePem) };
}

async function reach(...peers: readonly PeerConfig[]): Promise<Check> {
  const own = await read(0);
  return reachCheck(await probePeers(own.genesis, protocolOf(own), peers));
}

describe('peers of a home', () => {
  it('that are there say who they are, also to a stranger whom they do not take', async () => {
    const own = await read(0);
    for (const acceptsStrangers of [true, false]) {
      const peer = await validator1({ acceptsStrangers });
      const probes = await probePeers(own.genesis, protocolOf(own), [peer]);
      expect(probes).toMatchObject([{ trouble: null, protocol: { known: protocolOf(own).knownMax } }]);
      expect(reachCheck(probes)).toMatchObject({ verdict: 'ok', found: '1 of 1 answer, and are of this network' });
      expect(versionCheck(versionsOf(probes), protocolOf(own)).verdict).toBe('ok');
    }
  });

  it('of which one can not be reached are a warning, and all of them a failure', async () => {
    const peer = await validator1();
    const gone = {
      ...peer,
      address: parseAddress(`0x${'ab'.repeat(20)}`),
      spki: `0x${'cd'.repeat(32)}`,
      port: await closedPort(),
    };
    expect(await reach(peer, gone)).toMatchObject({
      verdict: 'warn',
      found: expect.stringMatching(/^1 of 2 can not be reached: 127\.0\.0\.1:\d+ \(/),
    });
    expect((await reach(gone)).verdict).toBe('fail');
  });

  it('of another network, of another protocol between nodes, or with another key are told apart', async () => {
    expect(await reach(await validator1({ genesisHash: `0x${'ee'.repeat(32)}` as Hash }))).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('of another network'),
    });
    expect(await reach(await validator1({ protocolVersion: 99 }))).toMatchObject({
      verdict: 'fail',
      found: expect.stringContaining('another version of the protocol'),
    });
    const { spki } = await generateTlsIdentity();
    expect(await reach({ ...(await validator1()), spki })).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('another key'),
    });
  });

  it('that know newer rules, or plan other upgrades, are a warning', () => {
    const own = { knownMax: 1, upgrades: [{ version: 2, height: 100 as Height }] };
    const peer = (known: number, height: number) => [{ name: 'north', known, upgrades: [{ version: 2, height }] }];
    expect(versionCheck(peer(1, 100), own).verdict).toBe('ok');
    expect(versionCheck(peer(2, 100), own)).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('north know rules up to version 2'),
    });
    expect(versionCheck(peer(1, 101), own)).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('other upgrades'),
    });
  });

  it('whose names lead nowhere are a warning, all of them a failure', async () => {
    const [peer] = (await read(0)).config.p2p.peers;
    const named = (host: string): PeerConfig => ({ ...peer!, host });
    expect((await dnsCheck([named('127.0.0.1')])).verdict).toBe('ok');
    expect((await dnsCheck([named('localhost')])).found).toBe('1 of 1 are known');
    expect(await dnsCheck([named('localhost'), named('node.invalid')])).toMatchObject({
      verdict: 'warn',
      found: expect.stringMatching(/^1 of 2 are not: node\.invalid \(/),
    });
    expect((await dnsCheck([named('node.invalid')])).verdict).toBe('fail');
  });
});

describe('who reaches a running node', () => {
  const settings = async (port: number): Promise<NodeConfig> => {
    const { config } = await read(1);
    return { ...config, p2p: { ...config.p2p, listen: { host: '0.0.0.0', port } } };
  };

  it('is a peer that came by itself, or else the node finds itself', async () => {
    const { port } = await validator1();
    const config = await settings(port);
    const paths = homePaths(home(1));
    expect((await inboundCheck(paths, config, [{ direction: 'inbound' }])).found).toBe(
      '1 of 1 peers, which came by themselves',
    );
    expect(await inboundCheck(paths, config, [{ direction: 'outbound' }])).toMatchObject({
      verdict: 'ok',
      found: `nobody yet; it answers at 0.0.0.0:${port}`,
    });
    const quiet = { ...config, p2p: { ...config.p2p, listen: null } };
    expect((await inboundCheck(paths, quiet, [])).verdict).toBe('ok');
  });

  it('is nobody where nobody, or somebody else, answers at its place', async () => {
    const paths = homePaths(home(1));
    const config = await settings(await closedPort());
    expect(await inboundCheck(paths, config, [])).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('nobody answers'),
    });
    const { port } = await validator1();
    expect(await answererAt({ host: '127.0.0.1', port }, `0x${'00'.repeat(32)}`)).toBe('somebody else answers');
  });

  it('peers that it dials in vain are named; without a quorum that is a failure', () => {
    const trouble = { code: 'NETWORK_CONNECTION_FAILED', reason: 'ECONNREFUSED', forMs: 12_000 };
    const away = { address: '0x1', host: 'north.example', port: 26_656, trouble };
    const list = { peers: [], unconnected: [away], connectedPower: '3', totalPower: '4' };
    expect(connectedCheck(list)).toMatchObject({
      verdict: 'warn',
      found: expect.stringContaining('north.example:26656 (ECONNREFUSED, for 12 s)'),
    });
    expect(connectedCheck({ ...list, connectedPower: '2', totalPower: '3' }).verdict).toBe('fail');
    expect(connectedCheck({ ...list, unconnected: [{ ...away, trouble: null }] }).verdict).toBe('ok');
  });
});

describe('a node that is asked', () => {
  /** A node that says its time and its genesis. */
  async function node(offsetMs: number, hash: string): Promise<string> {
    const status = (): object => ({
      height: '0x1',
      waits_for: 'work',
      since_ms: null,
      now_ms: `0x${(Date.now() + offsetMs).toString(16)}`,
      total_power: '0x1',
      current_round: null,
    });
    const block = {
      number: '0x0',
      hash,
      timestamp_ms: '0x0',
      gas_limit: '0x0',
      gas_used: '0x0',
      base_fee: '0x0',
      transaction_count: '0x0',
      action_count: '0x0',
      commit: null,
      last_commit_round: null,
      transactions: [],
      domain_events: [],
      evidence: [],
    };
    const answers: Record<string, () => unknown> = { prime_consensusStatus: status, primeorders_getMarkets: () => [] };
    return (await serveRpc((method) => answers[method]?.() ?? block)).url;
  }
  const ask = async (url: string): Promise<Record<string, Check>> => {
    const { genesis } = await read(0);
    const checks = await askedNodeChecks({ url, apiKey: null }, genesis);
    return Object.fromEntries(checks.map((check) => [check.name, check]));
  };

  it('tells whether this clock is off, and whether the genesis is another one', async () => {
    const own = genesisHash((await read(0)).genesis);
    expect(await ask(await node(0, own))).toMatchObject({ network: { verdict: 'ok' }, clock: { verdict: 'ok' } });
    const other = await ask(await node(-9_000_000, `0x${'ee'.repeat(32)}`));
    expect(other).toMatchObject({
      network: { verdict: 'fail', found: expect.stringContaining(own) },
      clock: { verdict: 'warn', found: expect.stringMatching(/^2\.5 h ahead of http/) },
    });
    expect((await ask(await node(9_000_000, own)))['clock']!.found).toMatch(/^2\.5 h behind/);
  });

  it('that does not answer is a failure', async () => {
    expect(await ask(`http://127.0.0.1:${await closedPort()}`)).toMatchObject({ 'asked node': { verdict: 'fail' } });
  });
});
