import { describe, expect, it } from '@jest/globals';
import { curlOf, findMethods, methodsOf, parseParams } from './openRpc.ts';

const document = {
  methods: [
    {
      name: 'eth_getBalance',
      summary: 'Balance of an account.',
      params: [{ name: 'address', description: 'The account.', required: true }, null],
      examples: [{ name: 'now', params: [{ name: 'address', value: '0x1' }] }, { params: 'nothing' }],
    },
    { name: 'a' },
    { name: 7 },
    null,
  ],
};

describe('the interface of a node', () => {
  const methods = methodsOf(document);

  it('is read as far as it can be, by name', () => {
    expect(methods.map(({ name }) => name)).toEqual(['a', 'eth_getBalance']);
    expect(methods[1]).toEqual({
      name: 'eth_getBalance',
      summary: 'Balance of an account.',
      params: [{ name: 'address', description: 'The account.', isRequired: true }],
      examples: [
        { name: 'now', params: '[\n  "0x1"\n]' },
        { name: 'Example 2', params: '[]' },
      ],
    });
  });

  it('is searched by words of names and summaries', () => {
    const found = (text: string): string[] => findMethods(methods, text).map(({ name }) => name);
    expect([found('ACCOUNT eth'), found(''), found('account market')]).toEqual([
      ['eth_getBalance'],
      ['a', 'eth_getBalance'],
      [],
    ]);
  });
});

describe('parameters', () => {
  it('are a list in JSON', () => {
    expect(parseParams(' ')).toEqual([]);
    expect(parseParams('["a", 1]')).toEqual(['a', 1]);
    expect(parseParams('{}')).toContain('list');
    expect(parseParams('[')).toContain('not JSON');
  });

  it('stand in a line for a shell, whatever is in them', () => {
    expect(curlOf('http://a', 'm', ["it's"])).toBe(
      `curl 'http://a' -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"m","params":["it'\\''s"]}'`,
    );
  });
});
