import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import { cryptoProvider, keccak256, publicKeyToAddress, type CryptoProvider } from '@prime/crypto';
import { createNetwork, generateTlsIdentity, type Network, type NetworkEvent, type TlsIdentity } from '@prime/network';
import { type Address, createPrng, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { attacks } from '../schedule/faults.ts';
import { beginAttack } from './runAttack.ts';

/** Every attack on a real transport, with a validator beside that has to notice nothing of it. */

const chainId = 4242;
const genesisHash = `0x${'ab'.repeat(32)}` as Hash;

interface Identity {
  readonly address: Address;
  readonly sign: (digest: Uint8Array) => Uint8Array;
  readonly tls: TlsIdentity;
}

let provider: CryptoProvider;
let identities: readonly Identity[];
beforeAll(async () => {
  provider = await cryptoProvider();
  identities = await Promise.all(
    ['target', 'neighbour'].map(async (name) => {
      const privateKey = keccak256(utf8ToBytes(name));
      return {
        address: publicKeyToAddress(provider.publicKey(privateKey)),
        sign: (digest: Uint8Array) => provider.sign(digest, privateKey),
        tls: await generateTlsIdentity(),
      };
    }),
  );
});

const open: Network[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((network) => network.close()));
});

function start(
  index: number,
  peers: Parameters<typeof createNetwork>[0]['peers'],
  observe: (event: NetworkEvent) => void,
) {
  const { address, sign, tls } = identities[index]!;
  const network = createNetwork(
    {
      listen: { host: '127.0.0.1', port: 0 },
      advertise: null,
      tls,
      identity: { address, role: 'validator', signer: address, sign },
      chainId,
      genesisHash,
      protocol: () => ({ known: 1, upgrades: [] }),
      peers,
      signersOf: (owner) => identities.filter((each) => each.address === owner).map((each) => each.address),
      provider,
      headHeight: () => 7 as Height,
      clock: {
        nowMs: () => Date.now(),
        monotonicMs: () => performance.now(),
        after(delayMs, callback) {
          const timer = setTimeout(callback, delayMs);
          return () => clearTimeout(timer);
        },
      },
      random: () => 0.5,
      log: { warn: () => undefined, info: () => undefined, debug: () => undefined },
      observe,
    },
    {
      onMessage: () => undefined,
      onPeerConnected: () => undefined,
      onPeerDisconnected: () => undefined,
      onIdentityInUse: () => undefined,
    },
  );
  open.push(network);
  return network;
}

describe('an attack', () => {
  it.each(attacks)('%s: made again and again, and the neighbour stays', async (how) => {
    const events: NetworkEvent[] = [];
    const [own, neighbour] = identities as readonly [Identity, Identity];
    const target = start(0, [], (event) => events.push(event));
    const { port } = (await target.start())!;
    const joined = new Promise<void>((resolve) => {
      const other = start(1, [{ address: own.address, host: '127.0.0.1', port, spki: own.tls.spki }], (event) => {
        if (event.kind === 'connected') resolve();
      });
      void other.start();
    });
    await joined;
    const outlaws = new Set<string>();
    const attack = await beginAttack(how, 200, {
      target: {
        port,
        spki: own.tls.spki,
        address: own.address,
        chainId,
        genesisHash,
        validators: identities.map(({ address }) => address),
        head: () => 7,
      },
      prng: createPrng(1),
      provider,
      onIdentity: (address) => outlaws.add(address),
    });
    // What the target makes of it: connections that it refuses, peers that it lets in and out.
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (events.length < 12) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
    expect(await attack.stop()).toBeGreaterThan(4);
    expect(target.peers().map(({ address }) => address)).toContain(neighbour.address);
    const banned = events.flatMap((event) => (event.kind === 'banned' ? [event.address] : []));
    expect(banned.filter((address) => !outlaws.has(address))).toEqual([]);
    expect(events.some((event) => event.kind === 'disconnected' && event.peer.address === neighbour.address)).toBe(
      false,
    );
  });
});
