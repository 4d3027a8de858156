import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from '@prime/testkit';
import { createPublicClient, http } from 'viem';

/** anvil as npm delivers it for this machine; installed with the clients that the conformance tests run. */
const clients = fileURLToPath(new URL('../../../../test/clients', import.meta.url));
const processor = process.arch === 'x64' ? 'amd64' : process.arch;
const installed = `${clients}/node_modules/@foundry-rs/anvil-${process.platform}-${processor}/bin/anvil`;

/** A running anvil, the peer that JSON-RPC is measured beside. */
export interface Anvil {
  readonly url: string;
  readonly pid: number;
  close(): void;
}

/**
 * Starts anvil with the accounts and the chain id of the local network, one block per transaction unless told otherwise.
 *
 * @param path of the program; that of the test clients unless told
 * @param more arguments, as `--block-time 1` in place of a block for each transaction
 * @throws Error when it is not installed
 */
export async function startAnvil(path: string = installed, more: readonly string[] = []): Promise<Anvil> {
  if (!existsSync(path))
    throw new Error(`there is no anvil at ${path}: run "npm ci --prefix test/clients", or name one with --anvil PATH`);
  const port = await freePort();
  const args = ['--port', `${port}`, '--chain-id', '7919', '--silent', ...more];
  const child: ChildProcess = spawn(path, args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) });
  await until('anvil answers', async () => (await client.getChainId()) > 0);
  return { url, pid: child.pid!, close: () => child.kill() };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
