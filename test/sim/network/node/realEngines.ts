import {
  archive,
  clobInThread,
  type ClobPort,
  createOrderViews,
  createPipeline,
  openChain,
  openStaking,
  type Pipeline,
  readExecuted,
} from '@prime/chain';
import { createClobEngine } from '@prime/clob';
import { type BlockDelta, ordersAddress, stakingAddress, verifyNativeTransaction } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import type { Execution } from '@prime/engine';
import { createEvmState, createNodeCommon } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { createTransactionVerifier } from '@prime/evm/verify';
import type { Hash, Prng } from '@prime/primitives';
import { createSignerReader } from '@prime/storage';
import { Violation } from '../../observer.ts';
import type { NodeDisk } from './disk.ts';
import type { NodeEngines } from './engines.ts';
import type { World } from '../world.ts';

/** Blocks between two writes of the state that wait for the disk: in between a power cut takes some of them. */
const syncIntervalBlocks = 5;
/** First block that a divergent node executes otherwise. */
const divergentFrom = 3;
const slotZero = `0x${'00'.repeat(32)}` as Hash;

export interface RealEnginesOptions {
  readonly world: World;
  readonly disk: NodeDisk;
  readonly prng: Prng;
  /** Of the machine: transactions of users are signed for real. */
  readonly crypto: CryptoProvider;
  readonly isAlive: () => boolean;
  readonly onDelta: (delta: BlockDelta, behind: number) => void;
  readonly isDivergent: boolean;
}

/** Execution as it ships: block pipeline, EVM, order book and staking on the simulated state database. */
export async function openRealEngines(options: RealEnginesOptions): Promise<NodeEngines> {
  const { world, disk, crypto } = options;
  const { genesis, provider } = world;
  const database = disk.state;
  const pipeline = await world.time.hold(() => openPipeline(options));
  const verifyTransaction = createTransactionVerifier({
    chainId: genesis.chainId,
    blockGasLimit: genesis.evm.gasLimit,
    provider: crypto,
  });
  return {
    execution: executionOf(pipeline, options),
    accounts: createAccountReader(database),
    signers: createSignerReader(database),
    verifier: {
      transactions: async (raws) => raws.map(verifyTransaction),
      actions: async (raws) => raws.map((raw) => verifyNativeTransaction(raw, genesis.chainId, provider)),
    },
    baseFee: pipeline.status().nextBaseFee,
  };
}

async function openPipeline({ world, disk, onDelta, isDivergent }: RealEnginesOptions): Promise<Pipeline> {
  const { genesis, provider } = world;
  const database = disk.state;
  const port = clobInThread(createClobEngine(genesis.clob, genesis.actions));
  const clob = isDivergent ? divergent(port) : port;
  const accounts = createAccountReader(database);
  const status = await openChain({
    genesis,
    database,
    clob,
    committedOrdersRoot: () => accounts.slot(ordersAddress, slotZero),
  });
  const staking = await openStaking({
    genesis,
    database,
    provider,
    committedRoot: () => accounts.slot(stakingAddress, slotZero),
  });
  const evm = await createEvmState({
    database,
    common: await createNodeCommon(genesis.chainId),
    stateRoot: status.roots.stateRoot,
    blockHashOf: (height) => readExecuted(database, height)?.hash ?? null,
    orderViews: createOrderViews({ database, minTrades: genesis.clob.mark.minTrades }),
  });
  const parts = { genesis, database, clob, staking, evm, status };
  return createPipeline({ ...parts, onDelta, syncIntervalBlocks, retention: archive });
}

/** As a fault of the machine would: the same block gives another root here. */
const divergent = (port: ClobPort): ClobPort => ({
  ...port,
  async execute(block) {
    const outcome = await port.execute(block);
    const ordersRoot = `0x${'d1'.repeat(32)}` as Hash;
    return block.height < divergentFrom ? outcome : { ...outcome, ordersRoot };
  },
});

/** Each call and each answer takes its time, in which the process may end; calls are carried out in order. */
function executionOf(pipeline: Pipeline, { world, disk, prng, isAlive }: RealEnginesOptions): Execution {
  const { time } = world;
  const pause = async (): Promise<void> => {
    await time.sleep(prng.below(4));
    // A process that is gone does not answer.
    if (!isAlive()) await new Promise(() => undefined);
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(async () => {
      await pause();
      const result = await time.hold(work);
      await pause();
      return result;
    });
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    status: () => inTurn(async () => pipeline.status()),
    async check(block, next) {
      const verdict = await inTurn(() => pipeline.check(block));
      if (verdict.ok && next === 'execute') void inTurn(() => pipeline.execute(block.hash));
      return verdict;
    },
    judgeEvidence: (evidence) => inTurn(() => pipeline.judgeEvidence(evidence)),
    commit: (hash, certificate, behind) =>
      inTurn(() => {
        if (!disk.isDurable(certificate.height, hash))
          throw new Violation(`block ${certificate.height} is executed for good, and shown, before it is durable`);
        return pipeline.commit(hash, certificate, behind);
      }),
  };
}
