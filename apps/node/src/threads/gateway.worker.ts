import { availableParallelism } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import type { Endpoint } from '@prime/bus';
import { readEventFrames, readExecuted, readLastApplied } from '@prime/chain';
import {
  openDelta,
  genesisHash,
  type MarketPrices,
  marketPricesIn,
  recordKind,
  recordNumber,
  statePrefix,
  validatorsHash,
} from '@prime/codec';
import { formatGenesis, parseUnlockedAccounts } from '@prime/config';
import { validatorsFromGenesis } from '@prime/consensus';
import { type CryptoProvider, cryptoProvider } from '@prime/crypto';
import { storeBehind } from '@prime/engine';
import { networkVersion } from '@prime/network';
import {
  type ConsensusBackend,
  createGateway,
  type ExecutionBackend,
  type Gateway,
  genesisBlockRecord,
  marginRulesOf,
} from '@prime/gateway';
import { assert, type Height, type MarketId } from '@prime/primitives';
import { type BlockRecord, defaultRpcLimits, type NodeInfo } from '@prime/rpc';
import { openBlockStore, openStateDatabase } from '@prime/storage';
import { nodeClock } from '../clock.ts';
import { isTakenTold } from '../gateway/deltaFeed.ts';
import { apiKeyGrants, gatewayLimits } from '../gateway/gatewayConfig.ts';
import { gatewayHooks } from '../gateway/gatewayHooks.ts';
import { openLink, portOver } from './links.ts';
import { marketsShownMax } from '../metrics/marketMetrics.ts';
import { threadLogger } from '../logging.ts';
import { InlineEvm } from '../readers/inlineCalls.ts';
import type { ConsensusToGateway, EvmToGateway, GatewayToConsensus, GatewayToEvm } from './protocols.ts';
import { standBack } from './priority.ts';
import { Stamper } from '../stages/stamper.ts';
import { createReaderPool, type ReaderPool } from '../pools/readerPool.ts';
import { candlesAtStart } from '../readers/candlesAtStart.ts';
import { createHistoryReader } from '../readers/historyReader.ts';
import { openInlineReader } from '../readers/inlineReader.ts';
import type { ReaderData } from '../readers/reader.ts';
import type { ThreadData } from './threadData.ts';
import {
  countOpenFiles,
  createFilesReserve,
  createOpenFilesGuard,
  type FilesReserve,
  openFilesLimit,
  type OpenFilesGuard,
} from '../gateway/openFiles.ts';
import { onceAtHead } from '../v8/onceAtHead.ts';
import { poolThreads } from '../pools/verifierPool.ts';
import { clientVersion } from '../version.ts';
import { runThread } from './threadMain.ts';

/** The gateway thread: HTTP, JSON-RPC, read models, the pool of readers. */
runThread(async ({ data, fatal }) => {
  const { config } = data;
  standBack(config.threads.gatewayNice);
  let gateway: Gateway | null = null;
  let readers: ReaderPool | null = null;
  const reserve = createFilesReserve();
  let filesGuard: OpenFilesGuard | null = null;
  const atHead = onceAtHead(() => readers?.warm());
  const inlineCalls = openInlineCalls(data);
  const stamper = new Stamper('gateway', data.stages);
  const consensus = openLink<GatewayToConsensus, ConsensusToGateway>(
    data,
    'gateway-consensus',
    { pending: (batch) => gateway?.applyPending(batch) },
    fatal,
  );
  const evm: Endpoint<GatewayToEvm> = openLink<GatewayToEvm, EvmToGateway>(
    data,
    'evm-gateway',
    {
      delta: ({ delta, behind }) => {
        assert(gateway !== null, 'a delta came before the gateway was started');
        gateway.applyDelta(openDelta(delta));
        atHead.onCommit(behind);
        const { height } = delta.block.header;
        if (isTakenTold(height)) evm.sendReliable('deltasTaken', height);
      },
    },
    fatal,
  );
  const { listen } = config.rpc;
  assert(listen !== null, 'rpc.listen is empty');

  return {
    async start() {
      readers = createReaderPool({
        threads: poolThreads(config.threads.evmReaders, availableParallelism()),
        queueMax: config.limits.readerQueue,
        waitMs: config.limits.readerWaitMs,
        data: readerData(data),
      });
      gateway = await openGateway(data, listen, stamper, {
        consensus: portOver<ConsensusBackend>(consensus),
        reader: readers.backend,
        ...(inlineCalls === null ? {} : { inlineCalls }),
        execution: portOver<ExecutionBackend>(evm),
      });
      filesGuard = guardOpenFiles(data, reserve, gateway.surfaces);
      await gateway.start();
      const { port, operatorPort, httpLibrary } = gateway.surfaces;
      return { rpcPort: port, ...(operatorPort === null ? {} : { operatorRpcPort: operatorPort }), httpLibrary };
    },
    async stop() {
      filesGuard?.end();
      atHead.close();
      await gateway?.close();
      await inlineCalls?.close();
      await readers?.close();
      for (const link of [consensus, evm]) link.close();
    },
    halt: async () => {
      filesGuard?.end();
      atHead.close();
      gateway?.abort();
    },
    status: () => statusOf(gateway, reserve.held),
    stamper,
  };
});

const statusOf = (gateway: Gateway | null, filesHeldBack: number) => ({
  port: gateway?.surfaces.port ?? null,
  httpLibrary: gateway?.surfaces.httpLibrary ?? null,
  markets: gateway?.markets(marketsShownMax) ?? null,
  reporters: gateway?.reporters() ?? null,
  filesHeldBack,
});

/** Keeps files for blocks and peers: callers wait while too many are open. */
function guardOpenFiles(
  data: ThreadData,
  reserve: FilesReserve,
  door: Pick<Gateway['surfaces'], 'shut' | 'letIn'>,
): OpenFilesGuard {
  const logger = threadLogger(data, 'gateway');
  const limit = openFilesLimit();
  const guard = createOpenFilesGuard({
    limit,
    count: countOpenFiles,
    reserve,
    door,
    onChange: (isFull, open) =>
      isFull
        ? logger.warn({ open, limit }, 'too many connections for the open files of this process: new callers wait')
        : logger.info({ open, limit }, 'callers are let in again'),
  });
  let timer = setTimeout(function look() {
    timer = setTimeout(look, guard.look());
  });
  return {
    ...guard,
    end() {
      clearTimeout(timer);
      guard.end();
    },
  };
}

const readerData = ({ config, home, genesis }: ThreadData): ReaderData => ({
  minTrades: genesis.clob.mark.minTrades,
  blocks: home.blocks,
  state: home.state,
  chainId: genesis.chainId,
  cacheBytes: config.storage.cacheBytes,
  timeoutMs: config.limits.callMs,
  nice: config.threads.readerNice,
  callGasMax: BigInt(config.limits.callGas),
  traceTimeoutMs: config.limits.traceMs,
  traceCharactersMax: config.limits.responseBytes,
  firstValidators: validatorsFromGenesis(genesis.validators).validators,
  simulation: { blocksMax: config.limits.simulatedBlocks, callsMax: config.limits.simulatedCalls },
});

function openInlineCalls(data: ThreadData): InlineEvm | null {
  const gas = data.config.limits.inlineCallGas;
  if (gas === 0) return null;
  const log = threadLogger(data, 'gateway');
  return new InlineEvm({
    gas,
    open: () => openInlineReader(readerData(data)),
    nowMs: () => performance.now(),
    onError: (error) =>
      log.error({ error: String(error) }, 'calls in this thread are off: their state could not be opened'),
  });
}

/** Builds the read models from what is on disk at the head. */
async function openGateway(
  data: ThreadData,
  listen: { readonly host: string; readonly port: number },
  stamper: Stamper,
  backends: Parameters<typeof createGateway>[1],
): Promise<Gateway> {
  const { config, home } = data;
  const crypto = await cryptoProvider();
  const { cacheBytes } = config.storage;
  const { operatorListen, corsOrigins, access, trustedProxies, explorerUrl } = config.rpc;
  const blocks = await openBlockStore(home.blocks, { readonly: true, cacheBytes });
  const database = await openStateDatabase(home.state, { cacheBytes });
  try {
    const height = readLastApplied(database);
    assert(height !== null, 'the gateway was started before execution');
    if (height > blocks.head()) throw storeBehind(blocks.head(), height);
    const genesisRecord = genesisOf(data, readExecuted(database, 0 as Height));
    const { firstValidators } = readerData(data);
    const history = createHistoryReader({ blocks, database, firstValidators });
    const head = height === 0 ? genesisRecord : await history.block({ height });
    const executed = readExecuted(database, height);
    assert(head !== null && executed !== null, `block ${height} is not on disk`);
    const records: [Uint8Array, Uint8Array][] = [];
    for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord)))
      records.push([key.slice(1), value]);
    return createGateway(
      {
        listen,
        operatorListen,
        corsOrigins,
        access,
        apiKeys: apiKeyGrants(config),
        trustedProxies,
        info: nodeInfo(data),
        networkName: data.genesis.networkName,
        explorerUrl,
        limits: gatewayLimits(config),
        webSocket: { enabled: config.ws.enabled, subscriptions: config.ws.subscriptions },
        genesis: genesisRecord,
        head,
        nextBaseFee: executed.nextBaseFee,
        unlockedKeys: unlockedKeys(crypto, home.unlockedAccounts),
        crypto,
        records,
        recentEvents: recentEvents(database, height),
        candles: await candlesAtStart(database, pricesIn(records), executed.timestampMs),
        marginRules: marginRulesOf(data.genesis.clob),
        nowMs: () => performance.now(),
        clock: nodeClock(data.clockOffsetMs),
        onBlock: (stage, { hash, block }) => stamper.block(stage, block.header.height, hash),
        hooks: gatewayHooks(data),
      },
      backends,
    );
  } finally {
    await Promise.all([blocks.close(), database.close()]);
  }
}

const pricesIn = (
  records: readonly (readonly [key: Uint8Array, value: Uint8Array])[],
): ReadonlyMap<MarketId, MarketPrices> =>
  new Map(
    records
      .filter(([key]) => recordKind(key) === 'market')
      .map(([key, value]) => [recordNumber(key) as MarketId, marketPricesIn(value)]),
  );

/** Blocks whose trades are shown again after a restart. */
const recentEventBlocks = 10_000;

function* recentEvents(database: Parameters<typeof readEventFrames>[0], head: Height) {
  for (let at = Math.max(1, head - recentEventBlocks + 1); at <= head; at++) {
    const height = at as Height;
    const events = readEventFrames(database, height);
    if (events === null) continue;
    const { timestampMs } = readExecuted(database, height)!;
    yield { height, timestampMs, events };
  }
}

function genesisOf({ genesis }: ThreadData, executed: ReturnType<typeof readExecuted>): BlockRecord {
  assert(executed !== null, 'the genesis state is not on disk');
  return genesisBlockRecord({
    chainId: genesis.chainId,
    hash: genesisHash(genesis),
    timestampMs: genesis.timestampMs,
    gasLimit: genesis.evm.gasLimit,
    baseFee: genesis.evm.initialBaseFee,
    validatorsHash: validatorsHash(validatorsFromGenesis(genesis.validators).validators),
    roots: executed.roots,
  });
}

function nodeInfo({ genesis, config }: ThreadData): NodeInfo {
  // Made when it is first asked for: allocations may be many.
  let genesisText: string | null = null;
  return {
    chainId: genesis.chainId,
    protocolVersion: networkVersion,
    clientVersion,
    selfTrade: genesis.clob.selfTrade,
    rules: { consensus: genesis.consensus, evm: genesis.evm, clob: genesis.clob },
    genesisText: () => (genesisText ??= JSON.stringify(JSON.parse(formatGenesis(genesis)))),
    privacyForkBlock: genesis.privacyForkBlock,
    limits: {
      ...defaultRpcLimits,
      logBlockRange: config.limits.logBlockRange,
      logCount: config.limits.logCount,
      proofSlots: config.limits.proofSlots,
      callGas: BigInt(config.limits.callGas),
      traceMs: config.limits.traceMs,
      sendSyncMs: config.limits.sendSyncMs,
      sendSyncMsMax: config.limits.sendSyncMsMax,
    },
  };
}

const unlockedKeys = (provider: CryptoProvider, path: string): Uint8Array[] =>
  existsSync(path)
    ? parseUnlockedAccounts(provider, readFileSync(path, 'utf8'), path).map(({ privateKey }) => privateKey)
    : [];
