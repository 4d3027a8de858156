import {
  createOrderViews,
  createPipeline,
  createSnapshotter,
  openChain,
  openStaking,
  type Pipeline,
  readExecuted,
  type Snapshotter,
  type SnapshotterOptions,
} from '@prime/chain';
import type { Endpoint, Handlers } from '@prime/bus';
import {
  type BlockDelta,
  type CommitOutcome,
  executableBlock,
  flatActions,
  frameCount,
  ordersAddress,
  stakingAddress,
} from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { createEvmState, createNodeCommon } from '@prime/evm';
import { createAccountReader } from '@prime/evm/accounts';
import { assert, type Hash } from '@prime/primitives';
import { openBlockStore, openSnapshotStore, openStateDatabase } from '@prime/storage';
import { openMetrics } from '@prime/telemetry';
import { createDeltaFeed, type DeltaFeed } from '../gateway/deltaFeed.ts';
import { fundsOf, pipelineWatch } from '../metrics/executionMetrics.ts';
import { FailedBlock } from '../home/failedBlock.ts';
import { threadLogger } from '../logging.ts';
import type { ThreadData } from './threadData.ts';
import { type BackupSnapshot, createBackupSnapshot } from '../restore/backupSnapshot.ts';
import { beginSnapshot } from '../restore/snapshots.ts';
import { openLink, untilAnswered } from './links.ts';
import { nodeMetrics } from '../metrics/metrics.ts';
import type { ConsensusToEvm, EvmToClob, EvmToGateway, GatewayToEvm, Silent } from './protocols.ts';
import { retentionOf } from '../home/retention.ts';
import { Stamper } from '../stages/stamper.ts';
import { runThread } from './threadMain.ts';

const slotZero = `0x${'00'.repeat(32)}` as Hash;

/** The execution thread: block pipeline, EVM, state database. */
runThread(async ({ data, fatal }) => {
  const { config, genesis, home } = data;
  let pipeline: Pipeline | null = null;
  const opened = (): Pipeline => openPipeline(pipeline);
  const consensus = openLink<Silent, ConsensusToEvm>(
    data,
    'consensus-evm',
    {
      status: () => opened().status(),
      check: async ({ block, next }) => {
        const verdict = await opened().check(executableBlock(block));
        // The answer leaves first.
        if (verdict.ok && next === 'execute') setImmediate(() => executeAhead(opened(), block.hash, failed, fatal));
        return verdict;
      },
      judgeEvidence: (evidence) => opened().judgeEvidence(evidence),
      commit: (decided) => resultsOf(decided, opened(), failed, fatal),
    },
    fatal,
  );
  const clobLink = openLink<EvmToClob, Silent>(data, 'evm-clob', {}, fatal);
  const { gateway, deltas } = openGateway(data, (key) => opened().prove(new Uint8Array(key)), fatal);
  const { cacheBytes, stateSyncBlocks: syncIntervalBlocks } = config.storage;
  const [database, blocks, common] = await Promise.all([
    openStateDatabase(home.state, { cacheBytes }),
    openBlockStore(home.blocks, { readonly: true, cacheBytes }),
    createNodeCommon(genesis.chainId),
  ]);
  const snapshotter = openSnapshotter(data, database, blocks);
  const failed = new FailedBlock({ path: home.failedBlock, blocks, logger: threadLogger(data, 'execution') });
  const clob = diverging(clobPort(clobLink), data.divergeAt);
  const retention = retentionOf(config);
  const stamper = new Stamper('evm', data.stages);

  const onDelta = (delta: BlockDelta, behind: number): Promise<void> => {
    stamper.block('executed', delta.block.header.height, delta.hash);
    failed.onCommitted(delta.block.header.height);
    snapshotter.onCommit(delta.block, behind);
    return deltas.tell(delta, behind);
  };

  return {
    async start() {
      const committedOrdersRoot = (): Hash => createAccountReader(database).slot(ordersAddress, slotZero);
      const status = await openChain({ genesis, database, clob, committedOrdersRoot });
      const evm = await createEvmState({
        database,
        common,
        stateRoot: status.roots.stateRoot,
        blockHashOf: (height) => readExecuted(database, height)?.hash ?? null,
        listsDropped: retention.states !== null,
        orderViews: createOrderViews({ database, minTrades: genesis.clob.mark.minTrades }),
      });
      const committedRoot = (): Hash => createAccountReader(database).slot(stakingAddress, slotZero);
      const staking = await openStaking({ genesis, database, provider: await cryptoProvider(), committedRoot });
      const domains = { evm, clob, staking };
      const feeds = { onDelta, watch: pipelineWatch(data) };
      pipeline = createPipeline({ genesis, database, ...domains, status, ...feeds, syncIntervalBlocks, retention });
      return { executed: status.height };
    },
    async stop() {
      await pipeline?.close();
      await snapshotter.settled();
      await Promise.all([database.close(), blocks.close()]);
      for (const link of [consensus, clobLink, gateway]) link.close();
    },
    status: () => pipeline && { ...pipeline.status(), funds: fundsOf(database) },
    operate: backupSnapshots({ database, blocks, folder: home.backupSnapshot }, opened),
    stamper,
  };
});

function openPipeline(pipeline: Pipeline | null): Pipeline {
  assert(pipeline !== null, 'execution was asked before it was started');
  return pipeline;
}

/** The link to the gateway, and the feed of blocks over it. */
function openGateway(
  data: ThreadData,
  prove: Handlers<GatewayToEvm>['ordersProof'],
  fatal: (error: unknown) => void,
): { readonly gateway: Endpoint<EvmToGateway>; readonly deltas: DeltaFeed } {
  const deltas = createDeltaFeed(() => gateway, fatal);
  const gateway: Endpoint<EvmToGateway> = openLink<EvmToGateway, GatewayToEvm>(
    data,
    'evm-gateway',
    { ordersProof: prove, deltasTaken: (height) => deltas.onTaken(height) },
    fatal,
    () => deltas.onClosed(),
  );
  return { gateway, deltas };
}

/** The results of a decided block, as soon as they are known; it is written while consensus goes on, and a failure of that ends the node. */
function resultsOf(
  { hash, certificate, behind }: ConsensusToEvm['requests']['commit']['request'],
  pipeline: Pipeline,
  failed: FailedBlock,
  fatal: (error: unknown) => void,
): Promise<CommitOutcome> {
  return new Promise((resolve, reject) => {
    let isKnown = false;
    const onResults = (outcome: CommitOutcome): void => {
      isKnown = true;
      resolve(outcome);
    };
    failed
      .watch(() => pipeline.commit(hash, certificate, behind, onResults))
      .catch((error: unknown) => (isKnown ? fatal(error) : reject(error)));
  });
}

/** Executes a block while the votes on it are under way; nobody waits for it. */
function executeAhead(pipeline: Pipeline, hash: Hash, failed: FailedBlock, fatal: (error: unknown) => void): void {
  pipeline.execute(hash).catch((error: unknown) => {
    const reason = failed.onProposed(error);
    if (reason !== null) fatal(reason);
  });
}

/** Snapshots for backups, each begun between two blocks. */
const backupSnapshots = (
  place: Parameters<typeof beginSnapshot>[0],
  pipeline: () => Pick<Pipeline, 'between'>,
): (() => Promise<BackupSnapshot>) =>
  createBackupSnapshot({ folder: place.folder, begin: () => pipeline().between(() => beginSnapshot(place)) });

function openSnapshotter(
  data: ThreadData,
  database: SnapshotterOptions['database'],
  blocks: SnapshotterOptions['blocks'],
): Snapshotter {
  const metrics = openMetrics(nodeMetrics, data.metrics);
  const logger = threadLogger(data, 'snapshots');
  return createSnapshotter({
    database,
    blocks,
    store: openSnapshotStore(data.home.snapshots),
    intervalBlocks: data.config.snapshots.intervalBlocks,
    keep: data.config.snapshots.keep,
    onTaken: (height) => {
      metrics.add('prime_snapshots_taken_total');
      metrics.set('prime_snapshot_height', height);
      logger.info({ height }, 'took a snapshot');
    },
    // Blocks go on without: the next one may work.
    onFailed: (height, error) => {
      metrics.add('prime_snapshots_failed_total');
      logger.error({ height, error: String(error) }, 'no snapshot was taken');
    },
  });
}

/** Tests only: an order book whose root is another one than everybody else's at one height, as if something in it were not deterministic. */
function diverging(clob: ReturnType<typeof clobPort>, height: number | null): ReturnType<typeof clobPort> {
  if (height === null) return clob;
  return {
    ...clob,
    async execute(block) {
      const outcome = await clob.execute(block);
      // Asked about every block, so that the height is not one that is at rest.
      return { ...outcome, rest: null, ...(block.height === height && { ordersRoot: slotZero }) };
    },
  };
}

/** The order book thread as the pipeline uses it. */
function clobPort(
  link: Pick<ReturnType<typeof openLink<EvmToClob, Silent>>, 'request' | 'sendReliable'>,
): Parameters<typeof openChain>[0]['clob'] {
  let hasChanges = true;
  return {
    restore: async (records) => {
      await link.request('restore', records, untilAnswered);
    },
    genesis: (markets) => link.request('genesis', markets, untilAnswered),
    ordersRoot: () => link.request('ordersRoot', null, untilAnswered),
    prove: (key) => link.request('prove', key, untilAnswered),
    async execute(block) {
      const flat = { ...block, actions: flatActions(block.actions) };
      const outcome = await link.request('execute', flat, untilAnswered);
      hasChanges = frameCount(outcome.writes) > 0;
      return outcome;
    },
    // To keep a block that changed nothing is no work: it can wait for the next one.
    commit: async () => link.sendReliable('commit', null, { wakes: hasChanges }),
    rollback: async () => link.sendReliable('rollback', null),
  };
}
