import { afterEach, describe, expect, it } from '@jest/globals';
import { type Admin, type AdminPorts, startAdmin } from './admin.ts';
import { NodeError } from '../errors.ts';

const open: Admin[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((admin) => admin.close()));
});

async function start(changes: Partial<AdminPorts> = {}, port = 0) {
  const admin = await startAdmin(
    '127.0.0.1',
    port,
    {
      health: async () => true,
      ready: async () => ({ ready: true, reason: null }),
      status: async () => ({ height: 7, power: 10n ** 20n }),
      consensus: async () => ({ round: 0 }),
      metrics: async () => 'prime_up 1\n',
      stages: (query) => JSON.stringify({ after: query.get('after'), limit: query.get('limit') }),
      operate: async (request) => ({ ...request, power: 10n }),
      ...changes,
    },
    { matches: (header) => header === 'Bearer secret' },
  );
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
    expect(await (await ask('/consensus/dump')).json()).toEqual({ kind: 'dump', power: '10' });
    expect(await (await ask('/metrics')).text()).toBe('prime_up 1\n');
  });

  it('hands on what is asked for behind a question mark; what can not be asked for: 400 with the code', async () => {
    const { ask } = await start();
    expect(await (await ask('/stages?after=7-1.2.3.4&limit=5')).json()).toEqual({ after: '7-1.2.3.4', limit: '5' });
    expect(await (await ask('/stages')).json()).toEqual({ after: null, limit: null });
    const refusing = await start({
      stages: () => {
        throw new NodeError('limit must be a whole number', { code: 'OPERATOR_REQUEST_INVALID', field: 'limit' });
      },
    });
    const refused = await refusing.ask('/stages?limit=x');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: { code: 'OPERATOR_REQUEST_INVALID', message: 'limit must be a whole number' } },
    ]);
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

  describe('commands', () => {
    const address = `0x${'01'.repeat(20)}`;
    const post = (body: unknown, authorization = 'Bearer secret'): RequestInit => ({
      method: 'POST',
      headers: { authorization },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

    it('are carried out for who knows the token', async () => {
      const { ask } = await start();
      expect(await (await ask('/peers')).json()).toEqual({ kind: 'peers', power: '10' });
      const answer = await ask('/peers/unban', post({ address }));
      expect([answer.status, await answer.json()]).toEqual([200, { kind: 'unban', address, power: '10' }]);
    });

    it('are not even read without it, nor by GET: 401, 405', async () => {
      const asked: string[] = [];
      const { ask } = await start({ operate: async ({ kind }) => void asked.push(kind) });
      const answers = [
        await ask('/peers/ban', { method: 'POST', body: '{}' }),
        await ask('/peers/unban', post({}, 'Bearer secreT')),
        await ask('/peers/add', post({}, 'secret')),
      ];
      for (const answer of answers)
        expect([answer.status, await answer.json()]).toMatchObject([401, { error: { code: 'OPERATOR_UNAUTHORIZED' } }]);
      expect((await ask('/peers/ban')).status).toBe(405);
      expect((await ask('/peers', post({}))).status).toBe(405);
      expect(asked).toEqual([]);
    });

    it('that are refused, no JSON or too large: 400 with the code; 500 when the node does not answer', async () => {
      const refusal = new NodeError('it is this node', { code: 'OPERATOR_PEER_REFUSED', address: '0x1' });
      const { ask } = await start({
        operate: ({ kind }) => Promise.reject(kind === 'unban' ? refusal : new Error('no answer')),
      });
      const refused = await ask('/peers/unban', post({ address }));
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { error: { code: 'OPERATOR_PEER_REFUSED', message: 'it is this node' } },
      ]);
      for (const body of ['', 'no json', JSON.stringify('x'.repeat(20_000))]) {
        const answer = await ask('/peers/unban', post(body));
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { error: { code: 'OPERATOR_REQUEST_INVALID' } },
        ]);
      }
      expect((await ask('/stages/keep', post({ stamps: 0 }))).status).toBe(500);
    });
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
