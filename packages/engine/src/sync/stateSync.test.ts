import { beforeAll, describe, expect, it } from '@jest/globals';
import { encodeSnapshotManifest, genesisHash, type SnapshotManifest, snapshotId, type StoredBlock } from '@prime/codec';
import { advanceProposer, validatorsFromGenesis } from '@prime/consensus';
import { createCryptoProvider, keccakHex } from '@prime/crypto';
import { type Address, createPrng, type Hash, type Height } from '@prime/primitives';
import fc from 'fast-check';
import type { PeerMessage } from '../ports.ts';
import { Cluster } from '../testing/cluster.ts';
import { createSnapshotChecks } from './snapshotChecks.ts';
import { StateSync, type StateSyncEffect, stateSyncTickMs } from './stateSync.ts';

const other = `0x${'77'.repeat(32)}` as Hash;
const addressOf = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, '0')}` as Address;
/** Chunks of the true snapshot. */
const chunks = Array.from({ length: 40 }, (_, index) => Uint8Array.of(1, index));
const forgedChunks = Array.from({ length: 3 }, (_, index) => Uint8Array.of(2, index));
let chain: readonly StoredBlock[];
let options: ConstructorParameters<typeof StateSync>[0];
let truth: SnapshotManifest;
let answerHeaders: (from: number, count: number, requestId: number) => PeerMessage;

beforeAll(async () => {
  const cluster = await Cluster.create(4, 43);
  for (const { index } of cluster.nodes) await cluster.start(index);
  await cluster.time.runUntil(() => cluster.height(0) >= 12, 600_000);
  chain = [...cluster.nodes[0]!.disk.blocks];
  const { genesis } = cluster;
  const domain = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  const provider = await createCryptoProvider();
  options = {
    trusted: { height: 3 as Height, hash: chain[2]!.hash },
    domain,
    provider,
    chunkHash: keccakHex,
    checks: createSnapshotChecks(domain, provider),
  };
  truth = manifestOf(8, chunks);
  const validators = advanceProposer(validatorsFromGenesis(genesis.validators));
  answerHeaders = (from, count, requestId) => {
    const blocks = chain.slice(from - 1, from - 1 + count);
    const headers = blocks.length === count ? blocks.map(({ block }) => block.header) : [];
    return { kind: 'headers', requestId, headers, certificate: blocks.at(-1)?.certificate ?? null, validators };
  };
});

const manifestOf = (height: number, parts: readonly Uint8Array[]): SnapshotManifest => ({
  format: 1,
  height: height as Height,
  blockHash: chain[height - 1]!.hash,
  stateRoot: chain[height]!.block.header.parentResults.stateRoot,
  ordersRoot: other,
  chunkHashes: parts.map(keccakHex),
});

interface Kind {
  /** What it offers. */
  readonly offers: () => readonly SnapshotManifest[];
  /** What it answers to a request for a chunk; null is not at all. */
  readonly chunk: (index: number) => Uint8Array | null;
  readonly delayMs: number;
  readonly headers?: 'none' | 'forged';
  /** Default: as for everything else. */
  readonly headersMs?: number;
}
const truly = (index: number): Uint8Array => chunks[index]!;
const kinds: Readonly<Record<string, Kind>> = {
  honest: { offers: () => [truth, manifestOf(5, chunks.slice(0, 2))], chunk: truly, delayMs: 30 },
  slow: { offers: () => [truth], chunk: truly, delayMs: 3_000 },
  silent: { offers: () => [truth], chunk: () => null, delayMs: 10 },
  pruning: { offers: () => [truth], chunk: () => new Uint8Array(0), delayMs: 10 },
  spoiler: { offers: () => [truth], chunk: () => Uint8Array.of(9), delayMs: 5 },
  // Answers everything just in time.
  tardy: { offers: () => [truth], chunk: truly, delayMs: 5, headersMs: 9_900 },
  withoutSnapshots: { offers: () => [], chunk: () => new Uint8Array(0), delayMs: 20 },
  bare: { offers: () => [truth], chunk: truly, delayMs: 5, headers: 'none' },
  forger: { offers: () => [truth], chunk: truly, delayMs: 5, headers: 'forged' },
  // Newer than the others, of a state that no header names.
  otherRoot: {
    offers: () => [{ ...manifestOf(10, forgedChunks), stateRoot: other }],
    chunk: (index) => forgedChunks[index]!,
    delayMs: 5,
  },
  // Of the right root, with contents that can not be rebuilt to it.
  madeUp: { offers: () => [manifestOf(10, forgedChunks)], chunk: (index) => forgedChunks[index]!, delayMs: 5 },
  future: { offers: () => [{ ...truth, height: 1_000_000 as Height }], chunk: truly, delayMs: 5 },
  // Another one far above the chain whenever it is asked.
  inventive: {
    offers: () => Array.from({ length: 16 }, () => ({ ...truth, height: (1_000_000 + inventions++) as Height })),
    chunk: truly,
    delayMs: 5,
  },
  nextFormat: { offers: () => [{ ...truth, format: 2, height: 11 as Height }], chunk: truly, delayMs: 5 },
};
let inventions = 0;
const liars = new Set(['spoiler', 'forger', 'otherRoot', 'madeUp']);

/** Runs a sync to its end on virtual time; the state is rebuilt only from the true chunks. */
function simulate(names: readonly string[], seed: number, own = options) {
  const prng = createPrng(seed);
  const machine = new StateSync(own, 1);
  let said: ReadonlyMap<Address, Hash> | null = null;
  const banned = new Set<string>();
  const events: { atMs: number; run: () => readonly StateSyncEffect[] }[] = [];
  let nowMs = 0;
  let rebuilt: SnapshotManifest | null = null;
  let parts: Uint8Array[] = [];
  let begun: SnapshotManifest | null = null;
  const open = new Map<Address, number>();
  let busiest = 0;
  const answerOf = (kind: Kind, message: PeerMessage): PeerMessage | null => {
    if (message.kind === 'snapshotsRequest')
      return { kind: 'snapshots', requestId: message.requestId, manifests: kind.offers().map(encodeSnapshotManifest) };
    if (message.kind === 'headersRequest') {
      const { from, count, requestId } = message;
      const headers = answerHeaders(from, kind.headers === 'none' ? 1_000 : count, requestId);
      if (kind.headers !== 'forged' || headers.kind !== 'headers') return headers;
      return { ...headers, headers: headers.headers.map((header) => ({ ...header, bodyRoot: other })) };
    }
    if (message.kind !== 'chunkRequest') return null;
    const bytes = kind.chunk(message.index);
    return bytes === null ? null : { kind: 'chunk', requestId: message.requestId, bytes };
  };
  const carryOut = (effects: readonly StateSyncEffect[]): void => {
    for (const effect of effects) {
      if (effect.kind === 'ban') banned.add(names[Number(effect.peer) - 1]!);
      else if (effect.kind === 'untrusted') said = effect.said;
      else if (effect.kind === 'begin') {
        begun = effect.manifest;
        parts = [];
      } else if (effect.kind === 'chunk') {
        parts.push(effect.bytes);
        events.push({ atMs: nowMs + 5, run: () => machine.taken(nowMs) });
        if (effect.last) events.push({ atMs: nowMs + 50, run: finish });
      } else send(effect.peer, effect.message);
    }
  };
  const send = (peer: Address, message: PeerMessage): void => {
    const kind = kinds[names[Number(peer) - 1]!]!;
    const answer = answerOf(kind, message);
    if (message.kind !== 'snapshotsRequest') {
      open.set(peer, (open.get(peer) ?? 0) + 1);
      busiest = Math.max(busiest, answer === null ? 0 : open.get(peer)!);
    }
    if (answer === null) return;
    events.push({
      atMs: nowMs + ((answer.kind === 'headers' && kind.headersMs) || kind.delayMs) + prng.below(10),
      run: () => {
        if (answer.kind !== 'snapshots') open.set(peer, open.get(peer)! - 1);
        return machine.onMessage(peer, answer, nowMs);
      },
    });
  };
  /** As whoever rebuilds the state would: only the true records give the root that the manifest names. */
  const finish = (): readonly StateSyncEffect[] => {
    if (begun === null || parts.length !== begun.chunkHashes.length) return [];
    if (parts.some((part) => part[0] !== 1)) {
      begun = null;
      return machine.refuse('its records give another root', nowMs);
    }
    rebuilt = begun;
    machine.finish();
    return [];
  };
  names.forEach((_, index) => carryOut(machine.onPeer(addressOf(index), nowMs)));
  let ticks = 0;
  while (rebuilt === null && said === null && ticks < 20_000) {
    const tickMs = (Math.floor(nowMs / stateSyncTickMs) + 1) * stateSyncTickMs;
    events.sort((a, b) => a.atMs - b.atMs);
    const event = events[0] !== undefined && events[0].atMs <= tickMs ? events.shift()! : null;
    nowMs = Math.max(nowMs, event?.atMs ?? tickMs);
    ticks += event === null ? 1 : 0;
    carryOut(event === null ? machine.tick(nowMs) : event.run());
  }
  return {
    rebuilt: rebuilt as SnapshotManifest | null,
    banned,
    nowMs,
    busiest,
    said: said as ReadonlyMap<Address, Hash> | null,
  };
}

describe('state sync', () => {
  it('honest peers share the chunks, at most two at once each', () => {
    const { rebuilt, banned, busiest, nowMs } = simulate(['honest', 'honest', 'honest'], 1);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual([]);
    expect(busiest).toBeLessThanOrEqual(2);
    expect(nowMs).toBeLessThan(5_000);
  });

  it.each([
    ['a wrong chunk', 'spoiler'],
    ['forged headers', 'forger'],
    ['a manifest whose root no header names', 'otherRoot'],
    ['a manifest of the right root whose contents are made up', 'madeUp'],
  ])('%s: its sender is banned, and the true snapshot is restored', (_name, liar) => {
    const { rebuilt, banned } = simulate([liar, 'honest', liar], 2);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual([liar]);
  });

  it('a format of a later version is passed over, and its sender is not banned', () => {
    const { rebuilt, banned } = simulate(['nextFormat', 'honest'], 3);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual([]);
  });

  it('a manifest that does not decode: banned', () => {
    const machine = new StateSync(options, 1);
    machine.onPeer(addressOf(0), 0);
    const answer: PeerMessage = { kind: 'snapshots', requestId: 1, manifests: [Uint8Array.of(1, 2, 3)] };
    expect(machine.onMessage(addressOf(0), answer, 1)).toContainEqual(expect.objectContaining({ kind: 'ban' }));
  });

  it('one honest peer among any others: it ends with the true snapshot, and only liars are banned', () => {
    const others = fc.array(fc.constantFrom(...Object.keys(kinds).filter((name) => name !== 'future')), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(others, fc.nat(6), fc.nat(), (rest, place, seed) => {
        const names = rest.toSpliced(place, 0, 'honest');
        const { rebuilt, banned } = simulate(names, seed);
        expect({ names, id: rebuilt === null ? null : snapshotId(rebuilt) }).toEqual({ names, id: snapshotId(truth) });
        expect([...banned].filter((name) => !liars.has(name))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['future', 'inventive'])('%s: snapshots far above the chain hold the sync up once, for a stall', (liar) => {
    const { rebuilt, nowMs } = simulate([liar, 'honest'], 5);
    expect(rebuilt).toEqual(truth);
    expect(nowMs).toBeLessThan(45_000);
  });

  it('a snapshot that two peers have goes before a newer one that only one says it has', () => {
    const { rebuilt, banned, nowMs } = simulate(['inventive', 'honest', 'madeUp', 'honest'], 6);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual([]);
    expect(nowMs).toBeLessThan(5_000);
  });

  it('who alone has the snapshot takes its time over headers: others are asked for them', () => {
    const { rebuilt, banned, nowMs } = simulate(['tardy', 'withoutSnapshots', 'withoutSnapshots'], 7);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual([]);
    expect(nowMs).toBeLessThan(5_000);
  });

  it('a trusted hash that no peer has: it ends by saying so, and nobody is banned', () => {
    const wrong = { ...options, trusted: { ...options.trusted, hash: other } };
    for (const [names, has] of [
      [['honest', 'honest', 'honest'], options.trusted.hash],
      [['honest'], options.trusted.hash],
    ] as const) {
      const { rebuilt, banned, said } = simulate(names, 8, wrong);
      expect(rebuilt).toBeNull();
      expect([...banned]).toEqual([]);
      expect(said).toEqual(new Map(names.map((_, index) => [addressOf(index), has])));
    }
  });

  it('one peer with the trusted block is enough: the others lied', () => {
    const { rebuilt, banned, said } = simulate(['forger', 'honest', 'forger'], 9);
    expect(rebuilt).toEqual(truth);
    expect([...banned]).toEqual(['forger']);
    expect(said).toBeNull();
  });

  it('headers that come after another peer gave them are passed over, and their sender is not banned', () => {
    const machine = new StateSync({ ...options, trusted: { height: 12 as Height, hash: chain[11]!.hash } }, 1);
    const offer = (requestId: number): PeerMessage => ({
      kind: 'snapshots',
      requestId,
      manifests: [encodeSnapshotManifest(truth)],
    });
    for (const index of [0, 1]) {
      machine.onPeer(addressOf(index), 0);
      machine.onMessage(addressOf(index), offer(index + 1), 0);
    }
    const asksOf = (effects: readonly StateSyncEffect[]) =>
      effects.flatMap((effect) =>
        effect.kind === 'send' && effect.message.kind === 'headersRequest'
          ? [[effect.peer, effect.message] as const]
          : [],
      );
    const [[first, one]] = asksOf(machine.tick(1_000)) as [readonly [Address, { requestId: number } & PeerMessage]];
    const [[second, other]] = asksOf(machine.tick(2_100)) as [readonly [Address, { requestId: number } & PeerMessage]];
    expect(second).not.toBe(first);
    const answer = (requestId: number) => answerHeaders(9, 4, requestId);
    expect(machine.onMessage(second, answer(other.requestId), 2_200)).toContainEqual(
      expect.objectContaining({ kind: 'begin' }),
    );
    expect(machine.onMessage(first, answer(one.requestId), 2_300).filter(({ kind }) => kind === 'ban')).toEqual([]);
  });

  it('whoever answers first does not decide which snapshot is tried after the last one', () => {
    const machine = new StateSync(options, 1);
    const offer = (height: number): PeerMessage => {
      const manifests = [encodeSnapshotManifest({ ...truth, height: height as Height })];
      return { kind: 'snapshots', requestId: 1, manifests };
    };
    for (const index of [0, 1, 2]) machine.onPeer(addressOf(index), 0);
    machine.onMessage(addressOf(0), offer(1_000), 1);
    machine.tick(1_500);
    machine.onPeerGone(addressOf(0), 1_600);
    const asked = [
      ...machine.onMessage(addressOf(1), offer(5), 1_700),
      ...machine.onMessage(addressOf(2), offer(truth.height), 1_900),
    ];
    const counts = (effects: readonly StateSyncEffect[]): number[] =>
      effects.flatMap((effect) =>
        effect.kind === 'send' && effect.message.kind === 'headersRequest' ? [effect.message.count] : [],
      );
    expect(counts(asked)).toEqual([]);
    expect(counts(machine.tick(2_700))).toEqual([truth.height + 1 - options.trusted.height + 1]);
  });

  it('what a peer offers takes the place of what it offered before', () => {
    const machine = new StateSync(options, 1);
    machine.onPeer(addressOf(0), 0);
    const offer = (height: number): PeerMessage => {
      const manifests = [encodeSnapshotManifest({ ...truth, height: height as Height })];
      return { kind: 'snapshots', requestId: 1, manifests };
    };
    machine.onMessage(addressOf(0), offer(1_000), 1);
    machine.onMessage(addressOf(0), offer(truth.height), 2);
    const { height } = options.trusted;
    const count = truth.height + 1 - height + 1;
    expect(machine.tick(1_500)).toContainEqual({
      kind: 'send',
      peer: addressOf(0),
      message: expect.objectContaining({ kind: 'headersRequest', from: height, count }),
    });
  });
});
