import { afterEach, describe, expect, it } from '@jest/globals';
import { type Admin, type AdminPorts, startAdmin } from './admin.ts';

const open: Admin[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((admin) => admin.close()));
});

async function start(changes: Partial<AdminPorts> = {}, port = 0) {
  const admin = await startAdmin('127.0.0.1', port, {
    health: async () => true,
    ready: async () => ({ ready: true, reason: null }),
    status: async () => ({ height: 7, power: 10n ** 20n }),
    consensus: async () => ({ round: 0 }),
    metrics: async () => 'prime_up 1\n',
    ...changes,
  });
  open.push(admin);
  const ask = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(`http://127.0.0.1:${admin.port}${path}`, init);
  return { admin, ask };
}

describe('admin endpoint', () => {
  it('answers probes, status and metrics; large numbers are decimal strings, bytes are hex', async () => {
    const { ask } = await start({ consensus: async () => ({ round: 0, publicKey: Uint8Array.of(2, 0xb1, 0) }) });
    expect((await ask('/health')).status).toBe(200);
    expect(await (await ask('/ready?verbose')).json()).toEqual({ ready: true, reason: null });
    expect(await (await ask('/status')).json()).toEqual({ height: 7, power: '100000000000000000000' });
    expect(await (await ask('/consensus')).json()).toEqual({ round: 0, publicKey: '0x02b100' });
    expect(await (await ask('/metrics')).text()).toBe('prime_up 1\n');
  });

  it('503 while a thread hangs or the node catches up, with the reason', async () => {
    const { ask } = await start({
      health: async () => false,
      ready: async () => ({ ready: false, reason: 'catching up' }),
    });
    expect((await ask('/health')).status).toBe(503);
    const ready = await ask('/ready');
    expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reason: 'catching up' }]);
  });

  it('404 for other paths, 405 for other methods, 500 when a part does not answer', async () => {
    const { ask } = await start({ status: () => Promise.reject(new Error('no answer')) });
    for (const path of ['/', '/constructor', '/__proto__'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask('/health', { method: 'POST' })).status).toBe(405);
    expect((await ask('/status')).status).toBe(500);
  });

  it('a port that is taken: ADMIN_LISTEN_FAILED with the address and the cause', async () => {
    const { admin } = await start();
    await expect(start({}, admin.port)).rejects.toMatchObject({
      code: 'ADMIN_LISTEN_FAILED',
      detail: { address: `127.0.0.1:${admin.port}` },
      cause: { code: 'EADDRINUSE' },
    });
  });
});
