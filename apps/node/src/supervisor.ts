import { linkTransferList } from '@prime/bus';
import type { Genesis } from '@prime/codec';
import type { HomePaths, NodeConfig } from '@prime/config';
import type { Logger } from '@prime/telemetry';
import { type Admin, type AdminPorts, startAdmin } from './operator/admin.ts';
import { NodeError } from './errors.ts';
import { createHomeBytes } from './home/homeBytes.ts';
import { logLinesMemory } from './logging.ts';
import { isLogRequest, operateLogs } from './operator/logDesk.ts';
import type { OperatorRequest, ThreadRequest } from './operator/requests.ts';
import { createAdminToken } from './operator/token.ts';
import { type ReadinessFacts, readiness } from './operator/readiness.ts';
import type { GatewayStanding } from './metrics/marketMetrics.ts';
import { createNodeMetrics } from './metrics/metrics.ts';
import { readProcess } from './metrics/processMetrics.ts';
import { createStageDesk, type StageDesk } from './stages/stageDesk.ts';
import { stampingThreads } from './stages/stampRing.ts';
import { orLate } from './promises.ts';
import { noKeys, type UnlockedKeys } from './keys/hotKeys.ts';
import type { ThreadFault } from './threads/threadFault.ts';
import type { ThreadData } from './threads/threadData.ts';
import { readThreadCpu } from './threads/threadCpu.ts';
import { type ConsensusStanding, diskRoom, type ExecutionStanding, type Standing } from './metrics/standingMetrics.ts';
import { spawnThread, type Thread, type ThreadAnswer, type ThreadError } from './threads/threads.ts';
import { type ThreadName, threadNames, wire } from './threads/topology.ts';
import { readVitals } from './metrics/vitals.ts';
import { watchThreads } from './threads/watchdog.ts';

/** A failure of a thread that a test asks for. */
export interface PlannedFault {
  readonly thread: ThreadName;
  readonly how: ThreadFault;
}

/** A checked home, and switches of tests: the heights at which to crash or to diverge, null for never. */
export interface SupervisorOptions {
  readonly home: HomePaths;
  readonly config: NodeConfig;
  readonly genesis: Genesis;
  readonly keys: UnlockedKeys;
  readonly clockOffsetMs: number;
  readonly crashAt: number | null;
  readonly divergeAt: number | null;
  /** Tests only: the thread that fails once all are started, and how. */
  readonly threadFault: PlannedFault | null;
  readonly logger: Logger;
}

/** The threads of a node: it starts them in order, ends them in order, and answers operators on their behalf. */
export interface Supervisor {
  /** Spawns, wires and starts all threads; what it returns goes into the ready line. Null when {@link stop} came first. */
  start(): Promise<Readonly<Record<string, string | number>> | null>;
  /**
   * Requests first, then consensus, then execution: each finishes what the one before gave it. Threads that take long to start, because blocks are
   * executed again, are ended instead: nothing was served yet, and the disk is in order at every moment.
   *
   * @returns the threads that did not end and hold something
   */
  stop(): Promise<readonly ThreadName[]>;
  /**
   * After a failure: no thread goes on. Each ends by itself if it can, because native sockets and running native code abort the
   * process when their thread is ended from outside, and the exit code that names the failure is lost.
   *
   * @returns the threads that did not end in time and hold something
   */
  halt(): Promise<readonly ThreadName[]>;
}

/** Execution before the gateway (it needs the head), the gateway before consensus (it takes the deltas of a recovery). */
const startOrder: readonly ThreadName[] = ['clob', 'evm', 'gateway', 'consensus'];
const stopOrder: readonly ThreadName[] = ['gateway', 'consensus', 'evm', 'clob'];

/** Status of a thread within this time, or it counts as hung, ms. */
const statusTimeoutMs = 2_000;
/** A command is carried out within this time, or it is not known whether it was, ms. */
const commandTimeoutMs = 30_000;
/** How long a thread that is being started is waited for when the node is to stop, ms. */
const startedTimeoutMs = 3_000;
/** How long the threads of a failed node may take to end, ms: one that is still there then costs the exit code, and on a busy machine they get little time. */
const haltTimeoutMs = 10_000;

/**
 * Starts nothing yet.
 *
 * @param onFatal told of a thread that failed; the caller calls `halt` then, and ends the process
 */
export function superviseThreads(options: SupervisorOptions, onFatal: (error: ThreadError) => void): Supervisor {
  const { config, genesis, home, clockOffsetMs, crashAt, divergeAt, threadFault } = options;
  const shared = { config, genesis, home, clockOffsetMs, crashAt, divergeAt, logLines: logLinesMemory() };
  const wiring = wire();
  const threads = new Map<ThreadName, Thread>();
  const nativeIds = new Map<ThreadName, number | null>();
  const answerOf = (name: ThreadName): Promise<ThreadAnswer> => within(threads.get(name)!.status(), statusTimeoutMs);
  const statusOf = (name: ThreadName): Promise<unknown> => answerOf(name).then(({ status }) => status);
  const homeBytes = createHomeBytes({ folder: home.home });
  const standing = (): Promise<Standing> => askStanding(answerOf, home.home, homeBytes);
  const metrics = createNodeMetrics(wiring.links, () => readThreadCpu(nativeIds), standing);
  const stages = openStages(options, threads);
  let admin: Admin | null = null;
  let stopping = false;
  let isStarted = false;
  /** Those that were told to start: the others hold nothing yet. */
  const begun: ThreadName[] = [];
  let endWatch = (): void => undefined;
  let step: Promise<unknown> = Promise.resolve();

  /** A thread that is being started is not stopped before it has started: it would lose what it just opens. */
  const asStep = <T>(work: Promise<T>): Promise<T> => {
    step = work.catch(() => undefined);
    return work;
  };
  const spawn = (name: ThreadName): Thread => {
    const links = wiring.ends[name];
    const keys = name === 'consensus' ? options.keys : noKeys;
    const data: ThreadData = { ...shared, keys, links, metrics: metrics.memory, stages: stages.ring };
    const thread = spawnThread(name, data, linkTransferList(...Object.values(links)), onFatal);
    threads.set(name, thread);
    return thread;
  };

  /** Before the threads start: they may execute blocks again for long, and who looks after the node must not take it for one that hangs. */
  const openAdmin = async (): Promise<void> => {
    const { listen } = config.admin;
    if (listen === null) return;
    const ports = adminPorts({ statusOf, renderMetrics: metrics.render, threads, stages, isStarted: () => isStarted });
    admin = await startAdmin(listen.host, listen.port, ports, createAdminToken(home.adminToken));
  };

  return {
    async start() {
      await asStep(Promise.all(threadNames.map(async (name) => nativeIds.set(name, await spawn(name).opened))));
      await asStep(openAdmin());
      let info: Record<string, string | number> = {};
      for (const name of startOrder) {
        if (stopping) return null;
        begun.push(name);
        info = { ...info, ...(await asStep(threads.get(name)!.start())) };
      }
      if (stopping) return null;
      isStarted = true;
      endWatch = watchThreads([...threads.values()], config.threads.hangMs, onFatal);
      if (threadFault !== null) threads.get(threadFault.thread)!.fail(threadFault.how);
      return admin === null ? info : { ...info, adminPort: admin.port };
    },
    async stop() {
      stopping = true;
      endWatch();
      const hasStarted = await within(step, startedTimeoutMs).then(
        () => true,
        () => false,
      );
      if (!hasStarted) return this.halt();
      await admin?.close();
      for (const name of stopOrder) await threads.get(name)?.stop();
      return [];
    },
    async halt() {
      endWatch();
      return (await haltAll([...threads.values()])).filter((name) => begun.includes(name));
    },
  };
}

/** Where all threads stamp stages. */
const openStages = (
  { config, clockOffsetMs }: SupervisorOptions,
  threads: ReadonlyMap<ThreadName, Pick<Thread, 'operate'>>,
): StageDesk =>
  createStageDesk({
    stamps: config.admin.stageStamps,
    clockOffsetMs,
    tell: (ring) => Promise.all(stampingThreads.map((name) => threads.get(name)!.operate({ kind: 'stampInto', ring }))),
  });

/** What the threads say of themselves just now, and how long each took for it. */
async function askStanding(
  answerOf: (name: ThreadName) => Promise<ThreadAnswer>,
  folder: string,
  homeBytes: () => Promise<number | null>,
): Promise<Standing> {
  const asked = threadNames.map(async (thread) => {
    const askedMs = performance.now();
    const answer = await answerOf(thread).catch(() => null);
    return { thread, answer, value: (performance.now() - askedMs) / 1000 };
  });
  const [told, bytes] = await Promise.all([Promise.all(asked), homeBytes()]);
  const of = (name: ThreadName): unknown => told.find(({ thread }) => thread === name)?.answer?.status ?? null;
  const gateway = of('gateway') as GatewayStanding | null;
  return {
    answers: told.map(({ thread, value }) => ({ labels: { thread }, value })),
    consensus: of('consensus') as ConsensusStanding | null,
    execution: of('evm') as ExecutionStanding | null,
    gateway,
    disk: diskRoom(folder),
    homeBytes: bytes,
    process: readProcess(gateway?.filesHeldBack),
    vitals: [
      { thread: 'supervisor', vitals: readVitals() },
      ...told.flatMap(({ thread, answer }) => (answer === null ? [] : { thread, vitals: answer.vitals })),
    ],
  };
}

interface AdminParts {
  readonly statusOf: (name: ThreadName) => Promise<unknown>;
  readonly renderMetrics: AdminPorts['metrics'];
  readonly threads: ReadonlyMap<ThreadName, Pick<Thread, 'operate'>>;
  readonly stages: Pick<StageDesk, 'keep' | 'read'>;
  /** Whether all threads have started. */
  readonly isStarted: () => boolean;
}

/** What the admin endpoint tells. */
export function adminPorts({ statusOf, renderMetrics, threads, stages, isStarted }: AdminParts): AdminPorts {
  const operateIn = (name: ThreadName, request: ThreadRequest): Promise<unknown> =>
    within(threads.get(name)!.operate(request), commandTimeoutMs);
  const operate = async (request: OperatorRequest): Promise<unknown> => {
    if (isLogRequest(request)) return operateLogs(request, (name) => operateIn(name, request));
    if (request.kind === 'stages') return within(stages.keep(request.stamps), commandTimeoutMs);
    if (!isStarted()) throw new NodeError('the node is starting: ask again', { code: 'OPERATOR_STARTING' });
    return operateIn(request.kind === 'backupSnapshot' ? 'evm' : 'consensus', request);
  };
  /** A thread that starts may be too busy to answer. */
  const standingOf = (name: ThreadName): Promise<unknown> =>
    isStarted() ? statusOf(name) : statusOf(name).catch(() => null);
  return {
    health: () =>
      Promise.all(threadNames.map(standingOf)).then(
        () => true,
        () => false,
      ),
    ready: async () =>
      isStarted() ? readiness((await statusOf('consensus')) as ReadinessFacts) : { ready: false, reason: 'starting' },
    status: async () =>
      Object.fromEntries(await Promise.all(threadNames.map(async (name) => [name, await standingOf(name)]))),
    consensus: () => standingOf('consensus'),
    metrics: renderMetrics,
    stages: (query) => stages.read(query),
    operate,
  };
}

/** @returns the threads that did not end in time */
async function haltAll(threads: readonly Thread[]): Promise<readonly ThreadName[]> {
  const late = threads.map((thread) =>
    within(thread.halt(), haltTimeoutMs).then(
      () => [],
      () => [thread.name],
    ),
  );
  return (await Promise.all(late)).flat();
}

const within = <T>(promise: Promise<T>, timeoutMs: number): Promise<T> =>
  orLate(promise, timeoutMs, () => {
    throw new Error(`no answer within ${timeoutMs} ms`);
  });
