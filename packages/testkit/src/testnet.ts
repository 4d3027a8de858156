import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Exit, launch, NodeProcess, run, type RunningProcess, runToExit } from './nodeProcess.ts';
import { adminPortOffset, freeBasePort, operatorPortOffset, portsPerValidator } from './ports.ts';

/** A network of real processes in a folder of its own, driven the way an operator would: through the command line. */
export interface Testnet {
  readonly directory: string;
  /** Validators; followers come after them in all that takes an index. */
  readonly count: number;
  url(index: number): string;
  /** Health, status and metrics of a node. */
  adminUrl(index: number): string;
  /** The operator's surface of a validator. */
  operatorUrl(index: number): string;
  /** Of all nodes. */
  urls(): string[];
  /** Which program a node is started with from now on: `prime` of another build, or null for the one that is tested. */
  install(index: number, cli: string | null): void;
  /** Changes the environment that a node is started with from now on; undefined takes a variable out. */
  environment(index: number, changes: Readonly<Record<string, string | undefined>>): void;
  /** Starts a node; resolves when it says that it is ready to serve. */
  start(index: number): Promise<void>;
  startAll(): Promise<void>;
  /** Sends a signal and waits for the process to be gone; returns its exit code, null when a signal ended it. */
  kill(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
  running(index: number): boolean;
  /** Of a validator's process; null when it was never started. */
  pid(index: number): number | null;
  /** Folder with the files of a validator. */
  home(index: number): string;
  /** Keystore of the owner of a validator. */
  ownerKey(index: number): string;
  /** The remote signer of a validator, in a network that has them. */
  signer(index: number): RunningProcess;
  /** A node of this network in another home, on ports of its own: a copy of one of the others, for instance. */
  another(home: string, environment?: Readonly<Record<string, string>>): Promise<RunningProcess>;
  /** Stops or continues a validator's process as a whole. */
  pause(index: number): void;
  resume(index: number): void;
  /**
   * Starts a node that is expected to end by itself, in a validator's home or another one, and waits for that.
   *
   * @param served what happens when it gets ready to serve; it is ended with SIGKILL when absent
   * @param program the `prime` command; the one that is tested when absent
   */
  runToExit(home: string, served?: 'goOn', program?: string): Promise<Exit>;
  /** Last lines that a validator wrote, for the message of a failing test. */
  tail(index: number): string;
  /** How each node is and what it wrote last: what a network that stands still is asked first. */
  standing(): Promise<string>;
  destroy(): Promise<void>;
}

/** A machine that is busy with something else makes nodes late, and what a test asks for no less right. */
const patient = {
  PRIME_LIMITS_MEMPOOL_DRAIN_MS: '0',
  PRIME_LIMITS_BUSY_DELAY_MS: '180000',
  PRIME_LIMITS_OVERLOAD_DELAY_MS: '180000',
  PRIME_LIMITS_READER_WAIT_MS: '180000',
  PRIME_LIMITS_CALL_MS: '180000',
  PRIME_LIMITS_TRACE_MS: '180000',
  PRIME_LIMITS_ACTION_MS: '180000',
  PRIME_LIMITS_BODY_MS: '180000',
  PRIME_LIMITS_SEND_SYNC_MS: '180000',
  PRIME_LIMITS_SEND_SYNC_MS_MAX: '180000',
};

/** Between empty blocks, ms. A machine of two cores makes four times as many as a quick network has. */
const idleIntervalMs = { quick: 200, still: 600_000 } as const;

/** A network of real processes on this machine, for tests that need one. */
export interface TestnetOptions {
  readonly validators: number;
  /** Nodes that only follow. Default none. */
  readonly followers?: number;
  /** Environment of the validators on top of this process's: `PRIME_SECTION_KEY` settings. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The same for one of them. */
  readonly environmentOf?: (index: number) => Readonly<Record<string, string>>;
  /** Nodes refuse calls when they come late, as their configuration says; otherwise they take their time. */
  readonly sheds?: boolean;
  /**
   * How fast an idle chain goes on: `quick`, the default, is for whoever waits for blocks to come; `preset` is as an operator's
   * network, for whoever measures. A `still` one has a block for work, one for its results and no other, so that height and time of
   * the chain are where the test puts them, however slow its machine is.
   */
  readonly idlePace?: 'quick' | 'preset' | 'still';
  /** Another build's `prime` command, which makes the homes and runs all nodes; default: the program that is tested. */
  readonly program?: string;
  /** The validators' keys are in remote signers, which are started by hand before the nodes. */
  readonly remoteSigners?: boolean;
  /**
   * Markets have an oracle, as those of operators: they take orders as long as a feeder runs, which the test starts. Otherwise prices come from the
   * book alone, and no process has to report any.
   */
  readonly hasOracle?: boolean;
  /** Changes the genesis of all validators before the first start. */
  readonly genesis?: (genesis: Record<string, unknown>) => void;
}

/** The homes of a new network, and where it listens. */
async function writeHomes(options: TestnetOptions): Promise<{
  readonly directory: string;
  readonly basePort: number;
  readonly names: readonly string[];
  readonly signerNames: readonly string[];
}> {
  const directory = await mkdtemp(join(tmpdir(), 'prime-e2e-'));
  const { validators: count, followers = 0 } = options;
  const basePort = await freeBasePort(count + followers);
  const counts = ['--validators', `${count}`, '--followers', `${followers}`];
  const signers = options.remoteSigners === true ? ['--remote-signer'] : [];
  const init = ['testnet', 'init', ...counts, ...signers, '--out', directory, '--base-port', `${basePort}`];
  await run(init, options.program);
  const signerNames = signers.flatMap(() => Array.from({ length: count }, (_, index) => `signer${index}`));
  const names = [
    ...Array.from({ length: count }, (_, index) => `validator${index}`),
    ...Array.from({ length: followers }, (_, index) => `follower${index}`),
  ];
  await editGenesis(directory, [...names, ...signerNames], (genesis) => {
    const { idlePace = 'quick' } = options;
    const consensus = genesis['consensus'] as { emptyBlockIntervalMs: number };
    if (idlePace !== 'preset') consensus.emptyBlockIntervalMs = idleIntervalMs[idlePace];
    if (options.hasOracle !== true) takeOracle(genesis);
    options.genesis?.(genesis);
  });
  return { directory, basePort, names, signerNames };
}

/** Writes the homes of a new network on ports of its own; starts nothing. */
export async function createTestnet(options: TestnetOptions): Promise<Testnet> {
  const { validators: count } = options;
  const { directory, basePort, names, signerNames } = await writeHomes(options);
  const operatorPort = (index: number): number => basePort + portsPerValidator * index + operatorPortOffset;
  const processes = names.map((name, index) => {
    const environment = { ...options.environment, ...options.environmentOf?.(index) };
    const listen = { PRIME_RPC_OPERATOR_LISTEN: `127.0.0.1:${operatorPort(index)}` };
    return new NodeProcess(directory, name, { ...listen, ...(options.sheds === true ? {} : patient), ...environment });
  });
  for (const node of processes) node.install(options.program ?? null);
  const signerProcesses = signerNames.map((name) => new NodeProcess(directory, name, {}, 'signer'));
  const others: NodeProcess[] = [];
  const at = (index: number): NodeProcess => {
    const found = processes[index];
    if (found === undefined) throw new Error(`there is no node ${index} in a network of ${names.length}`);
    return found;
  };
  const adminUrl = (index: number): string =>
    `http://127.0.0.1:${basePort + portsPerValidator * index + adminPortOffset}`;
  const url = (index: number): string => `http://127.0.0.1:${basePort + portsPerValidator * index}`;
  return {
    directory,
    count,
    url,
    adminUrl,
    operatorUrl: (index) => `http://127.0.0.1:${operatorPort(index)}`,
    urls: () => processes.map((_, index) => url(index)),
    install: (index, program) => at(index).install(program),
    environment: (index, changes) => at(index).change(changes),
    start: (index) => at(index).start(),
    startAll: async () => {
      await Promise.all(processes.map((validator) => validator.start()));
    },
    kill: (index, signal) => at(index).kill(signal),
    running: (index) => at(index).running,
    pid: (index) => at(index).pid,
    home: (index) => at(index).home,
    ownerKey: (index) => join(directory, 'owners', `${names[index]}.json`),
    signer: (index) => {
      const found = signerProcesses[index];
      if (found === undefined) throw new Error(`validator ${index} has no remote signer`);
      return found;
    },
    another: async (home, environment = {}) => {
      const port = await freeBasePort(1);
      const ports = { PRIME_RPC_LISTEN: port, PRIME_P2P_LISTEN: port + 1, PRIME_ADMIN_LISTEN: port + adminPortOffset };
      const listens = Object.entries(ports).map(([variable, free]) => [variable, `127.0.0.1:${free}`] as const);
      const other = new NodeProcess('', home, { ...Object.fromEntries(listens), ...patient, ...environment });
      others.push(other);
      return other;
    },
    pause: (index) => at(index).signal('SIGSTOP'),
    resume: (index) => at(index).signal('SIGCONT'),
    runToExit: (home, served, program) =>
      runToExit(launch(home, { ...process.env, ...options.environment }, 'node', program), served === 'goOn'),
    tail: (index) => at(index).tail,
    standing: async () => {
      const reports = processes.map(async (node, index) => {
        const status = node.running ? await textOf(`${adminUrl(index)}/status`) : 'not running';
        return `${names[index]}: ${status}\n${node.tail}`;
      });
      return (await Promise.all(reports)).join('\n\n');
    },
    destroy: async () => {
      await Promise.all([...processes, ...signerProcesses, ...others].map((one) => one.kill('SIGKILL')));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function editGenesis(
  directory: string,
  names: readonly string[],
  edit: (genesis: Record<string, unknown>) => void,
): Promise<void> {
  for (const name of names) {
    const path = join(directory, name, 'genesis.json');
    const genesis = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    edit(genesis);
    await writeFile(path, `${JSON.stringify(genesis, null, 2)}\n`);
  }
}

/** Marks then follow the book at once. */
function takeOracle(genesis: Record<string, unknown>): void {
  const clob = genesis['clob'] as Record<string, unknown>;
  delete clob['oracle'];
  delete clob['mark'];
  for (const market of genesis['markets'] as Record<string, unknown>[]) delete market['oracle'];
}

const textOf = (url: string): Promise<string> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.text(),
    (error: unknown) => String(error),
  );
