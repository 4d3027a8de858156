import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../e2e/nodes.ts';

/**
 * What fails inside of a validator: a thread, what it makes of a block, its clock. In each case the process says so or goes on, the others decide blocks
 * meanwhile, and afterwards it is one of them again with nothing half done.
 */

const victim = 3;
const receiver = '0x00000000000000000000000000000000000000d1';
let testnet: Testnet;

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const { call, heightOf } = nodesOf(() => testnet);

interface Block {
  readonly hash: string;
  readonly stateRoot: string;
  readonly miner: string;
}
const blockAt = (index: number, height: number): Promise<Block> =>
  call(index, 'eth_getBlockByNumber', [hex(height), false]);

/** The victim, with a switch that makes it fail; on other ports, which its peers learn from it. */
async function startFailing(environment: Readonly<Record<string, string>>) {
  await testnet.kill(victim, 'SIGTERM');
  const failing = await testnet.another(testnet.home(victim), environment);
  await failing.start().catch(() => undefined);
  return failing;
}

async function goOn(blocks: number): Promise<void> {
  const from = await heightOf(0);
  await until('the others go on', async () => (await heightOf(0)) >= from + blocks);
}

/** The victim is started as ever: it has the block and the state that the others have, and decides with them where they need it. */
async function expectBack(): Promise<void> {
  await testnet.start(victim);
  const head = await heightOf(0);
  await until('it has caught up', async () => (await heightOf(victim)) >= head);
  const [own, theirs] = await Promise.all([blockAt(victim, head), blockAt(0, head)]);
  expect([own.hash, own.stateRoot]).toEqual([theirs.hash, theirs.stateRoot]);
  testnet.pause(0);
  const before = await heightOf(victim);
  await until('it takes part', async () => (await heightOf(victim)) >= before + 3);
  testnet.resume(0);
}

/** Something for every thread to do, at a node that stays. */
async function work(): Promise<void> {
  const [from] = await call<string[]>(1, 'eth_accounts');
  await call(1, 'eth_sendTransaction', [{ from, to: receiver, value: '0x1' }]);
  await call(1, 'primeorders_depositCollateral', [receiver, '0x1']);
}

describe('a thread of a validator', () => {
  // Each thread and each way once: how they fail has nothing to do with what they do, but for a gateway that hangs, whose sockets only end with the process.
  // Of a thread that is gone its neighbours may know before the supervisor does.
  const cases = [
    ['gateway', 'hang', null, /THREAD_HUNG/],
    ['consensus', 'hang', 70, /THREAD_HUNG/],
    ['evm', 'throw', 70, /asked to fail by PRIME_THREAD_FAULT|link \S*evm\S*: the other thread is gone/],
    ['clob', 'end', 70, /the thread ended with 1|link evm-clob: the other thread is gone/],
  ] as const;

  it.each(cases)('%s: %s: the process ends, the others go on, and it comes back', async (thread, how, code, words) => {
    const failing = await startFailing({
      PRIME_THREAD_FAULT: `${thread}:${how}`,
      ...(how === 'hang' && { PRIME_THREADS_HANG_MS: '2000' }),
    });
    await work();
    await until('it ends', () => Promise.resolve(!failing.running));
    expect({ code: failing.exitCode, tail: failing.tail }).toEqual({ code, tail: expect.stringMatching(words) });
    await goOn(2);
    await expectBack();
  });
});

describe('a validator that makes something else of a block', () => {
  it('ends with 75, does not serve what it has, and comes back without it', async () => {
    const failing = await startFailing({ PRIME_DIVERGE_AT: `${(await heightOf(0)) + 5}` });
    await until('it ends', async () => {
      await work();
      return !failing.running;
    });
    // Whichever comes first: the others decide what it refuses, or it fetches what they decided.
    expect({ code: failing.exitCode, tail: failing.tail }).toEqual({
      code: 75,
      tail: expect.stringMatching(/ENGINE_INVALID_DECISION|ENGINE_DIVERGED/),
    });
    await goOn(2);
    const again = await testnet.runToExit(testnet.home(victim), 'goOn');
    // The state names a root that its own records do not have.
    expect({ code: again.code, served: again.served, output: again.output }).toEqual({
      code: 78,
      served: false,
      output: expect.stringContaining('CHAIN_ORDERS_ROOT_MISMATCH'),
    });
    await rm(join(testnet.home(victim), 'state'), { recursive: true });
    await expectBack();
  });
});

describe('a validator whose clock is wrong', () => {
  it.each([
    ['an hour ahead', 3_600_000],
    // It proposes a millisecond after the parent, which is the time of the others too.
    ['an hour behind', -3_600_000],
  ])('%s: it follows, none of its times gets into a block, and the others go on', async (_name, offsetMs) => {
    const wrong = await startFailing({ PRIME_CLOCK_OFFSET_MS: `${offsetMs}` });
    const from = await heightOf(0);
    await goOn(12);
    const head = await heightOf(0);
    const { miner } = await owner();
    const blocks = await Promise.all(
      Array.from({ length: head - from - 2 }, (_, place) =>
        call<Block & { readonly timestamp: string }>(0, 'eth_getBlockByNumber', [hex(from + 3 + place), false]),
      ),
    );
    const now = Date.now() / 1000;
    for (const block of blocks) {
      if (offsetMs > 0) expect(block.miner).not.toBe(miner);
      expect(Math.abs(Number(block.timestamp) - now)).toBeLessThan(1_800);
    }
    expect(await wrong.kill('SIGTERM')).toBe(0);
    await expectBack();
  });

  async function owner(): Promise<{ readonly miner: string }> {
    const validators = await call<readonly { address: string; moniker: string }[]>(0, 'prime_validators');
    return { miner: validators.find(({ moniker }) => moniker === `validator${victim}`)!.address };
  }
});
