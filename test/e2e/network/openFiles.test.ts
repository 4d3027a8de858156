import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rpc } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { cli } from '../operations/program.ts';

/** A validator that may have few files open, and callers who open more connections than that and say nothing. */
const filesMax = 4096;
/** Of these, what no connection can have. */
const heldBack = 1024;
let testnet: Testnet;
let node: ChildProcess;
let output = '';
let sockets: Socket[] = [];

const timesTold = (line: string): number => output.split(line).length - 1;
const openOf = (child: ChildProcess): number => readdirSync(`/proc/${child.pid}/fd`).length;
const startWith = (files: number): ChildProcess => {
  const command = `ulimit -n ${files}; exec "$0" "$@"`;
  const args = [cli, 'node', 'start', '--home', testnet.home(0), '--log-format', 'json'];
  const child = spawn('sh', ['-c', command, process.execPath, ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  return child;
};
/** A block is decided and executed: logs, database and state were written. */
const executed = async (): Promise<number> => {
  const answer = await fetch(`${testnet.adminUrl(0)}/status`);
  return ((await answer.json()) as { readonly evm: { readonly height: number } }).evm.height;
};

beforeAll(async () => {
  testnet = await createTestnet({ validators: 1 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  if (node.exitCode === null) {
    const gone = once(node, 'exit');
    node.kill('SIGKILL');
    await gone;
  }
  await testnet.destroy();
});

describe('open files', () => {
  it('too few to start with: exit code 71, and the number that is needed', async () => {
    node = startWith(filesMax - 1);
    const [code] = (await once(node, 'exit')) as [number];
    expect(code).toBe(71);
    expect(output).toMatch(/may have 4095 files open, and a node needs at least \d+.*\[OPEN_FILES_LIMIT_TOO_LOW\]/);
  });

  it('all taken by callers who say nothing: blocks go on, and callers are served again when they are gone, twice', async () => {
    node = startWith(filesMax);
    await until('it is ready', async () => output.includes('"msg":"ready"'));
    const port = Number(new URL(testnet.url(0)).port);
    expect(openOf(node)).toBeGreaterThan(heldBack);
    for (const round of [1, 2]) {
      for (let count = 0; count < 2 * filesMax; count++) {
        const socket = connect(port, '127.0.0.1');
        // Refused or ended: that is what the limit is for.
        socket.on('error', () => undefined);
        sockets.push(socket);
      }
      await until('nobody is let in', async () => timesTold('callers wait') === round);
      // It opens a few of its own meanwhile.
      expect(openOf(node)).toBeLessThan(filesMax - heldBack / 2);
      const height = await executed();
      await until('blocks go on', async () => (await executed()) > height + 10);
      for (const socket of sockets) socket.destroy();
      sockets = [];
      await until('callers are let in', async () => timesTold('callers are let in again') === round);
      await until(
        'a caller is served',
        async () => Number(await rpc<string>(testnet.url(0), 'eth_blockNumber')) > height,
      );
    }
    expect(node.exitCode).toBeNull();
  });
});
