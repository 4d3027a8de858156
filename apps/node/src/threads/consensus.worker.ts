import { availableParallelism } from 'node:os';
import type { Endpoint, Handlers } from '@prime/bus';
import { genesisHash } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { Engine, type EnginePorts, type Execution, type PeerEvents, withCrashPoints } from '@prime/engine';
import { createAccountReader } from '@prime/evm/accounts';
import { createMempool, type MempoolLimits } from '@prime/mempool';
import { assert, type Height } from '@prime/primitives';
import { openBlockStore, openEvidenceFile, openSignState, openStateDatabase, openWal } from '@prime/storage';
import { openLink, untilAnswered } from '../links.ts';
import { createEngineMetrics } from '../engineMetrics.ts';
import { engineLog, threadLogger } from '../logging.ts';
import { type Identity, readIdentity } from '../identity.ts';
import { openNetwork } from '../network.ts';
import { createPendingFeed, type PendingFeed } from '../pendingFeed.ts';
import type { ConsensusToEvm, ConsensusToGateway, GatewayToConsensus, Silent } from '../protocols.ts';
import { createSignerReader } from '../signerReader.ts';
import type { ThreadData } from '../threadData.ts';
import { createVerifierPool, poolThreads } from '../verifierPool.ts';
import { consensusService } from '../consensusService.ts';
import { nodeClock } from '../clock.ts';
import { retentionOf } from '../retention.ts';
import { runThread } from './threadMain.ts';

/** The consensus thread: network, mempool, engine, log, block store. */
runThread(async ({ data, fatal }) => {
  const { config, genesis, home } = data;
  const identity = readIdentity(data, await cryptoProvider());
  const evm = openLink<ConsensusToEvm, Silent>(data, 'consensus-evm', {}, fatal);
  const blocks = await openBlockStore(home.blocks, {
    cacheBytes: config.storage.cacheBytes,
    keepBlocks: retentionOf(config).blocks,
  });
  const wal = openWal(home.wal, { genesisHash: genesisHash(genesis) });
  const signState = openSignState(home.signState);
  const verifier = createVerifierPool({
    threads: poolThreads(config.threads.cryptoWorkers, availableParallelism()),
    chainId: genesis.chainId,
    gasLimit: genesis.evm.gasLimit,
  });
  const execution = executionPort(evm, () => verifier.warm());
  let running: Running | null = null;
  const service = consensusService(() => {
    assert(running !== null, 'consensus was asked before it was started');
    return running;
  });
  const pending: PendingFeed = createPendingFeed((batch) => gateway.send('pending', batch));
  const handlers: Handlers<GatewayToConsensus> = {
    ...service.handlers,
    listenPending: (detail) => {
      pending.listen(detail);
      return null;
    },
  };
  const gateway = openLink<ConsensusToGateway, GatewayToConsensus>(data, 'gateway-consensus', handlers, fatal);

  return {
    async start() {
      running = await startEngine(data, identity, { wal, signState, blocks, execution, verifier }, pending, fatal);
      return { p2pPort: running.p2pPort, height: running.engine.head };
    },
    async stop() {
      await running?.network.close();
      await running?.engine.stop();
      await verifier.close();
      wal.close();
      signState.close();
      await Promise.all([blocks.close(), running?.database.close()]);
      for (const link of [evm, gateway]) link.close();
    },
    halt: () => verifier.close(),
    status: () => (running === null ? null : service.status()),
  };
});

/** The execution thread as the engine uses it. @param onCommit told after each block that is executed for good */
const executionPort = (evm: Pick<Endpoint<ConsensusToEvm>, 'request'>, onCommit: () => void): Execution => ({
  status: () => evm.request('status', null, untilAnswered),
  check: (block) => evm.request('check', block, untilAnswered),
  judgeEvidence: (evidence) => evm.request('judgeEvidence', evidence, untilAnswered),
  execute: (hash) => evm.request('execute', hash, untilAnswered),
  commit: async (hash, certificate) => {
    const outcome = await evm.request('commit', { hash, certificate }, untilAnswered);
    onCommit();
    return outcome;
  },
});

/** Ports that end the process at the n-th crash point, as a power switch would; unchanged when n is null. */
function crashable<Ports extends Parameters<typeof withCrashPoints>[0]>(crashAt: number | null, ports: Ports) {
  if (crashAt === null) return ports;
  let left = crashAt;
  const reach = (): void => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
  return { ...ports, ...withCrashPoints(ports, reach) };
}

type Running = Awaited<ReturnType<typeof startEngine>>;

/** Everything that needs to know how far execution is: mempool, network, engine. */
async function startEngine(
  data: ThreadData,
  { provider, validator, signer }: Identity,
  ports: Pick<EnginePorts, 'wal' | 'signState' | 'blocks' | 'execution' | 'verifier'>,
  pending: PendingFeed,
  fatal: (error: unknown) => void,
) {
  const { config, genesis, home } = data;
  const logger = threadLogger(data, 'consensus');
  const clock = nodeClock(data.clockOffsetMs);
  const status = await ports.execution.status();
  const database = await openStateDatabase(home.state, { cacheBytes: config.storage.cacheBytes });
  const accounts = createAccountReader(database);
  const signers = createSignerReader(database);
  const mempool = createMempool({
    blockGasLimit: genesis.evm.gasLimit,
    baseFee: status.nextBaseFee,
    timestampMs: clock.nowMs(),
    limits: mempoolLimits(config.limits),
    onPending: (transaction) => pending.add(transaction),
  });
  const events: PeerEvents = {
    onMessage: (from, message) => engine.onMessage(from, message),
    onPeerConnected: (peer) => engine.onPeerConnected(peer),
    onPeerDisconnected: (peer) => engine.onPeerDisconnected(peer),
  };
  const head = (): Height => engine.head;
  const network = openNetwork({ data, validator, signer, provider, logger, clock, head, events });
  const engine: Engine = new Engine({
    genesis,
    timeouts: config.consensus,
    signers: validator === null ? [] : [signer],
    provider,
    mempool,
    ports: {
      ...crashable(data.crashAt, { ...ports, network }),
      evidence: openEvidenceFile(home.evidence),
      accounts,
      signers,
      clock,
    },
    log: engineLog(logger),
    metrics: createEngineMetrics(data.metrics),
    onFatal: fatal,
  });
  await engine.start();
  const endpoint = await network.start();
  return { engine, mempool, accounts, network, database, p2pPort: endpoint?.port ?? 0 };
}

/** Actions have a room of their own, so that neither kind can push out the other. */
const mempoolLimits = (limits: ThreadData['config']['limits']): Partial<MempoolLimits> => ({
  transactionCountMax: limits.mempoolTransactions,
  transactionBytesMax: limits.mempoolBytes,
  actionCountMax: limits.mempoolTransactions,
  actionBytesMax: Math.floor(limits.mempoolBytes / 4),
  senderTransactionsMax: limits.mempoolSenderTransactions,
  senderGuaranteed: limits.mempoolSenderGuaranteed,
  senderQueuedMax: limits.mempoolSenderQueued,
  queuedLifetimeMs: limits.mempoolQueuedMs,
  localCountMax: Math.floor(limits.mempoolTransactions / 4),
  priceBumpPercent: limits.mempoolPriceBump,
  tipMin: BigInt(limits.mempoolTipMin),
});
