import { describe, expect, it } from '@jest/globals';
import { usePrime } from '../../testing/usePrime.ts';
import { useServers } from '../../testing/useServers.ts';

const { printed, prime } = usePrime(0);
const { serve } = useServers();

const answering = async (status: number, body: string): Promise<string> =>
  (await serve((_, response) => response.writeHead(status, { connection: 'close' }).end(body))).url;
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
    const { url, close } = await serve(() => undefined);
    await expect(prime('health', '--url', url, '--timeout', '50')).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining('no answer in 50 ms'),
    });
    await close();
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
