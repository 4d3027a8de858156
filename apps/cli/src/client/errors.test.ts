import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { exitCodeOf } from '@prime/node';
import { MarketNotFoundError, OutcomeUnknownError, primeActions, RefusalError, StreamError } from '@prime/sdk';
import { createClient, custom, HttpRequestError, RpcRequestError } from 'viem';
import { askNode, patiently } from '../node/rpc.ts';
import { useServers } from '../testing/useServers.ts';
import { asCommand, commandError } from './errors.ts';

const { serve } = useServers();

const url = 'http://node.invalid';
/** What the command line makes of an answer of a node. */
const answered = (code: number, message: string, data?: unknown): Promise<unknown> => {
  const request = async (): Promise<never> => {
    throw new RpcRequestError({ body: {}, error: { code, message, data }, url });
  };
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) }).extend(primeActions());
  return asCommand(url, () => client.getMarkets());
};

const chainIdAt = (at: string, asking?: Parameters<typeof askNode>[2]): Promise<number> =>
  askNode({ url: at, apiKey: null }, (client) => client.getChainId(), asking);

describe('what goes wrong, in the words of the command line', () => {
  it('the order book refuses: the kind, and amounts as people write them; exit code 65', async () => {
    const data = { kind: 'insufficient_margin', required: '0xde0b6b3a7640000', free: '0x0' };
    const error = { code: 'CLI_ACTION_REFUSED', detail: { refusal: 'insufficient_margin' } };
    await expect(answered(-32_000, 'insufficient margin', data)).rejects.toMatchObject(error);
    await expect(answered(-32_000, 'insufficient margin', data)).rejects.toThrow(
      'the order needs 1 PRIME of margin, and 0 are free',
    );
    expect(exitCodeOf('CLI_ACTION_REFUSED')).toBe(65);
  });

  it('an order has its number in decimal', async () => {
    const data = { kind: 'unknown_order', order_id: '0x4d' };
    await expect(answered(-32_000, 'unknown order 0x4d', data)).rejects.toThrow(
      'refused: unknown order 77 (unknown_order)',
    );
  });

  it('the node refuses: its words and its number', async () => {
    const error = { code: 'CLI_NODE_REFUSED', message: `${url} answers: no such thing (-32601)` };
    await expect(answered(-32_601, 'no such thing')).rejects.toMatchObject(error);
  });

  it('a busy node counts as one that does not answer', async () => {
    await expect(answered(-32_005, 'too many requests')).rejects.toMatchObject({ code: 'CLI_UNREACHABLE' });
  });

  it('nobody is there: which URL it was; exit code 69', async () => {
    const gone = await serve(() => undefined);
    await gone.close();
    await expect(chainIdAt(gone.url)).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      message: `no answer from ${gone.url}/: nothing listens there; is the node running?`,
    });
    expect(exitCodeOf('CLI_UNREACHABLE')).toBe(69);
  });

  it.each([
    ['nothing', () => undefined],
    ['the beginning of an answer', (_: unknown, response: ServerResponse) => void response.write('{"jsonrpc":')],
  ])('a node that gives %s in time is another than one that is not there', async (_, listener) => {
    const there = await serve(listener);
    await expect(chainIdAt(there.url, { timeoutMs: 500 })).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      message: `no answer from ${there.url}/ within 0.5 s: the node is busy or stopped`,
    });
  });

  it('the connection is closed: what the system says of it', async () => {
    const there = await serve(({ socket }) => socket.destroy());
    await expect(chainIdAt(there.url)).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      // Which one depends on whether all of the request was read.
      message: expect.stringMatching(/\/: (?:other side closed|read ECONNRESET); is a node running there\?$/),
    });
  });

  it('what is no JSON-RPC at all: nobody is there who answers', async () => {
    const there = await serve((_, response) => response.end('<html>hello</html>'));
    await expect(chainIdAt(there.url)).rejects.toMatchObject({
      code: 'CLI_UNREACHABLE',
      message: expect.stringMatching(/: Unexpected token .* is a node running there\?$/),
    });
  });

  it('who wants something done asks again where the node was not there for a moment; who looks does not', async () => {
    let asked = 0;
    const there = await serve(({ socket }, response) => {
      if (++asked % 2 === 1) socket.destroy();
      else response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    });
    await expect(chainIdAt(there.url, patiently)).resolves.toBe(1);
    await expect(chainIdAt(there.url)).rejects.toMatchObject({ code: 'CLI_UNREACHABLE' });
  });

  it('an HTTP status is told', () => {
    const failed = new HttpRequestError({ url, status: 503, details: 'Service Unavailable' });
    expect(commandError(failed, url)).toMatchObject({
      code: 'CLI_NODE_REFUSED',
      message: `${url} answers HTTP 503: Service Unavailable`,
    });
  });

  it('an outcome that nobody knows: the hash, and how to find out; an exit code of its own', () => {
    const hash = `0x${'ab'.repeat(32)}` as const;
    const error = commandError(new OutcomeUnknownError({ hash, raw: null }), url);
    expect(error).toMatchObject({ code: 'CLI_OUTCOME_UNKNOWN', detail: { hash } });
    expect((error as Error).message).toContain(`prime rpc eth_getTransactionReceipt ${hash}`);
    expect(exitCodeOf('CLI_OUTCOME_UNKNOWN')).toBe(73);
  });

  it('a live view that no node serves', () => {
    const ended = new StreamError('No URL is left.', { code: 'STREAM_NO_URL' });
    expect(commandError(ended, url)).toMatchObject({ code: 'CLI_STREAM_ENDED', detail: { reason: 'STREAM_NO_URL' } });
    expect(exitCodeOf('CLI_STREAM_ENDED')).toBe(69);
  });

  it('a market that is not there, among none and some', () => {
    const message = (symbols: readonly string[]): string =>
      (commandError(new MarketNotFoundError('X/Y', symbols), url) as Error).message;
    expect(message([])).toBe('no market X/Y: there are none');
    expect(message(['A/B', 'C/D'])).toBe('no market X/Y: there are A/B, C/D');
  });

  it('a refusal of a kind that nobody knows here keeps its words', () => {
    const refusal = new RefusalError({ kind: 'new_kind', message: 'because', data: {}, hash: null });
    expect(commandError(refusal, url)).toMatchObject({ message: 'refused: because (new_kind)' });
  });

  it('anything else stays what it is', () => {
    const other = new Error('a mistake of this program');
    expect(commandError(other, url)).toBe(other);
  });
});
