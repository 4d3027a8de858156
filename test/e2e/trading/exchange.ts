/** Exchanges as a feeder meets them: a server on a socket whose paths answer well, late, wrongly, from elsewhere or for ever. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a path does with a question. */
const ways = {
  first: (response: ServerResponse, price: string) => tell(response, price),
  second: (response: ServerResponse, price: string) => tell(response, price),
  /** A digit too many, in front. */
  wrong: (response: ServerResponse, price: string) => tell(response, `9${price}`),
  slow: () => undefined,
  redirects: (response: ServerResponse) => response.writeHead(302, { location: '/wrong' }).end(),
  huge: (response: ServerResponse, price: string) => {
    response.write(`{"data":[{"price":"${price}"}],"more":"`);
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(65_536), more);
    };
    more();
  },
} as const;

const tell = (response: ServerResponse, price: string): unknown =>
  response.end(JSON.stringify({ data: [{ price }, { price: '1' }] }));

type Way = keyof typeof ways;

export class Exchanges {
  /** For a whole unit, as its customers read it. */
  price = '1';
  /** These answer with status 503. */
  readonly closed = new Set<Way>();
  /** How often each path was asked. */
  readonly asked: Record<string, number> = {};
  readonly #server: Server;

  constructor() {
    this.#server = createServer(({ url }, response) => {
      const way = url!.slice(1) as Way;
      this.asked[way] = (this.asked[way] ?? 0) + 1;
      if (this.closed.has(way)) response.writeHead(503).end();
      else ways[way](response, this.price);
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close().closeAllConnections();
  }

  /** A market of a feeder that asks all of them, and one where nobody listens; two have to agree. */
  market(symbol: string): string {
    const { port } = this.#server.address() as AddressInfo;
    const urls = [...Object.keys(ways).map((way) => `http://127.0.0.1:${port}/${way}`), 'http://127.0.0.1:9/dead'];
    const sources = urls.map(
      (url) =>
        `[[markets.sources]]\nkind = "http"\nurl = "${url}"\npath = "data.0.price"\ntimeout_ms = 400\nmax_bytes = 100000\n`,
    );
    return `[[markets]]\nsymbol = "${symbol}"\nquorum = 2\noutlier_bps = 300\n${sources.join('')}`;
  }
}
