import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeStoredBlock, orderRecordKey, statePrefix } from '@prime/codec';
import { homePaths } from '@prime/config';
import { RpcError } from '@prime/load/rpc';
import { hexToBytes, type OrderId } from '@prime/primitives';
import { openStateDatabase } from '@prime/storage';
import { type AnotherBuild, anotherBuild, createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/**
 * A program with a fault that one decided block meets on all validators, and the program that replaces it: nobody is stopped for good, and no height is lost.
 * The fault is one that was there: the mark of a removed order went into an array that growing had replaced, and an empty record was written.
 */

const all = [0, 1, 2, 3];
const trader = '0x00000000000000000000000000000000000000d7';
/** First byte of the keys of orders in the order book. */
const orderKind = orderRecordKey(1 as OrderId)[0]!;
/** One more than the array had room for. */
const orders = 65;
const ordersAtOnce = 20;
const exitOfFailedBlock = 79;
let testnet: Testnet;
let faulty: AnotherBuild | null = null;

interface Note {
  readonly height: number;
  readonly hash: string;
  readonly program: string;
  readonly reason: string;
  readonly stack: string;
  readonly block: string;
}

const { call, heightOf } = nodesOf(() => testnet);
const noteAt = (node: number): string => homePaths(testnet.home(node)).failedBlock;
const readNote = async (node: number): Promise<Note> => JSON.parse(await readFile(noteAt(node), 'utf8')) as Note;
const hashAt = (node: number, height: number): Promise<string> =>
  call<{ block_hash: string }>(node, 'prime_getCommit', [`0x${height.toString(16)}`]).then(
    (commit) => commit.block_hash,
  );

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4 });
  faulty = await anotherBuild([
    {
      path: 'packages/clob/dist/records/recordBatch.js',
      from: /const at = this\.#takeOrder\(id\);\s*this\.#orderLengths\[at\] = removed;/,
      to: 'this.#orderLengths[this.#takeOrder(id)] = removed;',
    },
  ]);
  for (const node of all) testnet.install(node, faulty.cli);
  await testnet.startAll();
  await call(0, 'primeorders_depositCollateral', [trader, '0xf4240']);
  const order = { owner: trader, market_id: 1, side: 'buy', size: '0x1', tif: 'gtc' };
  const prices = Array.from({ length: orders }, (_, index) => `0x${(index + 1).toString(16)}`);
  // No block may take more orders than the array has room for: growing for one that came earlier would spare the block that this is about.
  for (let from = 0; from < orders; from += ordersAtOnce) {
    const some = prices.slice(from, from + ordersAtOnce);
    await Promise.all(some.map((price, index) => call(index % 4, 'primeorders_submitOrder', [{ ...order, price }])));
  }
  await call(1, 'primeorders_cancelAll', [trader, '0x1']).catch((error: unknown) => {
    // Nobody is left to answer.
    if (error instanceof RpcError) throw error;
  });
});
afterAll(async () => {
  await testnet.destroy();
  await faulty?.destroy();
});

describe('a decided block that the program can not execute', () => {
  it('stops the validators with an exit code of its own and keeps block and reason', async () => {
    // Whoever sees the decision ends; with two gone nobody else hears of it.
    await until('a quorum is gone', async () => all.filter((node) => !testnet.running(node)).length >= 2);
    const ended = all.filter((node) => !testnet.running(node));
    for (const node of ended) {
      // A thread that does not end in time ends the process by a signal, and its code is in the log alone.
      expect(testnet.tail(node)).toContain(`"code":"BLOCK_FAILED","exit":${exitOfFailedBlock}`);
      const note = await readNote(node);
      expect(note).toMatchObject({
        program: expect.stringMatching(/^prime\//),
        reason: expect.stringMatching(/record/),
      });
      const { block, hash } = decodeStoredBlock(hexToBytes(note.block));
      expect({ height: block.header.height, hash }).toEqual({ height: note.height, hash: note.hash });
    }
    for (const node of all) await testnet.kill(node, 'SIGKILL');
  });

  it('again with the same program, before it serves anything', async () => {
    const node = all.find((each) => existsSync(noteAt(each)))!;
    const { served, code, output } = await testnet.runToExit(testnet.home(node), 'goOn', faulty!.cli);
    expect({ served, code }).toEqual({ served: false, code: exitOfFailedBlock });
    expect(output).toContain('install a program that can execute it');
  });

  it('the home is whole all the same', async () => {
    const { output } = await run(['db', 'check', '--home', testnet.home(0)]);
    expect(output).not.toContain('DAMAGED');
  });

  it('and is executed by a program that can: the network goes on from that very block', async () => {
    const { height, hash } = await readNote(all.find((node) => existsSync(noteAt(node)))!);
    for (const node of all) testnet.install(node, null);
    await testnet.startAll();
    for (const node of all) {
      await until('blocks beyond it', async () => (await heightOf(node)) > height + 1);
      expect(await hashAt(node, height)).toBe(hash);
      expect(await call(node, 'primeorders_getOpenOrders', [trader])).toEqual([]);
      expect(existsSync(noteAt(node))).toBe(false);
    }
  });
});

describe('a state with a record that nobody can read', () => {
  const order = { owner: trader, market_id: 1, side: 'sell', size: '0x1', price: '0x64', tif: 'gtc' };

  it('is not served: refused at the start by the name of the record, and found by the check', async () => {
    await call(2, 'primeorders_submitOrder', [order]);
    const height = await heightOf(2);
    await until('validator 3 has the order', async () => (await heightOf(3)) >= height);
    await testnet.kill(3, 'SIGKILL');
    const key = await spoilOrder(homePaths(testnet.home(3)).state);
    const { served, code, output } = await testnet.runToExit(testnet.home(3), 'goOn');
    expect({ served, code }).toEqual({ served: false, code: 78 });
    const words = `the record order 0x${key} can not be read: `;
    expect(output).toContain(words);
    expect(output).toContain('prime db repair makes it anew');
    await expect(run(['db', 'check', '--home', testnet.home(3)])).rejects.toThrow(words);
  });

  it('is made anew by a command and a start', async () => {
    const { output } = await run(['db', 'repair', '--home', testnet.home(3)]);
    expect(output).toMatch(/state is set aside as .*state\.damaged$/m);
    await servesAgain();
    expect((await run(['db', 'check', '--home', await stopped(3)])).output).not.toContain('DAMAGED');
  });

  it('is made anew from a snapshot of another node', async () => {
    const other = await stopped(2);
    await run(['snapshot', 'create', '--home', other]);
    await testnet.start(2);
    await spoilOrder(homePaths(testnet.home(3)).state);
    const { output } = await run(['db', 'repair', '--home', testnet.home(3), '--from', join(other, 'snapshots')]);
    expect(output).toMatch(/^restored the snapshot of height \d+$/m);
    await servesAgain();
  });

  it('is made anew by the peers, where the blocks are damaged as well', async () => {
    const { state, blocks } = homePaths(await stopped(3));
    await spoilOrder(state);
    await writeFile(join(blocks, 'CURRENT'), 'no manifest');
    const { output } = await run(['db', 'repair', '--home', testnet.home(3)]);
    expect(output).toMatch(/blocks is set aside as .*blocks\.damaged/);
    await servesAgain();
  });
});

/** Validator 3 has all blocks, and the order whose record was torn. */
async function servesAgain(): Promise<void> {
  await testnet.start(3);
  await until('it is level', async () => (await heightOf(3)) >= (await heightOf(0)) - 1);
  expect(await call<unknown[]>(3, 'primeorders_getOpenOrders', [trader])).toHaveLength(1);
}

/** Writes the torn value of an order, with a checksum that is right. @returns its key in the order book, hex */
async function spoilOrder(folder: string): Promise<string> {
  const database = await openStateDatabase(folder);
  try {
    for await (const [key] of database.entries(Uint8Array.of(statePrefix.clobRecord, orderKind))) {
      await database.write([{ key: key.slice(), value: Uint8Array.of(0xc2, 1) }], { sync: true });
      return Buffer.from(key.slice(1)).toString('hex');
    }
    throw new Error('the state holds no order');
  } finally {
    await database.close();
  }
}

async function stopped(node: number): Promise<string> {
  await testnet.kill(node, 'SIGTERM');
  return testnet.home(node);
}
