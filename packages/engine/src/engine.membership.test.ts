import { describe, expect, it } from '@jest/globals';
import { type RegisteredValidator, type ValidatorSet, validatorsHash } from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import { keccak256, publicKeyToAddress } from '@prime/crypto';
import { createCryptoProvider } from '@prime/crypto';
import { type Height, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { Cluster } from './testing/cluster.ts';
import { expectSafe } from './testing/expectSafe.ts';

const all = (cluster: Cluster, height: number) => (): boolean =>
  cluster.nodes.every(({ index }) => cluster.height(index) >= height);

async function startAll(cluster: Cluster): Promise<void> {
  for (const { index } of cluster.nodes) await cluster.start(index);
}

/** Everyone who may ever be a validator, as the staking state would tell it. */
const registryOf = (cluster: Cluster): RegisteredValidator[] =>
  validatorsFromGenesis(cluster.everyone).validators.map((validator) => ({
    ...validator,
    status: 'active',
    jailedUntilMs: 0 as TimestampMs,
    tombstoned: false,
    endpoint: null,
    oracleKey: null,
  }));

/** Changes one validator after a block, and it stays so. */
function changeAt(
  cluster: Cluster,
  height: number,
  index: number,
  change: Partial<RegisteredValidator>,
  before: Partial<RegisteredValidator> = {},
): void {
  const { address } = cluster.nodes[index]!;
  const registry = (now: Partial<RegisteredValidator>): RegisteredValidator[] =>
    registryOf(cluster).map((validator) => (validator.address === address ? { ...validator, ...now } : validator));
  cluster.registeredAfter = (at: Height) =>
    at === 0 ? { validators: registry(before) } : at >= height ? { validators: registry(change) } : {};
}

const setAt = (cluster: Cluster, height: number): ValidatorSet =>
  height === 1
    ? validatorsFromGenesis(cluster.genesis.validators)
    : cluster.nodes[0]!.disk.validators.get(height as Height)!;
const headerAt = (cluster: Cluster, height: number) => cluster.nodes[0]!.disk.blocks[height - 1]!.block.header;
const isIn = (cluster: Cluster, height: number, index: number): boolean =>
  setAt(cluster, height).validators.some(({ address }) => address === cluster.nodes[index]!.address);
/** Blocks whose certificate holds a signature of the node. */
const signedBy = (cluster: Cluster, index: number): number[] =>
  cluster.nodes[0]!.disk.blocks.filter(({ block }) =>
    block.lastCommit?.signatures.some(({ validator }) => validator === cluster.nodes[index]!.address),
  ).map(({ block }) => block.lastCommit!.height);

describe('a change of the validators by block 5', () => {
  it('is announced by the header of block 6 and decides block 7, not earlier', async () => {
    const cluster = await Cluster.create(5, 11, 4);
    changeAt(cluster, 5, 4, {}, { status: 'jailed' });
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 12), 60_000)).toBe(true);
    expect([5, 6, 7, 8].map((height) => isIn(cluster, height, 4))).toEqual([false, false, true, true]);
    const { validatorsHash: now, nextValidatorsHash: next } = headerAt(cluster, 6);
    expect(now).toBe(validatorsHash(setAt(cluster, 6).validators));
    expect(next).toBe(validatorsHash(setAt(cluster, 7).validators));
    expect(next).not.toBe(now);
    const signed = signedBy(cluster, 4);
    expect(Math.min(...signed)).toBeGreaterThanOrEqual(7);
    expectSafe(cluster);
  });

  it('a newcomer proposes when it is its turn, not at once', async () => {
    const cluster = await Cluster.create(5, 12, 4);
    changeAt(cluster, 2, 4, {}, { status: 'jailed' });
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 20), 60_000)).toBe(true);
    const own = cluster.nodes[0]!.disk.blocks.filter(
      ({ block }) => block.header.proposer === cluster.nodes[4]!.address,
    );
    expect(own.length).toBeGreaterThan(1);
    expect(own[0]!.block.header.height).toBeGreaterThan(6);
  });

  it('a validator that leaves signs no block after it', async () => {
    const cluster = await Cluster.create(5, 13);
    changeAt(cluster, 5, 2, { status: 'left' });
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 12), 60_000)).toBe(true);
    expect([6, 7].map((height) => isIn(cluster, height, 2))).toEqual([true, false]);
    expect(cluster.nodes[2]!.disk.signed.every(({ height }) => height <= 6)).toBe(true);
    expectSafe(cluster);
  });

  it('a new key of a validator signs from block 7 on, the old one until then', async () => {
    const provider = await createCryptoProvider();
    const cluster = await Cluster.create(4, 14);
    const key = keccak256(utf8ToBytes('a new key'));
    const publicKey = provider.publicKey(key);
    changeAt(cluster, 5, 1, { publicKey, signer: publicKeyToAddress(publicKey) });
    cluster.newKeys.set(1, [key]);
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 14), 60_000)).toBe(true);
    const signed = signedBy(cluster, 1);
    expect(signed.some((height) => height <= 6)).toBe(true);
    expect(signed.some((height) => height >= 7)).toBe(true);
    expectSafe(cluster);
  });

  it('nodes that crash around it come back with the right set', async () => {
    for (const moment of [250, 4_300, 5_200, 6_100]) {
      const cluster = await Cluster.create(5, 15, 4);
      changeAt(cluster, 5, 4, {}, { status: 'jailed' });
      await startAll(cluster);
      await cluster.time.runUntil(() => false, moment);
      for (const index of [0, 3, 4]) cluster.crash(index);
      for (const index of [4, 0, 3]) await cluster.start(index);
      expect(await cluster.time.runUntil(all(cluster, 10), 60_000)).toBe(true);
      expect([6, 7].map((height) => isIn(cluster, height, 4))).toEqual([false, true]);
      expectSafe(cluster);
    }
  });

  it('a node that was down meanwhile verifies each block with the set of its height', async () => {
    const cluster = await Cluster.create(5, 16);
    changeAt(cluster, 5, 2, { status: 'left' });
    await startAll(cluster);
    await cluster.time.runUntil(all(cluster, 2), 60_000);
    cluster.crash(4);
    const others = (): boolean => [0, 1, 3].every((index) => cluster.height(index) >= 12);
    expect(await cluster.time.runUntil(others, 90_000)).toBe(true);
    await cluster.start(4);
    expect(await cluster.time.runUntil(all(cluster, 14), 60_000)).toBe(true);
    expectSafe(cluster);
  });
});

describe('certificates', () => {
  it('hold the precommits that came after the decision', async () => {
    const cluster = await Cluster.create(4, 18);
    await startAll(cluster);
    expect(await cluster.time.runUntil(all(cluster, 10), 60_000)).toBe(true);
    const counts = cluster.nodes[0]!.disk.blocks.slice(1).map(({ block }) => block.lastCommit!.signatures.length);
    expect(counts).toEqual(counts.map(() => 4));
    expectSafe(cluster);
  });
});
