import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex as hex } from '@prime/load/rpc';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** Nodes that join a network that has been running, all of whose validators have other hot keys by now than in genesis: from genesis, and from a snapshot. */

let testnet: Testnet;
/** Follows from genesis; begins with a snapshot. */
const [fromGenesis, fromSnapshot] = [4, 5];
const account = '0x00000000000000000000000000000000000000b2';

const { call, heightOf } = nodesOf(() => testnet);
interface Block {
  readonly hash: string;
  readonly stateRoot: string;
}
const blockAt = (node: number, height: number): Promise<Block> =>
  call(node, 'eth_getBlockByNumber', [hex(height), false]);

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    followers: 2,
    environment: { PRIME_SNAPSHOTS_INTERVAL_BLOCKS: '10', PRIME_SNAPSHOTS_KEEP: '100' },
  });
  await Promise.all([0, 1, 2, 3].map((index) => testnet.start(index)));
  await call(0, 'primeorders_depositCollateral', [account, '0x5']);
  for (const index of [0, 1, 2, 3])
    await run(['validator', 'rotate-signer', '--home', testnet.home(index), '--rpc', testnet.url(index)]);
  for (const index of [0, 1, 2, 3]) await until('it has a snapshot', async () => (await heightOf(index)) >= 14);
});
afterAll(() => testnet.destroy());

async function expectSameBlock(node: number): Promise<void> {
  const height = await heightOf(0);
  await until(`node ${node} reaches ${height}`, async () => (await heightOf(node)) >= height);
  const [own, theirs] = [await blockAt(node, height), await blockAt(0, height)];
  expect([own.hash, own.stateRoot]).toEqual([theirs.hash, theirs.stateRoot]);
}

describe('a node that joins', () => {
  it('from genesis: it has every block, and hands an unsigned call to a validator', async () => {
    await testnet.start(fromGenesis);
    await expectSameBlock(fromGenesis);
    expect((await blockAt(fromGenesis, 1)).hash).toBe((await blockAt(0, 1)).hash);
    const deposited = await call(fromGenesis, 'primeorders_depositCollateral', [account, '0x7']);
    expect(deposited).toMatchObject({ collateral: '0xc' });
  });

  it('from a snapshot: it has the state, executes what follows, and says what it does not have', async () => {
    // All took it of the same state.
    const lists = await Promise.all(
      [0, 1, 2, 3].map((index) => run(['snapshot', 'list', '--home', testnet.home(index)])),
    );
    const first = lists.map(({ output }) => output.split('\n').find((line) => line.startsWith('10 ')));
    expect(first[0]).toMatch(/0x[0-9a-f]{64}/);
    expect(new Set(first).size).toBe(1);
    const path = join(testnet.home(fromSnapshot), 'config.toml');
    const { hash } = await blockAt(0, 3);
    const config = (await readFile(path, 'utf8'))
      .replace('# trusted_height = 0', 'trusted_height = 3')
      .replace('# trusted_hash = ""', `trusted_hash = "${hash}"`);
    await writeFile(path, config);
    // While the others stand still it finds no snapshot, and says so.
    const others = [0, 1, 2, 3];
    for (const index of others) testnet.pause(index);
    const started = testnet.start(fromSnapshot);
    try {
      const ask = (endpoint: string): Promise<Response> => fetch(`${testnet.adminUrl(fromSnapshot)}${endpoint}`);
      const ready = await until('the admin endpoint answers', () => ask('/ready'));
      const reason = expect.stringMatching(/^state sync from block 3: no snapshot yet, \d peers?$/);
      expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reason }]);
      expect((await ask('/health')).status).toBe(200);
      expect(await (await ask('/status')).json()).toMatchObject({ stateSync: { trustedHeight: 3, snapshot: null } });
      expect(await (await ask('/metrics')).text()).toMatch(/^process_resident_memory_bytes \d+$/m);
      const { output } = await run(['node', 'status', '--home', testnet.home(fromSnapshot)]);
      expect(output).toMatch(/^state sync from block 3: no snapshot yet/);
      expect((await run(['peers', 'list', '--home', testnet.home(fromSnapshot)])).code).toBe(0);
    } finally {
      for (const index of others) testnet.resume(index);
    }
    await started;
    await expectSameBlock(fromSnapshot);
    const refusal = await blockAt(fromSnapshot, 2).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 4444 });
    const deposited = await call(fromSnapshot, 'primeorders_depositCollateral', [account, '0x1']);
    expect(deposited).toMatchObject({ collateral: '0xd' });
    await testnet.kill(fromSnapshot, 'SIGKILL');
    await testnet.start(fromSnapshot);
    await expectSameBlock(fromSnapshot);
  });

  it('again, after it lost its blocks and its state: the others know a validator by its new key', async () => {
    const lost = 3;
    await testnet.kill(lost, 'SIGKILL');
    for (const folder of ['blocks', 'state', 'wal'])
      await rm(join(testnet.home(lost), folder), { recursive: true, force: true });
    // With one of the others down a block needs all that are left.
    await testnet.kill(0, 'SIGKILL');
    await testnet.start(lost);
    await until('it has the blocks of the others', async () => (await heightOf(lost)) >= (await heightOf(1)) - 1);
    const deposited = await call(lost, 'primeorders_depositCollateral', [account, '0x1']);
    expect(deposited).toMatchObject({ collateral: '0xe' });
  });
});
