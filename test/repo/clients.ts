/** Where requests of JSON-RPC are written by hand, and why (docs/adr/0155-clients-in-the-repository.md). Everybody else asks with `@prime/sdk`, or with `@prime/load/rpc`. */

interface Place {
  /** A file, or a folder that ends with a slash. */
  readonly path: string;
  readonly why: string;
}

/** Who writes the text of a request. */
export const requestPlaces: readonly Place[] = [
  { path: 'packages/sdk/src/streams/connection/connection.ts', why: 'the SDK: its streams' },
  { path: 'packages/ccxt/src/transport.ts', why: 'the SDK over the fetch of ccxt: its proxies, limits and log' },
  { path: 'packages/load/src/', why: 'the client that measures and judges' },
  {
    path: 'apps/explorer/src/node/rpcClient.ts',
    why: 'the transport below the SDK in the page, without the weight of the one of viem',
  },
  { path: 'apps/explorer/src/pages/developer/openRpc.ts', why: 'shows a call as a line for curl' },
  { path: 'apps/explorer/src/pages/developer/openRpc.test.ts', why: 'reads that line' },
  { path: 'apps/loadtest/src/generator.bench.ts', why: 'measures the connections that load is made of' },
  {
    path: 'apps/loadtest/src/rpcBench/workloads.ts',
    why: 'requests of a benchmark, in parts that are joined at speed',
  },
  { path: 'packages/chaos/src/faults/attackFaults.ts', why: 'asks for more than it should, also in what is no JSON' },
  { path: 'apps/cli/src/testnet/banner.ts', why: 'prints a line for curl' },
  { path: 'packages/gateway/src/', why: 'the server: its tests are about the text, and its page shows a request' },
  { path: 'packages/rpc/src/dispatch/dispatcher.test.ts', why: 'the server: the text of requests' },
  { path: 'scripts/lib/rpcPages.mjs', why: 'writes the reference' },
  { path: 'test/clients/web3.mjs', why: 'what web3 sends as it is' },
  { path: 'test/e2e/trading/calls.test.ts', why: 'compares the bytes of answers' },
  { path: 'test/e2e/explorer/explorerSite.ts', why: 'what a page asks without any library' },
  { path: 'test/e2e/load/flood.main.ts', why: 'floods nodes' },
  { path: 'test/fuzz/', why: 'mutated requests' },
];

/** Who opens a WebSocket. */
export const socketPlaces: readonly Place[] = [
  { path: 'packages/sdk/src/streams/connection/environment.ts', why: 'the SDK: its streams' },
  { path: 'packages/load/src/socketChannel.ts', why: 'the client that measures and judges' },
  { path: 'apps/cli/src/client/socket.ts', why: 'the SDK with an API key in the header' },
  { path: 'packages/gateway/src/', why: 'the server: its tests are about frames' },
  { path: 'test/bench/pages.main.ts', why: 'plays the frames that a page sent' },
  { path: 'test/e2e/sdk/lyingProxy.ts', why: 'passes on what it gets from a node' },
  { path: 'test/e2e/explorer/explorerSite.ts', why: 'what a page asks without any library' },
];

export const isIn = (places: readonly Place[], file: string): boolean =>
  places.some(({ path }) => (path.endsWith('/') ? file.startsWith(path) : file === path));

const version = /\bjsonrpc(?:\\?["'`])?\s*:\s*\\?["'`]2\.0/g;

/** Object literals, or JSON in strings, that are requests: they name the version and a method. What stub nodes answer or tell their subscribers is none. */
export const requestsIn = (text: string): string[] =>
  [...text.matchAll(version)]
    .map(({ index }) => objectAround(text, index))
    .filter((object) => /\bmethod\b/.test(object) && !/\b(?:result|error)\b|eth_subscription\b/.test(object));

/** From the brace that opened before a place to the one that closes it, without what is in nested ones. */
function objectAround(text: string, at: number): string {
  const own: string[] = [];
  for (const [step, opening, closing] of [
    [-1, '}', '{'],
    [1, '{', '}'],
  ] as const) {
    let depth = 0;
    for (let index = step < 0 ? at - 1 : at; index >= 0 && index < text.length; index += step) {
      const character = text[index]!;
      if (character === closing && depth-- === 0) break;
      if (character === opening) depth++;
      else if (depth === 0) own[step < 0 ? 'unshift' : 'push'](character);
    }
  }
  return own.join('');
}

/** Places at which a WebSocket is opened. */
export const socketsIn = (text: string): string[] =>
  [...text.matchAll(/\bnew (?:\w+\.)?WebSocket\(/g)].map(([opened]) => opened);
