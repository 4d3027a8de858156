import { describe, expect, it } from '@jest/globals';
import { encodeOrderPage, encodeOrderRecord, globalRecordKey, orderPageKey } from '@prime/codec';
import type { Address, Hash, MarketId, OrderId } from '@prime/primitives';
import { blockMs, LightNetwork, LightState, members, startMs } from '../testing/lightNetwork.ts';
import { rejection } from '../testing/lightRefusal.ts';
import { type Asked, rpcError, stubNode } from '../testing/stubNode.ts';
import type { OrdersProof } from '../types/chain.ts';
import type { Hex } from '../types/primitives.ts';
import { createLightClient, isLightError, type LightBlock, type LightTrust, verifyBlock } from './index.ts';

/** Ages ago by the clock of this machine: only where trust never ends. */
const still = { staking: undefined };
/** One of four is replaced every ten blocks: after forty nobody of genesis is left. */
const rolling = new LightNetwork({
  genesis: { ...still, timestampMs: startMs },
  membersAt: (height) =>
    members(1, 1, 1, 1).map(({ power }, place) => ({
      name: `validator${place + 4 * Math.floor((Math.floor(height / 10) + 3 - place) / 4)}`,
      power,
    })),
});
const constant = new LightNetwork({ genesis: still });

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
const wireCommit = ({ commit }: LightBlock) => ({
  height: quantity(commit.height),
  block_hash: commit.blockHash,
  header: commit.header,
  round: quantity(commit.round),
  signatures: commit.signatures,
});
const wireValidators = ({ validators }: LightBlock) =>
  validators.map(({ address, publicKey, votingPower }) => ({
    address,
    public_key: publicKey,
    stake: '0x0',
    voting_power: quantity(votingPower),
    status: 'active',
    proposer_priority: '0x0',
    moniker: '',
  }));
const wireProof = ({ accountProof, ...proof }: OrdersProof) => ({
  block_number: quantity(proof.blockNumber),
  block_hash: proof.blockHash,
  state_root: proof.stateRoot,
  key: proof.key,
  present: proof.present,
  record: proof.record,
  steps: proof.steps,
  account_proof: {
    ...accountProof,
    balance: '0x0',
    nonce: '0x1',
    storageProof: accountProof.storageProof.map((slot) => ({ ...slot, value: '0x0' })),
  },
});

interface NodeOptions {
  readonly newest?: number;
  readonly blockAt?: (height: number) => LightBlock;
  readonly genesisHash?: Hex;
  readonly answers?: Readonly<Record<string, (asked: Asked, before: number) => unknown>>;
}

/** A node of a network, and the heights of the commits that it was asked for. */
function nodeOf(network: LightNetwork, options: NodeOptions = {}) {
  const { newest = 1_000, blockAt = (height) => network.block(height), genesisHash = network.hash } = options;
  const commits: number[] = [];
  const { client } = stubNode((asked, before) => {
    const own = options.answers?.[asked.method];
    if (own !== undefined) return own(asked, before);
    const height = Number(asked.params[0]);
    switch (asked.method) {
      case 'prime_getCommit':
        commits.push(height);
        return height > newest ? null : wireCommit(blockAt(height));
      case 'prime_validators':
        return wireValidators(blockAt(height));
      case 'prime_getGenesis':
        return network.genesis;
      case 'eth_blockNumber':
        return quantity(newest);
      case 'eth_getBlockByNumber':
        return { number: '0x0', hash: genesisHash, transactions: [] };
      default:
        throw rpcError(-32601, `no method ${asked.method}`);
    }
  });
  return { client, commits };
}

describe('a light client', () => {
  it('takes one block where the validators are those of genesis', async () => {
    const { client, commits } = nodeOf(constant);
    const light = createLightClient({ client, root: constant.genesis });
    expect(await light.verifyBlock({ blockNumber: 700n })).toMatchObject({ number: 700n, power: { signed: 4n } });
    expect(commits).toEqual([700]);
    expect((await light.verifyBlock()).number).toBe(1_000n);
  });

  it('takes blocks in between where they changed, and its path convinces others without a node', async () => {
    const { client, commits } = nodeOf(rolling);
    const light = createLightClient({ client, root: rolling.genesis });
    const verified = await light.verifyBlock({ blockNumber: 100n });
    expect(commits.length).toBeGreaterThan(3);
    expect(commits.length).toBeLessThan(30);
    const kept = JSON.parse(JSON.stringify(rolling.genesis)) as typeof rolling.genesis;
    expect(verifyBlock(kept, { blocks: verified.path })).toEqual(verified);
    // From there on the way is short, and what is known already is not asked for again.
    const before = commits.length;
    expect((await light.verifyBlock({ blockNumber: 101n })).path).toHaveLength(1);
    expect((await light.verifyBlock({ blockNumber: 101n })).number).toBe(101n);
    expect(commits.length - before).toBe(1);
    // An older one begins at genesis again.
    expect((await light.verifyBlock({ blockNumber: 10n })).number).toBe(10n);
    expect(light.trust?.blockNumber).toBe(101);
  });

  it('goes on from what it kept', async () => {
    const first = createLightClient({ client: nodeOf(rolling).client, root: rolling.genesis });
    await first.verifyBlock({ blockNumber: 100n });
    const kept = JSON.parse(JSON.stringify(first.trust)) as LightTrust;
    const { client, commits } = nodeOf(rolling);
    const next = createLightClient({ client, root: kept });
    expect(next.trust).toEqual(kept);
    expect((await next.verifyBlock({ blockNumber: 105n })).number).toBe(105n);
    expect(commits).toEqual([105]);
    expect((await rejection(next.verifyBlock({ blockNumber: 100n }))).kind).toBe('before_trust');
  });

  it('begins with the hash of genesis alone', async () => {
    const { client } = nodeOf(constant);
    const light = createLightClient({ client, root: constant.hash });
    expect(light.trust).toBeNull();
    expect((await light.verifyBlock({ blockNumber: 3n })).number).toBe(3n);
    const wrong = createLightClient({ client, root: `0x${'12'.repeat(32)}` });
    expect(await rejection(wrong.verifyBlock({ blockNumber: 3n }))).toMatchObject({
      kind: 'wrong_network',
      data: { actual: constant.hash },
    });
  });

  it('a network that began before the trusting period: only the quorum of those of then may speak for it', async () => {
    const old = new LightNetwork();
    const { client } = nodeOf(old);
    const strict = createLightClient({ client, root: old.genesis });
    expect(await rejection(strict.verifyBlock({ blockNumber: 3n }))).toMatchObject({
      kind: 'trust_expired',
      data: { blockNumber: 0n, expiredAtMs: startMs + 3_600_000 },
    });
    const bold = createLightClient({ client, root: old.genesis, expiredTrust: 'quorum' });
    expect((await bold.verifyBlock({ blockNumber: 3n })).timestampMs).toBe(startMs + 3 * blockMs);
  });
});

describe('a node that lies', () => {
  it('about one block of the way', async () => {
    const blockAt = (height: number): LightBlock =>
      height === 100 ? rolling.block(100, { signers: ['validator1', 'validator2'] }) : rolling.block(height);
    const { client } = nodeOf(rolling, { blockAt });
    const light = createLightClient({ client, root: rolling.genesis });
    const error = await rejection(light.verifyBlock({ blockNumber: 100n }));
    expect(error).toMatchObject({ kind: 'not_enough_power', data: { blockNumber: 100n } });
    expect(isLightError(error, 'not_enough_power') && error.data.needed).toBe('2/3');
    expect(isLightError(error, 'wrong_proof') || isLightError(new Error('x'), 'wrong_proof')).toBe(false);
    // Nothing of it is believed.
    expect(light.trust?.blockNumber).toBe(0);
  });

  it('and sends another block than was asked for', async () => {
    const { client } = nodeOf(constant, { blockAt: () => constant.block(8) });
    const light = createLightClient({ client, root: constant.genesis });
    expect((await rejection(light.verifyBlock({ blockNumber: 9n }))).kind).toBe('wrong_block');
  });

  it('is told apart from one that says itself that it is of another network', async () => {
    const twin = new LightNetwork({ genesis: { ...still, networkName: 'twin' } });
    const light = (genesisHash: Hex) =>
      createLightClient({ client: nodeOf(twin, { genesisHash }).client, root: constant.genesis });
    expect((await rejection(light(constant.hash).verifyBlock({ blockNumber: 9n }))).kind).toBe('wrong_signature');
    expect(await rejection(light(twin.hash).verifyBlock({ blockNumber: 9n }))).toMatchObject({
      kind: 'wrong_network',
      data: { expected: constant.hash, actual: twin.hash },
    });
  });
});

describe('a record', () => {
  const order = encodeOrderRecord({
    orderId: 8 as OrderId,
    marketId: 1 as MarketId,
    owner: `0x${'a1'.repeat(20)}` as Address,
    side: 'sell',
    price: 100n,
    size: 2n,
    remaining: 1n,
    tif: 'gtc',
    postOnly: false,
    reduceOnly: false,
    selfTrade: 'cancel_taker',
    clientId: null,
    expiresAt: 0,
    createdBlock: 1,
  });
  const state = new LightState([
    { key: globalRecordKey(), value: Uint8Array.of(1) },
    { key: orderPageKey(1), value: encodeOrderPage([order]) },
  ]);
  const blockAt = (network: LightNetwork) => (height: number) => {
    const stateRoot: Hash = state.stateRoot;
    return network.block(height, { header: { parentResults: { ...network.header(1).parentResults, stateRoot } } });
  };
  /** A node whose newest block is 20, until it was asked for the next one so many times. */
  const nodeWith = (looks: number, network = constant) =>
    nodeOf(network, {
      blockAt: blockAt(network),
      answers: {
        primeorders_getProof: () => wireProof(state.proof(orderPageKey(1), 20n)),
        prime_getCommit: ({ params }, before) =>
          Number(params[0]) === 21 && before < looks ? null : wireCommit(blockAt(network)(Number(params[0]))),
      },
    });

  it('is proven once the block after it is there', async () => {
    const light = createLightClient({ client: nodeWith(3).client, root: constant.genesis });
    const verified = await light.verifyRecord({ orderId: 8 }, { pollingIntervalMs: 1 });
    expect(verified).toMatchObject({ present: true, blockNumber: 20n, record: { orderId: 8, filled: 1n } });
    expect(light.trust?.blockNumber).toBe(21);
    expect(await light.verifyRecord({ orderId: 9 })).toMatchObject({ present: false, record: null });
  });

  it('is not proven where that block does not come', async () => {
    const light = createLightClient({ client: nodeWith(Number.POSITIVE_INFINITY).client, root: constant.genesis });
    expect(await rejection(light.verifyRecord({ orderId: 8 }, { timeoutMs: 5, pollingIntervalMs: 1 }))).toMatchObject({
      kind: 'block_missing',
      data: { blockNumber: 21n },
    });
  });

  it('is of no older block than was asked for: a node that is behind is asked again', async () => {
    const proofs = [19n, 19n, 20n];
    const { client } = nodeOf(constant, {
      blockAt: blockAt(constant),
      answers: {
        primeorders_getProof: (_, before) => wireProof(state.proof(orderPageKey(1), proofs[before] ?? 20n)),
      },
    });
    const light = createLightClient({ client, root: constant.genesis });
    const record = { orderId: 8 } as const;
    const verified = await light.verifyRecord(record, { minBlockNumber: 20n, pollingIntervalMs: 1 });
    expect(verified.blockNumber).toBe(20n);
    const late = light.verifyRecord(record, { minBlockNumber: 21n, timeoutMs: 5, pollingIntervalMs: 1 });
    expect(await rejection(late)).toMatchObject({
      kind: 'stale_proof',
      data: { blockNumber: 20n, minBlockNumber: 21n },
    });
  });

  it('of a level is not even asked for where levels are no records', async () => {
    const network = new LightNetwork({ genesis: { ...still, clob: { ...constant.genesis.clob, levelProofs: false } } });
    const light = createLightClient({ client: nodeOf(network).client, root: network.hash });
    const level = { market: 1, side: 'buy', price: 1n } as const;
    expect((await rejection(light.verifyRecord(level))).kind).toBe('levels_not_provable');
  });
});
