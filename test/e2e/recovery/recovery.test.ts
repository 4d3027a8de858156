import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RpcError, toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** What operators, kernels and disks do to validators, on real processes. Random kills are in kills.test.ts. */

let testnet: Testnet;
let scratch: string;
beforeAll(async () => {
  testnet = await createTestnet({ validators: 4, environment: { PRIME_LIMITS_ACTION_MS: '2000' } });
  scratch = await mkdtemp(join(tmpdir(), 'prime-recovery-'));
  await testnet.startAll();
});
afterAll(async () => {
  await testnet.destroy();
  await rm(scratch, { recursive: true, force: true });
});

const all = [0, 1, 2, 3];
const { call, heightOf } = nodesOf(() => testnet);
const receiver = '0x00000000000000000000000000000000000000b1';

interface Block {
  readonly hash: string;
  readonly stateRoot: string;
}

/** All reach what the first one has now, with the same block and state. */
async function expectOneChain(indexes: readonly number[] = all): Promise<void> {
  const head = Math.max(...(await Promise.all(indexes.map(heightOf))));
  const blocks: Block[] = [];
  for (const index of indexes) {
    await until(`validator${index} reaches ${head}`, async () => (await heightOf(index)) >= head);
    blocks.push(await call<Block>(index, 'eth_getBlockByNumber', [hex(head), false]));
  }
  expect(new Set(blocks.map(({ hash, stateRoot }) => `${hash} ${stateRoot}`)).size).toBe(1);
}

/** Three of four decide: while another one stands still, a validator that does not vote stands out. */
async function expectVotes(index: number): Promise<void> {
  const other = (index + 1) % 4;
  testnet.pause(other);
  const before = await heightOf(index);
  await until(`validator${index} takes part`, async () => (await heightOf(index)) >= before + 3);
  testnet.resume(other);
  await expectOneChain();
}

async function refusal(index: number, method: string, params: readonly unknown[]): Promise<RpcError> {
  const answer = await call(index, method, params).then(
    () => null,
    (error: unknown) => error as RpcError,
  );
  if (answer === null) throw new Error(`${method} was not refused`);
  return answer;
}

interface Transfers {
  /** How many have their receipt. */
  readonly acknowledged: number;
  stop(): Promise<number>;
}

/** Transfers one after the other until it is stopped. */
function sendTransfers(index: number, account: number): Transfers {
  let stopped = false;
  let acknowledged = 0;
  const loop = async (): Promise<void> => {
    const from = (await call<string[]>(index, 'eth_accounts'))[account];
    while (!stopped) {
      const hash = await call<string>(index, 'eth_sendTransaction', [{ from, to: receiver, value: '0x1' }]);
      while ((await call(index, 'eth_getTransactionReceipt', [hash])) === null);
      acknowledged += 1;
    }
  };
  const running = loop().catch(() => undefined);
  return {
    get acknowledged() {
      return acknowledged;
    },
    async stop() {
      stopped = true;
      await running;
      return acknowledged;
    },
  };
}

const balanceOf = async (index: number): Promise<number> =>
  Number(await call<string>(index, 'eth_getBalance', [receiver, 'latest']));

describe('validators that are stopped', () => {
  it('SIGTERM of all in the middle of blocks: each exits with 0, and what was acknowledged is there', async () => {
    const before = await balanceOf(0);
    for (const round of [0, 1]) {
      const loads = all.map((index) => sendTransfers(index, index + 2));
      const height = await heightOf(0);
      await until('blocks are under way', async () => (await heightOf(0)) >= height + 5);
      await until('something is acknowledged', async () => loads.some((load) => load.acknowledged > 0));
      const codes = await Promise.all(all.map((index) => testnet.kill(index, 'SIGTERM')));
      const counts = await Promise.all(loads.map((load) => load.stop()));
      expect({ round, codes }).toEqual({ round, codes: [0, 0, 0, 0] });
      await testnet.startAll();
      await expectOneChain();
      const acknowledged = counts.reduce((sum, count) => sum + count, 0);
      expect(acknowledged).toBeGreaterThan(0);
      expect((await balanceOf(1)) - before).toBeGreaterThanOrEqual(acknowledged);
    }
  });

  it('one stands still for many blocks, then goes on: nobody falls over, and it votes again', async () => {
    testnet.pause(1);
    const before = await heightOf(0);
    await until('the others go on', async () => (await heightOf(0)) >= before + 10);
    testnet.resume(1);
    await expectOneChain();
    expect(all.map((index) => testnet.running(index))).toEqual([true, true, true, true]);
    await expectVotes(1);
  });

  it('two of four down: it stands still, answers, times writes out with their hash, and goes on later', async () => {
    await Promise.all([1, 3].map((index) => testnet.kill(index, 'SIGKILL')));
    const deposit = ['0x00000000000000000000000000000000000000b2', '0x5'];
    const late = await refusal(0, 'primeorders_depositCollateral', deposit);
    expect(late.code).toBe(-32000);
    expect(late.message).toContain('not executed within 2000 ms');
    expect(late.data).toHaveProperty('hash', expect.stringMatching(/^0x[0-9a-f]{64}$/));
    const stuck = await heightOf(0);
    expect(await call(2, 'eth_chainId')).toBe('0x1eef');
    expect(Number(await call(0, 'net_peerCount'))).toBe(1);
    expect(await heightOf(0)).toBe(stuck);
    await Promise.all([1, 3].map((index) => testnet.start(index)));
    await until('it goes on', async () => (await heightOf(0)) >= stuck + 2);
    await expectOneChain();
  });

  it('SIGTERM while it starts: it exits with 0, and starts the next time', async () => {
    for (const file of ['node.pid', join('state', 'CURRENT'), join('blocks', 'CURRENT')]) {
      await testnet.kill(2, 'SIGTERM');
      for (const folder of ['state', 'blocks']) await rm(join(testnet.home(2), folder), { recursive: true });
      const started = testnet.start(2).catch(() => undefined);
      await until(`${file} is there`, async () => (await readFile(join(testnet.home(2), file))).length > 0);
      expect({ file, code: await testnet.kill(2, 'SIGTERM') }).toEqual({ file, code: 0 });
      await started;
    }
    await testnet.start(2);
    await expectOneChain();
  });

  it('killed twice while it starts: it starts the third time', async () => {
    await testnet.kill(2, 'SIGKILL');
    for (let attempt = 0; attempt < 2; attempt++) {
      const started = testnet.start(2).catch(() => undefined);
      await until('it holds the folder', async () => (await readdir(testnet.home(2))).includes('LOCK'));
      await testnet.kill(2, 'SIGKILL');
      await started;
    }
    await testnet.start(2);
    await expectVotes(2);
  });
});

describe('a home that lost something', () => {
  it.each([
    ['state', ['state']],
    ['blocks and state', ['blocks', 'state']],
    ['the log', ['wal']],
    ['blocks, state and the log', ['blocks', 'state', 'wal']],
  ])('%s: it comes back by itself and votes', async (_name, folders) => {
    await testnet.kill(1, 'SIGKILL');
    for (const folder of folders) await rm(join(testnet.home(1), folder), { recursive: true });
    await testnet.start(1);
    await expectOneChain();
    await expectVotes(1);
  });
});

describe('a home that can not be used', () => {
  const damage: readonly (readonly [
    name: string,
    code: number,
    words: RegExp,
    work: (home: string) => Promise<void>,
  ])[] = [
    ['sign state overwritten', 78, /sign-state/, (home) => overwrite(join(home, 'sign-state.bin'))],
    ['sign state cut off', 78, /sign-state/, (home) => truncate(join(home, 'sign-state.bin'), 10)],
    ['log cut off', 78, /wal/, (home) => eachFile(join(home, 'wal'), /./, (path) => truncate(path, 5))],
    ['block files overwritten', 78, /blocks/, (home) => eachFile(join(home, 'blocks'), /log$|ldb$/, overwrite)],
    ['block manifest overwritten', 78, /blocks/, (home) => eachFile(join(home, 'blocks'), /MANIFEST/, overwrite)],
    ['state manifest overwritten', 78, /state/, (home) => eachFile(join(home, 'state'), /MANIFEST/, overwrite)],
    ['blocks gone and state kept', 78, /remove .*state/, (home) => rm(join(home, 'blocks'), { recursive: true })],
    ['genesis of another chain', 64, /genesis/i, changeChainId],
    ['configuration with an unknown key', 64, /nosuch/, (home) => writeFile(join(home, 'config.toml'), 'nosuch = 1\n')],
  ];

  it('says what is wrong, exits with its code and never serves', async () => {
    await until('there are blocks to lose', async () => (await heightOf(3)) >= 3);
    await testnet.kill(3, 'SIGTERM');
    const outcomes = damage.map(async ([name, , , work], place) => {
      const home = join(scratch, `damaged${place}`);
      await cp(testnet.home(3), home, { recursive: true });
      await work(home);
      const { code, served, signal, output } = await testnet.runToExit(home);
      await rm(home, { recursive: true });
      return { name, code, served, signal, output };
    });
    for (const [place, [name, code, words]] of damage.entries())
      expect(await outcomes[place]).toEqual({
        name,
        code,
        served: false,
        signal: null,
        output: expect.stringMatching(words),
      });
    await testnet.start(3);
    await expectOneChain();
  });

  it('a second process on the home of a running one is refused and harms nothing', async () => {
    const exit = await testnet.runToExit(testnet.home(0));
    expect({ code: exit.code, served: exit.served }).toEqual({ code: 64, served: false });
    expect(exit.output).toMatch(/is running on this home/);
    await expectVotes(0);
  });

  it('a full disk: exit 74, and after room is made it starts and catches up', async () => {
    const small = join(scratch, 'small');
    await testnet.kill(3, 'SIGTERM');
    if (!mountSmallDisk(small, 2 * (await bytesBelow(testnet.home(3))) + 2 ** 24)) {
      await testnet.start(3);
      return console.log('skipped: no right to mount a small disk here');
    }
    try {
      const home = join(small, 'home');
      await cp(testnet.home(3), home, { recursive: true });
      const { bavail, bsize } = await statfs(small);
      await writeFile(join(small, 'filler'), new Uint8Array(Math.max(0, (bavail - 4) * bsize)));
      const load = sendTransfers(0, 7);
      const exit = await testnet.runToExit(home, 'goOn');
      await load.stop();
      expect({ code: exit.code, signal: exit.signal, output: exit.code === 74 ? '' : exit.output }).toEqual({
        code: 74,
        signal: null,
        output: '',
      });
      await rm(join(small, 'filler'));
      await rm(testnet.home(3), { recursive: true });
      await cp(home, testnet.home(3), { recursive: true });
      await testnet.start(3);
      await expectVotes(3);
    } finally {
      execFileSync('umount', [small]);
    }
    return undefined;
  });
});

it('after all of it: nobody was found contradicting itself', async () => {
  await expectOneChain();
  const filter = { fromBlock: '0x0', toBlock: 'latest', domain: 'validators', kind: 'slashed' };
  for (const index of all) expect(await call(index, 'prime_getDomainEvents', [filter])).toEqual([]);
});

async function overwrite(path: string): Promise<void> {
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0x5a));
}

async function eachFile(folder: string, names: RegExp, work: (path: string) => Promise<void>): Promise<void> {
  for (const name of await readdir(folder)) if (names.test(name)) await work(join(folder, name));
}

async function changeChainId(home: string): Promise<void> {
  const path = join(home, 'genesis.json');
  const genesis = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  await writeFile(path, JSON.stringify({ ...genesis, chainId: 7920 }));
}

async function bytesBelow(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @returns false where that is not allowed */
function mountSmallDisk(path: string, bytes: number): boolean {
  try {
    execFileSync('mkdir', ['-p', path]);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
