import { describe, expect, it } from '@jest/globals';
import { isIn, requestPlaces, requestsIn, socketPlaces, socketsIn } from './clients.ts';
import { filesBelow, readText } from './repository.ts';

const here = 'test/repo/clients.test.ts';
const sources = ['apps', 'packages', 'scripts', 'test', '.ci', 'deploy']
  .flatMap((folder) => filesBelow(folder))
  .filter((path) => /\.(?:[cm]?[jt]sx?|html|sh|py)$/.test(path) && path !== here);

const rules = [
  { what: 'requests', find: requestsIn, places: requestPlaces },
  { what: 'WebSockets', find: socketsIn, places: socketPlaces },
];

describe.each(rules)('$what by hand', ({ find, places }) => {
  const found = sources.filter((path) => find(readText(path)).length > 0);

  it('are where docs/adr/0155 says, and nowhere else: others ask with @prime/sdk or @prime/load/rpc', () => {
    expect(found.filter((path) => !isIn(places, path))).toEqual([]);
  });

  it('are at every place of the list', () => {
    expect(places.filter((place) => !found.some((path) => isIn([place], path)))).toEqual([]);
  });
});

describe('a request by hand', () => {
  it.each([
    "fetch(url, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }) })",
    "const call = (method, params) => ({ params, method, id: next++, jsonrpc: '2.0' });",
    "const call = (method) => ({\n  jsonrpc: '2.0',\n  id,\n  method,\n  params: [{ to }],\n});",
    `socket.send(\`{"jsonrpc":"2.0","id":\${id},"method":"\${method}","params":[]}\`)`,
    'send("{\\"jsonrpc\\": \\"2.0\\", \\"method\\": \\"eth_chainId\\"}")',
    "{ params: [{ a: {} }], jsonrpc: '2.0', meta: { x: 1 }, method }",
  ])('is seen: %j', (text) => {
    expect(requestsIn(text)).toHaveLength(1);
  });

  it.each([
    "response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))",
    "({ jsonrpc: '2.0', id, error: { code: -32601, message: `not here: ${method}` } })",
    `'{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x1"}}'`,
    "({ method, answer: { jsonrpc: '2.0', id, ...answer } })",
    'client.request({ method, params })',
  ])('is not: %j', (text) => {
    expect(requestsIn(text)).toEqual([]);
  });

  it('an opened WebSocket is seen, a server of them is not', () => {
    expect(socketsIn('new WebSocket(url); new globalThis.WebSocket(url);')).toHaveLength(2);
    expect(socketsIn('new WebSocketServer({ port: 0 })')).toEqual([]);
  });
});
