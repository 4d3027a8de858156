import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cli } from '../e2e/operations/program.ts';

/** `prime explorer` as people run it. */
export interface SiteProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param rpc node that the pages read */
export async function serveSite(rpc: string, ...more: readonly string[]): Promise<SiteProcess> {
  const args = ['explorer', '--rpc', rpc, '--listen', '127.0.0.1:0', '--json', ...more];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'close');
  const told = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const ended = gone.then(([code]) => {
    throw new Error(`prime explorer ended with ${code} before it said where it is`);
  });
  const [line] = await Promise.race([told, ended]);
  ended.catch(() => undefined);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
