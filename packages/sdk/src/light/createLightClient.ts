import { LightClient as ChainClient } from '@prime/consensus';
import type { Height } from '@prime/primitives';
import { getGenesis, getOrdersProof } from '../actions/public/chain.ts';
import { callRpc, type PrimeClient } from '../client.ts';
import { toBigint } from '../decode/quantity.ts';
import { sleep } from '../signing/receipt.ts';
import type { OrdersProof } from '../types/chain.ts';
import type { Hash } from '../types/primitives.ts';
import { fromTrust } from './chainTrust.ts';
import { LightClientError, reading } from './errors.ts';
import { getLightBlock } from './getLightBlock.ts';
import { toChainBlock } from './lightBlock.ts';
import { errorOfRefusal } from './refusals.ts';
import { otherGenesis, trustGenesis } from './trust.ts';
import type {
  ExpiredTrust,
  Genesis,
  LightBlock,
  LightTrust,
  RecordReference,
  VerifiedBlock,
  VerifiedRecord,
} from './types.ts';
import { beforeTrust, contextOf, toVerified } from './verification.ts';
import { trustOf } from './verifyBlock.ts';
import { checkLevels, verifyRecord } from './verifyRecord.ts';

/** A node that is asked, and what is believed from the beginning. */
export interface LightClientParameters {
  /** Any client of viem. Its node need not be trusted. */
  readonly client: PrimeClient;
  /** What is trusted: genesis.json, or its hash (the node then shows the rest), or the `trust` of an earlier light client. */
  readonly root: Genesis | Hash | LightTrust;
  /** Default refuse. */
  readonly expiredTrust?: ExpiredTrust | undefined;
}

/** How long a light client waits for blocks that the node does not have yet. */
export interface WaitOptions {
  /** How long to wait for a block that does not exist yet, ms. Default 30000. */
  readonly timeoutMs?: number | undefined;
  /** Between two looks, ms. Default 250. */
  readonly pollingIntervalMs?: number | undefined;
}

/** How new a record has to be. */
export interface VerifyRecordOptions extends WaitOptions {
  /**
   * The record has to be as it is after this block, or a later one: a node that is behind, or lies by showing the past, is asked again until the time is over.
   * Default: any block; the result says which.
   */
  readonly minBlockNumber?: bigint | undefined;
}

/** Believes nothing of a node but what the signatures of trusted validators prove. */
export interface LightClient {
  /** Newest block that is believed; null before anything was verified from a hash. Keep it: it is JSON, and a later light client begins with it. */
  readonly trust: LightTrust | null;
  /**
   * Verifies that a block was decided. Without a number: the newest one of the node.
   *
   * @throws LightClientError of the kind that says what is wrong
   * @throws as `getCommit` does where the node can not be asked
   */
  readonly verifyBlock: (
    parameters?: { readonly blockNumber?: bigint | undefined } & WaitOptions,
  ) => Promise<VerifiedBlock>;
  /**
   * Asks for a record of the order book with its proof, and verifies both. It waits for the block after it, which has the state root.
   *
   * @throws as `verifyBlock`, and LightClientError `wrong_proof`, `stale_proof`, `levels_not_provable`
   */
  readonly verifyRecord: <const reference extends RecordReference>(
    record: reference,
    options?: VerifyRecordOptions,
  ) => Promise<VerifiedRecord<reference>>;
}

/** Believes a network as far as its validators signed, whatever the node says that it asks. */
export function createLightClient({ client, root, expiredTrust }: LightClientParameters): LightClient {
  // Of a hash the rest is not known yet.
  let first: LightTrust | null = typeof root === 'string' ? null : trustOf(root);
  let newest: VerifiedBlock | null = null;

  const begin = async (): Promise<LightTrust> => {
    if (first === null) first = trustGenesis(await getGenesis(client), { hash: root as Hash });
    return first;
  };

  const verifyBlockAt = async (blockNumber: bigint, wait: WaitOptions): Promise<VerifiedBlock> => {
    if (newest?.number === blockNumber) return newest;
    const start = await begin();
    const trust = newest !== null && newest.number < blockNumber ? newest.trust : start;
    const verified = await follow(client, { trust, blockNumber, expiredTrust, wait });
    if (newest === null || verified.number > newest.number) newest = verified;
    return verified;
  };

  return {
    get trust() {
      return newest?.trust ?? first;
    },
    async verifyBlock({ blockNumber, ...wait } = {}) {
      return verifyBlockAt(blockNumber ?? toBigint(await callRpc(client, 'eth_blockNumber', undefined)), wait);
    },
    async verifyRecord(record, { minBlockNumber = 0n, ...wait } = {}) {
      if ('price' in record) checkLevels({ trust: await begin() });
      const proof = await awaitProof(client, record, minBlockNumber, wait);
      return verifyRecord(await verifyBlockAt(proof.blockNumber + 1n, wait), { record, proof });
    },
  };
}

interface Way {
  readonly trust: LightTrust;
  readonly blockNumber: bigint;
  readonly expiredTrust: ExpiredTrust | undefined;
  readonly wait: WaitOptions;
}

/** From a trusted block to a later one, over as few as needed. */
async function follow(client: PrimeClient, { trust, blockNumber, expiredTrust, wait }: Way): Promise<VerifiedBlock> {
  if (blockNumber <= BigInt(trust.blockNumber)) throw beforeTrust(blockNumber, trust.blockNumber);
  const machine = new ChainClient(fromTrust(trust), Number(blockNumber) as Height, contextOf(trust, { expiredTrust }));
  const seen = new Map<number, LightBlock>();
  try {
    for (;;) {
      const block = await awaitBlock(client, BigInt(machine.next), wait);
      const chainBlock = toChainBlock(block);
      seen.set(chainBlock.header.height, block);
      const step = reading('the block', () => machine.take(chainBlock));
      if (step.kind === 'more') continue;
      if (step.kind === 'refused') throw errorOfRefusal(step.refusal, step.height, trust);
      const path = machine.path.map(({ header }) => seen.get(header.height)!);
      return toVerified(trust, step.block, { ...step, trust: machine.trusted }, path);
    }
  } catch (thrown) {
    throw await explained(client, trust, thrown);
  }
}

function awaitBlock(client: PrimeClient, blockNumber: bigint, wait: WaitOptions): Promise<LightBlock> {
  const missing = () => new LightClientError('block_missing', `The node has no block ${blockNumber}.`, { blockNumber });
  return poll(
    () => getLightBlock(client, { blockNumber }),
    (block) => block !== null,
    missing,
    wait,
  ) as Promise<LightBlock>;
}

function awaitProof(
  client: PrimeClient,
  record: RecordReference,
  minBlockNumber: bigint,
  wait: WaitOptions,
): Promise<OrdersProof> {
  const stale = ({ blockNumber }: OrdersProof) =>
    new LightClientError('stale_proof', `The node proves block ${blockNumber}, not ${minBlockNumber} or later.`, {
      blockNumber,
      minBlockNumber,
    });
  return poll(
    () => getOrdersProof(client, record),
    (proof) => proof.blockNumber >= minBlockNumber,
    stale,
    wait,
  );
}

/** Asks until an answer is good. @throws what `late` makes of the last one, once the time is over */
async function poll<Answer>(
  ask: () => Promise<Answer>,
  isGood: (answer: Answer) => boolean,
  late: (answer: Answer) => Error,
  { timeoutMs = 30_000, pollingIntervalMs = 250 }: WaitOptions,
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    if (Date.now() + pollingIntervalMs >= deadline) throw late(answer);
    await sleep(pollingIntervalMs);
  }
}

/** A node that says itself that it is of another network is told apart from one that lies. */
async function explained(client: PrimeClient, { genesisHash }: LightTrust, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof LightClientError) || thrown.kind === 'block_missing') return thrown;
  const genesis = await callRpc(client, 'eth_getBlockByNumber', ['0x0', false]).catch(() => null);
  const hash = genesis?.hash ?? genesisHash;
  return hash === genesisHash ? thrown : otherGenesis(genesisHash, hash);
}
