import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Testnet } from '@prime/testkit';
import { mnemonicToAccount } from 'viem/accounts';
import { root } from '../../repo/repository.ts';
import { type Capability, capabilityNames } from './capabilities.ts';

/** What a program of `test/clients` found out about one capability. */
export type Finding =
  | { readonly outcome: 'works' }
  /** The client has no such thing, whatever the node does. */
  | { readonly outcome: 'absent'; readonly reason: string }
  | { readonly outcome: 'fails'; readonly reason: string };

export interface Client {
  /** As people call it. */
  readonly name: string;
  /** File in `test/clients`. */
  readonly program: string;
  /** Package in its manifest whose version is the client's. */
  readonly packageName: string;
}

export const clients: readonly Client[] = [
  { name: 'viem', program: 'viem.mjs', packageName: 'viem' },
  { name: 'ethers', program: 'ethers.mjs', packageName: 'ethers' },
  { name: 'web3.js', program: 'web3.mjs', packageName: 'web3' },
  { name: 'cast', program: 'cast.mjs', packageName: '@foundry-rs/cast-linux-amd64' },
  { name: 'forge', program: 'forge.mjs', packageName: '@foundry-rs/forge-linux-amd64' },
  { name: 'Hardhat', program: 'hardhat.mjs', packageName: 'hardhat' },
];

/** Programs about contracts, those that run on every chain like Ethereum and the order book's own, and what each finds out. */
export const contractPrograms = {
  'uniswap.mjs': [
    'deploy',
    'createPair',
    'addLiquidity',
    'swapExactIn',
    'swapExactOut',
    'swapEther',
    'refusals',
    'events',
    'removeLiquidity',
  ],
  'openZeppelin.mjs': ['deploy', 'erc20', 'permit', 'erc721', 'erc1155'],
  'orderBook.mjs': ['forgeTests', 'reads', 'writes'],
} as const;

export interface ClientResult {
  readonly client: Client;
  readonly version: string;
  readonly findings: Readonly<Record<Capability, Finding>>;
}

const junkMnemonic = 'test test test test test test test test test test test junk';
/** Exit code of scripts/clients.mjs when the registry is out of reach. */
const unreachableExit = 3;
/** Only against what hangs. */
const programMs = 600_000;
const compileMs = 600_000;
/** Two cores carry four validators beside them. */
const programsAtOnce = 2;
/** Until all have ended, each in its own time, ms. */
export const allProgramsMs =
  Math.ceil((clients.length + Object.keys(contractPrograms).length) / programsAtOnce) * programMs;

const execute = promisify(execFile);

export interface ClientsProject {
  readonly directory: string;
  /** Compiled contracts, see compile.mjs. */
  readonly artifacts: string;
  readonly versions: Readonly<Record<string, string>>;
}

/**
 * Installs the clients when they are missing and compiles their contracts.
 *
 * @returns null when they are missing and the registry is out of reach, which is the only reason to go without
 */
export async function prepareClients(workspace: string): Promise<ClientsProject | null> {
  try {
    const { stdout } = await execute(process.execPath, [join(root, 'scripts', 'clients.mjs')]);
    const directory = stdout.trim();
    const artifacts = join(workspace, 'artifacts.json');
    await execute(process.execPath, [join(directory, 'compile.mjs'), artifacts], { timeout: compileMs });
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
      readonly dependencies: Record<string, string>;
      readonly optionalDependencies: Record<string, string>;
    };
    return { directory, artifacts, versions: { ...manifest.optionalDependencies, ...manifest.dependencies } };
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code !== unreachableExit) throw error;
    process.stderr.write(`${stderr}\nprime: the real clients are not run\n`);
    return null;
  }
}

/** A funded account of the local network. */
function keyOf(addressIndex: number): { readonly address: string; readonly privateKey: string } {
  const account = mnemonicToAccount(junkMnemonic, { addressIndex });
  return { address: account.address, privateKey: `0x${Buffer.from(account.getHdKey().privateKey!).toString('hex')}` };
}

const accountCount = 10;

interface ProgramRun {
  readonly project: ClientsProject;
  readonly testnet: Testnet;
  readonly workspace: string;
  readonly program: string;
  /** Which account it sends from and which validator it talks to; no other program has it at the same time. */
  readonly place: number;
}

/** Runs a program of `test/clients` to its end. What is expected of it and it does not mention counts as failed. */
async function runProgram<Name extends string>(run: ProgramRun, expected: readonly Name[]): Promise<Findings<Name>> {
  const { project, testnet, program, place } = run;
  const directory = join(run.workspace, program);
  await mkdir(directory, { recursive: true });
  const rpcUrl = testnet.url(place % testnet.count);
  const task = {
    rpcUrl,
    wsUrl: rpcUrl.replace(/^http/, 'ws'),
    ...keyOf(place),
    peer: keyOf(accountCount - 1).address,
    artifacts: project.artifacts,
    directory,
  };
  const child = spawn(process.execPath, [join(project.directory, program), JSON.stringify(task)], {
    cwd: project.directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: programMs,
    killSignal: 'SIGKILL',
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  const findings = new Map<string, Finding>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { capability, ...finding } = JSON.parse(line) as Finding & { readonly capability: string };
    findings.set(capability, finding);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  const end = code === 0 ? 'said nothing about it' : `ended with ${signal ?? code}`;
  const unreported: Finding = { outcome: 'fails', reason: `${program} ${end}\n${complaints}` };
  return Object.fromEntries(expected.map((name) => [name, findings.get(name) ?? unreported])) as Record<Name, Finding>;
}

type Findings<Name extends string> = Readonly<Record<Name, Finding>>;

/** Runs all clients against a network, and beside them other programs with what each is to find out. */
export async function runClients(
  project: ClientsProject,
  testnet: Testnet,
  workspace: string,
  others: Readonly<Record<string, readonly string[]>> = {},
): Promise<{ readonly clients: readonly ClientResult[]; readonly others: Readonly<Record<string, Findings<string>>> }> {
  const results: ClientResult[] = [];
  const found: Record<string, Findings<string>> = {};
  const run = (program: string, place: number) => ({ project, testnet, workspace, program, place });
  const waiting = [
    // The accounts after those of the clients. They take longest.
    ...Object.entries(others).map(([program, steps], index) => async () => {
      found[program] = await runProgram(run(program, clients.length + index), steps);
    }),
    ...clients.map((client, place) => async () => {
      const findings = await runProgram(run(client.program, place), capabilityNames);
      results[place] = { client, version: project.versions[client.packageName]!, findings };
    }),
  ];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: programsAtOnce }, worker));
  return { clients: results, others: found };
}
