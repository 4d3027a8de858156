import { describe, expect, it } from '@jest/globals';
import { useServers } from '../testing/useServers.ts';
import { checkNodes, parseRpcUrls } from './nodes.ts';

const { serveRpc } = useServers();

describe('the nodes that pages ask', () => {
  it.each([
    ['http://127.0.0.1:8545', ['http://127.0.0.1:8545']],
    ['http://127.0.0.1:8545/', ['http://127.0.0.1:8545']],
    ['https://a.example/rpc, http://b:1', ['https://a.example/rpc', 'http://b:1']],
    ['http://a,http://a/,HTTP://A', ['http://a']],
    [Array.from({ length: 16 }, (_, index) => `http://n${index}`).join(), expect.any(Array)],
  ])('%s', (text, urls) => {
    expect(parseRpcUrls(text)).toEqual(urls);
  });

  it.each([
    '',
    ',',
    'http://a,',
    'a:8545',
    'ws://a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://user@a',
    'http://user:secret@a',
    'http://a/#x',
    // No word of a content security policy names them, or they would end it.
    'http://[::1]:8545',
    "http://a;script-src'*'/",
    "http://a'",
    Array.from({ length: 17 }, (_, index) => `http://n${index}`).join(),
  ])('%s is refused, and nothing secret is repeated', (text) => {
    let message = '';
    try {
      parseRpcUrls(text);
    } catch (error) {
      message = (error as Error).message;
      expect(error).toMatchObject({ code: 'CLI_USAGE', detail: { argument: '--rpc' } });
    }
    expect(message).not.toBe('');
    expect(message).not.toContain('secret');
  });
});

/** A node that answers each method with what stands here, and everything else with an error. */
const node = async (results: Readonly<Record<string, unknown>>): Promise<string> =>
  (await serveRpc((method) => results[method])).url;
const prime = (genesis: string): Promise<string> =>
  node({ web3_clientVersion: 'prime/0.1.0', eth_getBlockByNumber: { hash: genesis } });

describe('what is found out about them', () => {
  it('all of one network: nothing to say', async () => {
    expect(await checkNodes([await prime('0x01'), await prime('0x01')])).toEqual([]);
  });

  it('one that does not answer, or refuses, is a warning', async () => {
    const silent = 'http://127.0.0.1:1';
    const warnings = await checkNodes([silent, await prime('0x01'), await node({})]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(`no answer from ${silent}`);
    expect(warnings[1]).toContain('method not found');
  });

  it('two networks: CLI_OTHER_NETWORK with both', async () => {
    const [one, other] = [await prime('0x01'), await prime('0x02')];
    await expect(checkNodes([one, 'http://127.0.0.1:1', other])).rejects.toMatchObject({
      code: 'CLI_OTHER_NETWORK',
      detail: { url: other, genesisHash: '0x02' },
      message: `${other} is another network: its genesis is 0x02, that of ${one} is 0x01`,
    });
  });

  it('a node of something else: CLI_OTHER_NETWORK with its name', async () => {
    const geth = await node({ web3_clientVersion: 'Geth/v1.15', eth_getBlockByNumber: { hash: '0x03' } });
    await expect(checkNodes([geth])).rejects.toMatchObject({
      code: 'CLI_OTHER_NETWORK',
      message: `${geth} is no node of Prime: it calls itself Geth/v1.15`,
    });
  });
});
