import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** Owner and key of a validator whose private key is 1. */
const owner = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const publicKey = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

/** genesis.json of a network without anything in it. */
const genesisOf = (networkName: string): object => ({
  formatVersion: 2,
  chainId: 77,
  networkName,
  testNetwork: true,
  timestampMs: 1_700_000_000_000,
  actions: 'signed',
  consensus: {
    minBlockIntervalMs: 50,
    emptyBlockIntervalMs: 1_000,
    precisionMs: 500,
    messageDelayMs: 1_000,
    maxBlockBytes: 1_048_576,
    maxBlockActions: 10_000,
  },
  evm: { gasLimit: '30000000', initialBaseFee: '1000000000' },
  clob: {
    cancelFirst: true,
    selfTrade: 'cancel_maker',
    initialMarginBps: 1_000,
    maintenanceMarginBps: 500,
    liquidationFeeBps: 100,
    minNotional: '0',
    maxOpenOrdersPerAccount: 500,
  },
  alloc: {},
  validators: [{ address: owner, publicKey, stake: '1000000000000000000', moniker: 'validator0' }],
  markets: [{ symbol: 'ETH/USD', tickSize: '1', lotSize: '1' }],
});

/** What a node says to a method: a result, or the error of JSON-RPC. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { code: number; message: string; data?: unknown } };

/** A node that says what a test tells it to. */
export class FakeNode {
  readonly asked: string[] = [];
  answers: Record<string, (params: readonly unknown[]) => Answer>;
  readonly #server: Server;

  private constructor(genesis: object) {
    this.answers = { prime_getGenesis: () => ({ result: genesis }), eth_blockNumber: () => ({ result: '0x64' }) };
    this.#server = createServer((request, response) => {
      void json(request).then((body) => {
        const { id, method, params = [] } = body as { id: number; method: string; params?: unknown[] };
        this.asked.push(method);
        const answer = this.answers[method]?.(params) ?? { error: { code: -32601, message: `no ${method}` } };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, ...answer }));
      });
    });
  }

  static async start(networkName = 'one'): Promise<FakeNode> {
    const node = new FakeNode(genesisOf(networkName));
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
