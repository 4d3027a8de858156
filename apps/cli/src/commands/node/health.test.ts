import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { usePrime } from '../../testing/usePrime.ts';

const { printed, prime } = usePrime(0);
let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** @param status null never answers @returns where it listens */
async function answering(status: number | null, body: string): Promise<string> {
  server = createServer((_request, response) => {
    if (status !== null) response.writeHead(status, { connection: 'close' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ready`;
}
const failed = { code: 'CLI_CHECKS_FAILED', detail: { checks: ['health'] } };

describe('prime health', () => {
  it('prints what a node says that is well', async () => {
    await prime('health', '--url', await answering(200, '{"ready": true}\n'));
    expect(printed).toEqual(['{"ready": true}']);
  });

  it('fails with the reason of one that is not', async () => {
    const url = await answering(503, '{"ready": false, "reason": "starting"}');
    await expect(prime('health', '--url', url)).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining('answers 503: {"ready": false, "reason": "starting"}'),
    });
  });

  it('fails where nobody listens, and where nobody answers in time', async () => {
    const url = await answering(null, '');
    await expect(prime('health', '--url', url, '--timeout', '50')).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining('no answer in 50 ms'),
    });
    server!.closeAllConnections();
    server!.close();
    await once(server!, 'close');
    await expect(prime('health', '--url', url)).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['--url', 'nowhere'],
    ['--url', 'file:///etc/passwd'],
    ['--timeout', '0'],
    ['--timeout', '60001'],
  ])('%s %s: CLI_USAGE', async (flag, value) => {
    await expect(prime('health', flag, value)).rejects.toMatchObject({
      code: 'CLI_USAGE',
      detail: { argument: flag },
    });
  });
});
