import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, run, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** Validators whose keys are in remote signers, through the ends of either process. */

const all = [0, 1, 2, 3];
let testnet: Testnet;
const owners: string[] = [];

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    remoteSigners: true,
    genesis: (genesis) => {
      // Nobody is jailed for the signers that are killed here.
      genesis['staking'] = {};
    },
  });
  await Promise.all(all.map((index) => testnet.signer(index).start()));
  await testnet.startAll();
  for (const index of all) owners.push((await consensus(index)).self!);
});
afterAll(() => testnet.destroy());

interface Consensus {
  readonly self: string | null;
  readonly head: number;
  readonly signer: { readonly connected: boolean; readonly lastError: string | null; readonly signed: number };
}
const consensus = async (index: number): Promise<Consensus> =>
  (await (await fetch(`${testnet.adminUrl(index)}/consensus`)).json()) as Consensus;
const { heightOf } = nodesOf(() => testnet);
const signersAt = async (height: number): Promise<string[]> => {
  const commit = await rpc<{ signatures: { validator: string }[] }>(testnet.url(0), 'prime_getCommit', [
    `0x${height.toString(16)}`,
  ]);
  return commit.signatures.map(({ validator }) => validator);
};

/** A block from now on holds the validator's signature. */
async function expectSigns(index: number): Promise<void> {
  let next = (await heightOf(0)) + 1;
  await until(`validator${index} signs`, async () => {
    while (next <= (await heightOf(0))) if ((await signersAt(next++)).includes(owners[index]!)) return true;
    return false;
  });
}

interface Member {
  readonly address: string;
  readonly public_key: string;
}
const members = (index: number): Promise<readonly Member[]> => rpc(testnet.url(index), 'prime_validators');
/** Addresses of the keys that a node knows its signer by, the newest first. */
async function knownKeys(index: number): Promise<readonly string[]> {
  const text = await readFile(join(testnet.home(index), 'keys', 'remote-signer.json'), 'utf8');
  return (JSON.parse(text) as { keys: { address: string }[] }).keys.map(({ address }) => address);
}

async function goesOn(blocks: number): Promise<void> {
  const from = await heightOf(0);
  await until('blocks go on', async () => (await heightOf(0)) >= from + blocks);
}

/** A home that does not know its signer waits for it and ends; who asks meanwhile is told that it starts. */
async function endsWithoutAnyWord(index: number): Promise<void> {
  const known = join(testnet.home(index), 'keys', 'remote-signer.json');
  await rename(known, `${known}.aside`);
  const ended = testnet.runToExit(testnet.home(index), 'goOn');
  const ask = (path: string): Promise<Response> => fetch(`${testnet.adminUrl(index)}${path}`);
  const ready = await until('the admin endpoint answers', () => ask('/ready'));
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reason: 'starting' }]);
  expect((await ask('/health')).status).toBe(200);
  const status = await run(['node', 'status', '--home', testnet.home(index)]);
  expect(status.output).toContain('starting');
  const peers = run(['peers', 'list', '--home', testnet.home(index)]);
  await expect(peers).rejects.toThrow(/exited with 65: .*the node is starting/);
  expect(await ended).toMatchObject({ code: 69, served: false });
  await rename(`${known}.aside`, known);
}

describe('a network whose keys are in remote signers', () => {
  it('decides blocks, vouches for unsigned calls, and no home of a node holds a key that signs', async () => {
    await goesOn(3);
    for (const index of all) {
      expect(existsSync(join(testnet.home(index), 'keys', 'signer.json'))).toBe(false);
      expect((await consensus(index)).signer).toMatchObject({ connected: true, lastError: null });
      await expectSigns(index);
    }
    const deposit = ['0x00000000000000000000000000000000000000b2', '0x5'];
    // In a block: what the signer vouched for holds for all.
    expect(await rpc(testnet.url(1), 'primeorders_depositCollateral', deposit)).toMatchObject({ amount: '0x5' });
  });

  it('a signer that is killed: its node follows and serves, and votes again when the signer is back', async () => {
    await testnet.signer(2).kill('SIGKILL');
    await until('the node notices', async () => !(await consensus(2)).signer.connected);
    await goesOn(5);
    const reached = await heightOf(0);
    await until('its node follows', async () => (await heightOf(2)) >= reached);
    expect(testnet.running(2)).toBe(true);
    const signer = testnet.signer(2);
    const started = signer.start();
    const isThere = async (): Promise<boolean> =>
      Number(await readFile(join(signer.home, 'node.pid'), 'utf8')) === signer.pid;
    await until('the process id of the new one is there', isThere);
    // As soon as somebody can know whom to send it.
    signer.signal('SIGHUP');
    await started;
    await until('it has read its keys again', async () => signer.tail.includes('the keys were read again'));
    await expectSigns(2);
  });

  it('a node that starts without its signer observes as a peer of the others, and signs once it comes', async () => {
    await testnet.signer(1).kill('SIGTERM');
    expect(existsSync(join(testnet.signer(1).home, 'node.pid'))).toBe(false);
    await testnet.kill(1, 'SIGKILL');
    await goesOn(3);
    await endsWithoutAnyWord(1);
    await testnet.start(1);
    const reached = await heightOf(0);
    await until('it follows', async () => (await heightOf(1)) >= reached + 3);
    expect((await consensus(1)).signer).toMatchObject({ connected: false, lastError: expect.stringMatching(/ECONN/) });
    const { output } = await run(['node', 'status', '--home', testnet.home(1)]);
    expect(output).toMatch(/signer +.* IS AWAY \(.*ECONN.*\)/);
    expect(output).toMatch(/signing +no: its signer is away/);
    await testnet.signer(1).start();
    await expectSigns(1);
  });

  it('a validator rotates to a new key of its signer, and neither process is started anew', async () => {
    const index = 2;
    const signer = testnet.signer(index);
    const pids = [signer.pid, testnet.pid(index)];
    // Where an operator reads whom to send SIGHUP.
    expect(Number(await readFile(join(signer.home, 'node.pid'), 'utf8'))).toBe(signer.pid);
    const [old] = await knownKeys(index);
    const next = join(signer.home, 'keys', 'signer.next.json');
    await writeFile(next, 'not a key');
    signer.signal('SIGHUP');
    await until('the signer refuses what is no key', () => Promise.resolve(signer.tail.includes('stay as they were')));
    await rm(next);
    const claim = join(signer.home, 'claim.json');
    await run(['signer', 'claim', '--home', signer.home, '--owner', owners[index]!, '--next', '--out', claim]);
    signer.signal('SIGHUP');
    await until('the node learns the new key', async () => (await knownKeys(index)).length === 2);
    expect((await knownKeys(index))[1]).toBe(old);
    // The old one is the registered one.
    await expectSigns(index);
    const rotate = ['validator', 'rotate-signer', '--home', testnet.home(index), '--rpc', testnet.url(0)];
    await run([...rotate, '--signer-claim', claim]);
    const { publicKey } = JSON.parse(await readFile(claim, 'utf8')) as { publicKey: string };
    for (const node of all)
      await until(`validator${node} has the new key`, async () =>
        (await members(node)).some((one) => one.address === owners[index] && one.public_key === publicKey),
      );
    // From here on a certificate with its signature is one with the signature of the new key.
    await expectSigns(index);
    expect([signer.pid, testnet.pid(index)]).toEqual(pids);
    await signer.kill('SIGKILL');
    await testnet.kill(index, 'SIGKILL');
    await Promise.all([signer.start(), testnet.start(index)]);
    await expectSigns(index);
  });

  it('all signers killed at once: the network stands still without falling over, and goes on', async () => {
    await Promise.all(all.map((index) => testnet.signer(index).kill('SIGKILL')));
    await until('all nodes notice', async () =>
      (await Promise.all(all.map(consensus))).every(({ signer }) => !signer.connected),
    );
    const stuck = await heightOf(0);
    expect(await rpc<string>(testnet.url(3), 'eth_chainId')).toBe('0x1eef');
    await Promise.all(all.map((index) => testnet.signer(index).start()));
    await until('it goes on', async () => (await heightOf(0)) >= stuck + 3);
    expect(all.map((index) => testnet.running(index))).toEqual([true, true, true, true]);
  });
});
