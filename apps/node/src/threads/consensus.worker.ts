import { availableParallelism } from 'node:os';
import type { Endpoint } from '@prime/bus';
import { type CommitOutcome, type ExecutionStatus, flatBlock, genesisHash, hiddenHost } from '@prime/codec';
import { cryptoProvider, type CryptoProvider } from '@prime/crypto';
import { type Clock, Engine, type EnginePorts, type Execution, type RosterEntry, withCrashPoints } from '@prime/engine';
import { readLastApplied } from '@prime/chain/history';
import { createAccountReader } from '@prime/evm/accounts';
import type { ListedPeer } from '@prime/network';
import { createMempool, type Mempool, type MempoolLimits } from '@prime/mempool';
import { assert, type Height, parseAddress } from '@prime/primitives';
import {
  createSignerReader,
  openBlockStore,
  openEvidenceFile,
  openSignState,
  openSnapshotStore,
  openStateDatabase,
  openWal,
  watchedFiles,
} from '@prime/storage';
import { type Logger, openMetrics } from '@prime/telemetry';
import { openLink, untilAnswered } from './links.ts';
import { nodeMetrics } from '../metrics/metrics.ts';
import { type ClockWatch, createEngineMetrics } from '../metrics/engineMetrics.ts';
import { nodeStarting } from '../errors.ts';
import { engineLog, threadLogger } from '../logging.ts';
import { openNetwork } from '../peers/network.ts';
import { nodeProtocol } from '../peers/nodeProtocol.ts';
import { createPeerHeads, operatePeers } from '../operator/peerDesk.ts';
import { createPendingFeed, type PendingFeed } from '../gateway/pendingFeed.ts';
import type { ConsensusToEvm, ConsensusToGateway, GatewayToConsensus, Silent } from './protocols.ts';
import type { ThreadData } from './threadData.ts';
import { createSignatureChecks } from '../pools/signatureChecks.ts';
import { createVerifierPool, poolThreads, type VerifierPool } from '../pools/verifierPool.ts';
import { withChecksHere } from '../pools/checksHere.ts';
import { compileAsUsual } from '../v8/compiler.ts';
import { consensusService } from '../consensus/consensusService.ts';
import { nodeClock } from '../clock.ts';
import { RecentAccounts } from '../consensus/recentAccounts.ts';
import { RecentSigners } from '../consensus/recentSigners.ts';
import { retentionOf } from '../home/retention.ts';
import { openRemoteKeys, type RemoteKeys } from '../keys/remoteKeys.ts';
import { type AtHeadTask, onceAtHead } from '../v8/onceAtHead.ts';
import { createEngineStages } from '../stages/engineStages.ts';
import { Stamper } from '../stages/stamper.ts';
import { logValidators, validatorEvents } from '../consensus/validatorChanges.ts';
import { openKeys } from '../keys/openKeys.ts';
import type { ValidatorKeys } from '../keys/validatorKeys.ts';
import { runThread, type ThreadOperation } from './threadMain.ts';

/** The consensus thread: network, mempool, engine, log, block store. */
runThread(async ({ data, fatal }) => {
  const { config, genesis, home } = data;
  const provider = await cryptoProvider();
  const evm = openLink<ConsensusToEvm, Silent>(data, 'consensus-evm', {}, fatal);
  const metrics = openMetrics(nodeMetrics, data.metrics);
  const synced = (file: 'log' | 'sign_state' | 'blocks') => (ms: number) =>
    metrics.observeOf('prime_disk_sync_seconds', file, ms / 1000);
  const blocks = await openBlockStore(home.blocks, {
    cacheBytes: config.storage.cacheBytes,
    keepBlocks: retentionOf(config).blocks,
    onSync: synced('blocks'),
  });
  const logFiles = watchedFiles({
    onSync: synced('log'),
    onWrite: (bytes) => metrics.add('prime_log_bytes_total', bytes),
  });
  const wal = openWal(home.wal, { genesisHash: genesisHash(genesis), files: logFiles });
  const signState = openSignState(home.signState, genesisHash(genesis), watchedFiles({ onSync: synced('sign_state') }));
  const remote = openRemoteKeys(data, {
    newest: () => signState.read(),
    logger: threadLogger(data, 'signer'),
    metrics: data.metrics,
  });
  const { keys, lookForKeys } = openKeys({ ...data, remote, provider, logger: threadLogger(data, 'consensus') });
  const verifier = openVerifier(data, provider);
  /** Told of each block that is executed for good. */
  const committed: Committed = { ...recentState(), follow: () => undefined, lookForKeys };
  const atHead = startAtHead(verifier);
  const execution = executionPort(evm, atHead, followChanges(data, keys, committed));
  const stamper = new Stamper('consensus', data.stages);
  let running: Running | null = null;
  const pending: PendingFeed = createPendingFeed((batch) => gateway.send('pending', batch));
  // Callers are served before: what is in the chain can be read while blocks are executed again.
  const service = consensusService(pending, () => {
    if (running === null) throw nodeStarting();
    return running;
  });
  const gateway: Endpoint<ConsensusToGateway> = openLink<ConsensusToGateway, GatewayToConsensus>(
    data,
    'gateway-consensus',
    service.handlers,
    fatal,
  );

  return {
    async start() {
      await remote?.start();
      const ports = { wal, signState, blocks, execution, verifier };
      running = await startEngine(data, { provider, keys, remote }, ports, { ...committed, pending, stamper, fatal });
      const { network, engine, p2pPort } = running;
      // A validator behind sentries connects with these alone, whatever the chain tells.
      if (config.p2p.sentries.length === 0) committed.follow = () => network.follow(listedOf(keys.roster.members()));
      return { p2pPort, height: engine.head };
    },
    async stop() {
      atHead.close();
      remote?.close();
      await running?.network.close();
      await running?.engine.stop();
      await verifier.close();
      wal.close();
      signState.close();
      await Promise.all([blocks.close(), running?.database.close()]);
      for (const link of [evm, gateway]) link.close();
    },
    halt: () => {
      atHead.close();
      return verifier.close();
    },
    status: () => (running === null ? null : service.status()),
    operate: (request) => operate(running, config, request),
    stamper,
  };
});

/** Who follows what blocks do. */
interface Committed {
  readonly accounts: RecentAccounts;
  readonly signers: RecentSigners;
  /** Validators changed. */
  follow(): void;
  lookForKeys(): void;
}

/** What is known of the state before it is written, or without a look at it each time. */
const recentState = (): Pick<Committed, 'accounts' | 'signers'> => ({
  accounts: new RecentAccounts(),
  signers: new RecentSigners(),
});

/** What the validators are after each block, for the log and for whoever dials them. */
function followChanges(data: ThreadData, keys: ValidatorKeys, committed: Committed): (outcome: CommitOutcome) => void {
  const log = engineLog(threadLogger(data, 'consensus'));
  return (outcome) => {
    const { height, validators } = outcome;
    committed.accounts.onCommit(outcome);
    committed.signers.onCommit(outcome);
    if (validators !== undefined)
      logValidators(log, height, validatorEvents(keys.roster.registered, validators), keys.self());
    if (keys.update(outcome)) committed.follow();
    // Its owner writes a new key before registering it: it is decrypted by the time that it counts.
    committed.lookForKeys();
  };
}

/** Carries out what an operator asks. */
async function operate(
  running: Running | null,
  { p2p }: ThreadData['config'],
  request: ThreadOperation,
): Promise<unknown> {
  assert(request.kind !== 'backupSnapshot', 'snapshots are taken by the execution thread');
  assert(running !== null, 'consensus was told to do something before it was started');
  const { engine } = running;
  return request.kind === 'dump'
    ? engine.dump()
    : operatePeers({ ...running, status: () => engine.status(), p2p }, request);
}

/** What is only worth its time once the node has been at the head for a while. */
const startAtHead = (verifier: Pick<VerifierPool, 'warm'>): AtHeadTask =>
  onceAtHead(() => {
    verifier.warm();
    compileAsUsual();
  });

/**
 * The execution thread as the engine uses it.
 *
 * @param atHead told how many blocks are known to be missing after each
 * @param onCommit told after each block that is executed for good
 */
const executionPort = (
  evm: Pick<Endpoint<ConsensusToEvm>, 'request'>,
  atHead: AtHeadTask,
  onCommit: (outcome: CommitOutcome) => void,
): Execution => ({
  status: () => evm.request('status', null, untilAnswered),
  check: (block, next) => evm.request('check', { block: flatBlock(block), next }, untilAnswered),
  judgeEvidence: (evidence) => evm.request('judgeEvidence', evidence, untilAnswered),
  commit: async (hash, certificate, behind) => {
    const outcome = await evm.request('commit', { hash, certificate, behind }, untilAnswered);
    atHead.onCommit(behind);
    onCommit(outcome);
    return outcome;
  },
});

/** Ports that end the process at the n-th crash point, as a power switch would; unchanged when n is null. */
function crashable<Ports extends Parameters<typeof withCrashPoints>[0]>(crashAt: number | null, ports: Ports) {
  if (crashAt === null) return ports;
  let remaining = crashAt;
  const reach = (): void => {
    remaining -= 1;
    if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  };
  return { ...ports, ...withCrashPoints(ports, reach) };
}

/** Checks of signatures: by the pool, and a few by this thread, with the provider that takes a tenth of a millisecond and not several times as long. */
function openVerifier({ config, genesis }: ThreadData, provider: CryptoProvider): VerifierPool {
  const verdicts = { chainId: genesis.chainId, gasLimit: genesis.evm.gasLimit };
  const threads = poolThreads(config.threads.cryptoWorkers, availableParallelism());
  const pool = createVerifierPool({ threads, ...verdicts });
  if (provider.name !== 'native') return pool;
  return withChecksHere(pool, createSignatureChecks(verdicts, provider), () => performance.now());
}

interface Signing {
  readonly provider: CryptoProvider;
  readonly keys: ValidatorKeys;
  /** null where the keys are in the home. */
  readonly remote: RemoteKeys | null;
}

/** Who is told of what the engine does. */
interface EngineListeners {
  readonly accounts: RecentAccounts;
  readonly signers: RecentSigners;
  readonly pending: PendingFeed;
  readonly stamper: Stamper;
  readonly fatal: (error: unknown) => void;
}

type Running = Awaited<ReturnType<typeof startEngine>>;

/** Everything that needs to know how far execution is: mempool, network, engine. */
async function startEngine(
  data: ThreadData,
  { provider, keys, remote }: Signing,
  ports: Pick<EnginePorts, 'wal' | 'signState' | 'blocks' | 'execution' | 'verifier'>,
  { accounts, signers, pending, stamper, fatal }: EngineListeners,
) {
  const { config, genesis, home } = data;
  const logger = threadLogger(data, 'consensus');
  const clock = nodeClock(data.clockOffsetMs);
  const status = await ports.execution.status();
  keys.reread();
  keys.begin(status, ports.blocks.validators((status.height + 1) as Height));
  const validator = config.node.role === 'validator' ? keys.self() : null;
  const database = await openStateDatabase(home.state, { cacheBytes: config.storage.cacheBytes });
  accounts.over(createAccountReader(database));
  signers.over({ records: createSignerReader(database), height: () => readLastApplied(database) }, status.height);
  const mempool = createNodeMempool(data, status, clock, pending);
  const heads = createPeerHeads();
  const counters = createEngineMetrics(data.metrics, clock, clockWatch(keys, logger));
  const newest = ports.blocks.get(status.height)?.block.header ?? genesis;
  counters.begin(newest.timestampMs, genesis.consensus.emptyBlockIntervalMs);
  const network = openNetwork({
    data,
    validator,
    keys,
    credential: remote?.credential ?? null,
    provider,
    logger,
    clock,
    head: () => engine.head,
    events: heads.watch(() => engine),
  });
  if (status.validators !== undefined && config.p2p.sentries.length === 0)
    network.follow(listedOf(keys.roster.members()));
  const engine: Engine = new Engine({
    genesis,
    protocol: nodeProtocol(data),
    sentries: config.p2p.sentries.map(parseAddress),
    privatePeers: config.p2p.privatePeers.map(parseAddress),
    ...(config.upgrades.haltHeight > 0 && { haltHeight: config.upgrades.haltHeight as Height }),
    timeouts: config.consensus,
    doubleSign: config.consensus,
    signers: validator === null ? [] : keys.signers,
    provider,
    mempool,
    ports: {
      ...crashable(data.crashAt, { ...ports, network }),
      evidence: openEvidenceFile(home.evidence),
      snapshots: openSnapshotStore(home.snapshots),
      accounts,
      signers,
      clock,
    },
    log: engineLog(logger),
    metrics: counters,
    stages: createEngineStages(stamper),
    onFatal: fatal,
  });
  remote?.onReady((newest) => {
    keys.reread();
    engine.onSignerReady(newest);
  });
  await engine.start();
  const endpoint = await network.start();
  const asked = { engine, mempool, accounts, network, keys, counters, signer: remote, heads, p2p: config.p2p };
  const shown = validator ?? keys.shown().address;
  return { ...asked, shown, limits: mempoolLimits(config.limits), database, p2pPort: endpoint?.port ?? 0 };
}

/** A warning in the log when the clock of this machine is off. */
const clockWatch = (keys: ValidatorKeys, logger: Logger): ClockWatch => ({
  self: () => keys.self(),
  onClockOff: (offsetMs) => {
    const where = offsetMs > 0 ? 'ahead of' : 'behind';
    const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
    logger.warn({ offsetMs }, `the clock of this machine is ${where} its peers by ${seconds} s: look after NTP`);
  },
});

const createNodeMempool = (
  { config, genesis }: Pick<ThreadData, 'config' | 'genesis'>,
  { nextBaseFee }: Pick<ExecutionStatus, 'nextBaseFee'>,
  clock: Clock,
  pending: PendingFeed,
): Mempool =>
  createMempool({
    blockGasLimit: genesis.evm.gasLimit,
    blockBytesMax: genesis.consensus.maxBlockBytes,
    baseFee: nextBaseFee,
    timestampMs: clock.nowMs(),
    limits: mempoolLimits(config.limits),
    onPending: (transaction) => pending.add(transaction),
  });

/** Actions have a room of their own, so that neither kind can push out the other. */
const mempoolLimits = (limits: ThreadData['config']['limits']) =>
  ({
    transactionCountMax: limits.mempoolTransactions,
    transactionBytesMax: limits.mempoolBytes,
    actionCountMax: limits.mempoolTransactions,
    actionBytesMax: Math.floor(limits.mempoolBytes / 4),
    senderTransactionsMax: limits.mempoolSenderTransactions,
    senderGuaranteed: limits.mempoolSenderGuaranteed,
    senderQueuedMax: limits.mempoolSenderQueued,
    queuedLifetimeMs: limits.mempoolQueuedMs,
    drainMs: limits.mempoolDrainMs,
    localCountMax: Math.floor(limits.mempoolTransactions / 4),
    priceBumpPercent: limits.mempoolPriceBump,
    tipMin: BigInt(limits.mempoolTipMin),
  }) satisfies Partial<MempoolLimits>;

/** Where the chain says that validators are. */
const listedOf = (members: readonly RosterEntry[]): ListedPeer[] =>
  members.flatMap(({ address, endpoint }) =>
    endpoint == null || endpoint.host === hiddenHost ? [] : [{ address, ...endpoint }],
  );
