/**
 * A Solidity project of somebody else, with Hardhat 2 and 3 and with forge: installs the tarball, compiles, runs on the mock and on a node. What a contract reads of the
 * mock has to be what it reads on the chain.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { junkMnemonic } from '@prime/examples';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { readManifest, root } from '../repo/repository.ts';
import { filesIn } from '../packages/files.ts';
import { execute, install, packPackages } from '../packages/packed.ts';

const { dependencies } = readManifest('test/clients/package.json');
const versioned = (name: string): string => `${name}@${dependencies![name]}`;
const orders = '0x0000000000000000000000000000000000000100';
const template = join(root, 'test', 'packages', 'projects', 'solidity');

const workspace = await mkdtemp(join(tmpdir(), 'prime-solidity-'));
const packed = await packPackages();
const hardhatProject = join(workspace, 'hardhat');
await cp(template, hardhatProject, { recursive: true });
const isInstalled = await install(hardhatProject, [
  packed.tarball('contracts'),
  ...['hardhat', '@nomicfoundation/hardhat-ethers', 'ethers', 'solc'].map(versioned),
]);

const hardhat3Project = join(workspace, 'hardhat3');
/** Beside Hardhat 2, which the clients of the other tests have. */
const hardhat3Packages = [
  'hardhat@3.18.0',
  '@nomicfoundation/hardhat-ethers@4.2.0',
  ...['ethers', 'solc'].map(versioned),
];

/** A Node that is new enough for Hardhat 3, which wants 22.13: this one, or one from npm; null where there is none for this machine. */
async function newNode(): Promise<string | null> {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
  const name = `node-linux-${process.arch}`;
  const project = join(workspace, 'node');
  await mkdir(project);
  return (await install(project, [`${name}@22.23.3`])) ? join(project, 'node_modules', name, 'bin', 'node') : null;
}

/** Installs its project. @returns the Node that runs it; null where there is none, or the registry is out of reach */
async function installHardhat3(): Promise<string | null> {
  const node = await newNode();
  if (node === null) return null;
  await cp(template, hardhat3Project, { recursive: true });
  // npm leaves out what does not run on the Node that it runs on itself.
  const environment = { PATH: [dirname(node), process.env['PATH']].join(delimiter) };
  const specifiers = [packed.tarball('contracts'), ...hardhat3Packages];
  return (await install(hardhat3Project, specifiers, environment)) ? node : null;
}
const hardhat3 = isInstalled ? await installHardhat3() : null;

/** Path of a program of Foundry; null where none is published for this machine, or the registry is out of reach. */
async function foundry(tool: 'cast' | 'forge'): Promise<string | null> {
  try {
    return (await execute(process.execPath, [join(root, 'scripts', 'clients.mjs'), tool])).stdout.trim();
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    if (code === 3 || stderr.includes('is not published for')) return null;
    throw error;
  }
}
const forgePath = isInstalled ? await foundry('forge') : null;
const castPath = isInstalled ? await foundry('cast') : null;

async function startChain(): Promise<Testnet> {
  const chain = await createTestnet({
    validators: 1,
    genesis: (genesis) => {
      Object.assign(genesis['clob'] as object, { autoDequeue: true });
      // Each step waits for a block or two.
      Object.assign(genesis['consensus'] as object, { emptyBlockIntervalMs: 200 });
    },
  });
  await chain.startAll();
  return chain;
}

let testnet: Testnet;
beforeAll(async () => {
  if (isInstalled) testnet = await startChain();
});
afterAll(async () => {
  if (isInstalled) await testnet.destroy();
  await packed.remove();
  await rm(workspace, { recursive: true, force: true });
});

const keyOf = (addressIndex: number): string =>
  bytesToHex(mnemonicToAccount(junkMnemonic, { addressIndex }).getHdKey().privateKey!);

interface Story {
  readonly name: string;
  readonly market: Readonly<Record<string, string>>;
  readonly steps: Readonly<Record<string, unknown>>;
}

/** Runs a task of Hardhat in a project. */
type Hardhat = (environment: NodeJS.ProcessEnv, ...args: readonly string[]) => Promise<string>;

const hardhatOf =
  (project: string, program: string, node = process.execPath): Hardhat =>
  async (environment, ...args) => {
    const { stdout } = await execute(node, [join(project, 'node_modules', 'hardhat', program), ...args], {
      cwd: project,
      env: {
        PATH: process.env['PATH'],
        HOME: workspace,
        CI: 'true',
        HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        ...environment,
      },
    });
    return stdout;
  };

/** What the contract reads after each step, on the chain and on the mock in the network that Hardhat simulates. */
async function tellStories(hardhat: Hardhat, simulated: string, chain: Testnet) {
  const story = async (network: string, environment: NodeJS.ProcessEnv): Promise<Story> => {
    const told = await hardhat(environment, 'run', '--no-compile', '--network', network, 'trade.mjs');
    return JSON.parse(told.trim().split('\n').at(-1)!) as Story;
  };
  const keys = [1, 2].map(keyOf).join(',');
  const onChain = await story('prime', { RPC_URL: chain.url(0), PRIVATE_KEYS: keys });
  const onMock = await story(simulated, { MARKET: JSON.stringify(onChain.market) });
  return { onChain, onMock };
}

/** What the specification says about the story. */
function expectedStory({ tick, lot }: { readonly tick: string; readonly lot: string }): object {
  const unit = BigInt(tick) * BigInt(lot);
  return {
    name: '@prime/contracts',
    steps: {
      deposit: { collateral: `${8000n * unit}`, withdrawable: `${8000n * unit}` },
      bid: { status: '1', filled: '0', bids: '1', bestBidSize: `${10n * BigInt(lot)}` },
      sameClientId: { status: '1' },
      tooLarge: { status: '4' },
      reduceOnlyWhenFlat: { status: '4' },
      killed: { status: '3', filled: '0' },
      partlyFilled: { status: '3', filled: `${5n * BigInt(lot)}`, entry: `${1000n * unit}` },
      restingFilled: { status: '1', filled: `${4n * BigInt(lot)}`, entry: `${1400n * unit}` },
      cancelled: { status: '3', filled: `${4n * BigInt(lot)}` },
      reduced: { status: '3', filled: `${9n * BigInt(lot)}`, position: '0', collateral: `${7410n * unit}` },
      withdrawn: { collateral: '0', withdrawable: '0' },
      withdrawnTooMuch: { collateral: '0' },
      paid: 'true',
      reverts: [
        'InvalidPrice',
        'InvalidTimeInForce',
        'InvalidOrderId',
        'InvalidAmount',
        'InvalidAccount',
        'InvalidAmount',
      ],
    },
  };
}

(isInstalled ? describe : describe.skip)('Hardhat 2', () => {
  const hardhat = hardhatOf(hardhatProject, join('internal', 'cli', 'bootstrap.js'));

  it('compiles a contract that imports the package', async () => {
    expect(await hardhat({}, 'compile')).toMatch(/Compiled \d+ Solidity files? successfully/);
  });

  it('a contract reads the same on the mock as on a chain, step by step', async () => {
    const { onChain, onMock } = await tellStories(hardhat, 'hardhat', testnet);
    expect(Object.keys(onChain.steps).length).toBeGreaterThan(10);
    expect(onMock.steps).toEqual(onChain.steps);
    expect(onChain).toMatchObject(expectedStory(onChain.market as { tick: string; lot: string }));
  });
});

(hardhat3 === null ? describe.skip : describe)('Hardhat 3', () => {
  // Its own: the story begins with an empty market.
  let chain: Testnet;
  beforeAll(async () => {
    chain = await startChain();
  });
  afterAll(() => chain.destroy());
  const hardhat: Hardhat = (environment, ...args) =>
    hardhatOf(hardhat3Project, join('dist', 'src', 'cli.js'), hardhat3!)(
      environment,
      '--config',
      'hardhat3.config.mjs',
      ...args,
    );

  it('compiles a contract that imports the package', async () => {
    expect(await hardhat({}, 'build')).toMatch(/Compiled \d+ Solidity files? with solc/);
  });

  it('runs a test in Solidity on the mock', async () => {
    expect(await hardhat({}, '--network', 'default', 'test', 'solidity')).toMatch(/^\s+1 passing$/m);
  });

  it('a contract reads the same on the mock as on a chain, step by step', async () => {
    const { onChain, onMock } = await tellStories(hardhat, 'default', chain);
    expect(Object.keys(onChain.steps).length).toBeGreaterThan(10);
    expect(onMock.steps).toEqual(onChain.steps);
    expect(onChain).toMatchObject(expectedStory(onChain.market as { tick: string; lot: string }));
  });
});

(forgePath !== null && castPath !== null ? describe : describe.skip)('Foundry', () => {
  /** A project with the contract; where the package lies is the business of each test. */
  async function createProject(name: string): Promise<string> {
    const project = join(workspace, name);
    await cp(template, project, { recursive: true });
    return project;
  }
  const run = async (path: string, project: string, ...args: readonly string[]): Promise<string> => {
    const solc = join(root, 'test', 'clients', 'solc.mjs');
    const env = {
      PATH: process.env['PATH'],
      HOME: workspace,
      NO_COLOR: '1',
      FOUNDRY_DISABLE_NIGHTLY_WARNING: 'true',
      // forge would fetch a compiler of its own.
      FOUNDRY_SOLC: solc,
      FOUNDRY_OFFLINE: 'true',
    };
    return (await execute(path, args, { cwd: project, env })).stdout.trim();
  };
  const forge = (project: string, ...args: readonly string[]) => run(forgePath!, project, ...args);
  const cast = (...args: readonly string[]) => run(castPath!, workspace, ...args, '--rpc-url', testnet.url(0));
  const bothPassed = /1 passed; 0 failed/;

  it('a project with the repository in lib, as forge install puts it, needs no remapping of its own', async () => {
    const project = await createProject('installed');
    const library = join(project, 'lib', 'prime');
    const sources = join(root, 'packages', 'contracts');
    // What a clone has: no dependencies, nothing built.
    const tracked = (await filesIn(sources)).filter(
      (path) => !/(?:node_modules|dist)[/\\]/.test(relative(sources, path)),
    );
    for (const path of tracked) await cp(path, join(library, relative(root, path)));
    await cp(join(root, 'foundry.toml'), join(library, 'foundry.toml'));
    expect((await forge(project, 'remappings')).split('\n')).toContain(
      '@prime/contracts/=lib/prime/packages/contracts/',
    );
    expect(await forge(project, 'test')).toMatch(bothPassed);
  });

  it('a project with the package of npm: the remapping that the README says', async () => {
    const project = await createProject('npm');
    await mkdir(join(project, 'node_modules', '@prime'), { recursive: true });
    await cp(packed.package('contracts'), join(project, 'node_modules', '@prime', 'contracts'), { recursive: true });
    await writeFile(join(project, 'remappings.txt'), '@prime/contracts/=node_modules/@prime/contracts/\n');
    expect(await forge(project, 'test')).toMatch(bothPassed);

    const key = ['--private-key', keyOf(3)];
    const created = await forge(
      project,
      'create',
      'contracts/Bidder.sol:Bidder',
      '--broadcast',
      ...key,
      '--rpc-url',
      testnet.url(0),
    );
    const address = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(created)![1]!;
    const market = (await cast('call', orders, 'market(uint32)(string,uint256,uint256,uint32,uint32)', '1')).split(
      '\n',
    );
    const [tick, lot] = market.slice(1, 3).map((line) => BigInt(line.split(' ')[0]!));
    const send = async (...args: readonly string[]): Promise<bigint> => {
      const { status, blockNumber } = JSON.parse(await cast('send', address, ...args, ...key, '--json')) as {
        readonly status: string;
        readonly blockNumber: string;
      };
      expect(status).toBe('0x1');
      return BigInt(blockNumber);
    };
    await send('deposit()', '--value', `${1000n * tick! * lot!}`);
    const block = await send('bid(uint256,uint256,uint128)', `${7n * tick!}`, `${3n * lot!}`, '9');
    await until('a block behind it', async () => BigInt(await cast('block-number')) > block);
    const order = await cast('call', orders, 'orderByClientId(address,uint128)(uint64,uint8,uint256)', address, '9');
    expect(order.split('\n').slice(1)).toEqual(['1', '0']);
  });
});
