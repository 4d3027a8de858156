import { describe, expect, it } from '@jest/globals';
import { chooseRpcUrl, parseRpcUrl } from './rpcUrl.ts';

const sources = { search: '', remembered: null, config: null, origin: 'http://here' };

describe('the node that a page reads', () => {
  it('is the one of its address, else the remembered one, else the one of the server, else where the page came from', () => {
    const config = { rpc: 'http://served:1' };
    const all = { search: '?rpc=http://asked:1', remembered: 'http://before:1', config, origin: 'http://here' };
    expect(chooseRpcUrl(all)).toEqual({ url: 'http://asked:1', from: 'address', refused: null });
    expect(chooseRpcUrl({ ...all, search: '' })).toEqual({ url: 'http://before:1', from: 'memory', refused: null });
    expect(chooseRpcUrl({ ...sources, config })).toEqual({ url: 'http://served:1', from: 'server', refused: null });
    expect(chooseRpcUrl(sources)).toEqual({ url: 'http://here', from: 'origin', refused: null });
  });

  it('is forgotten by an empty name', () => {
    expect(chooseRpcUrl({ ...sources, search: '?rpc=', remembered: 'http://before:1' })).toMatchObject({
      from: 'origin',
    });
  });

  it.each(['javascript:alert(1)', 'ws://a', 'file:///etc', 'nothing'])('%s is refused, and that is told', (text) => {
    expect(parseRpcUrl(text)).toBeNull();
    expect(chooseRpcUrl({ ...sources, search: `?rpc=${encodeURIComponent(text)}` })).toEqual({
      url: 'http://here',
      from: 'origin',
      refused: text,
    });
  });

  it.each([null, 1, 'text', {}, { rpc: 1 }, { rpc: 'ws://x' }, []])('a configuration of %j names none', (config) => {
    expect(chooseRpcUrl({ ...sources, config })).toMatchObject({ from: 'origin' });
  });

  it('has one form, with its path and without a fragment', () => {
    expect(parseRpcUrl('HTTP://Node:80/a/#b')).toBe('http://node/a');
    expect(parseRpcUrl('https://node')).toBe('https://node');
  });
});
