import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A line to a node on which nothing more is read when somebody says so: what the node sends stays with it. */
export class StallingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #upstreams = new Set<Socket>();
  #isStalled = false;
  /** The newest bytes that the node sent, as far as they are text: frames of a server are not masked. */
  #tail = '';
  /** Whether the node ever sent the text. */
  readonly #wanted: string;
  hasSeen = false;

  private constructor(node: URL, wanted: string) {
    this.#wanted = wanted;
    this.#server = createServer((client) => {
      const upstream = connect(Number(node.port), node.hostname);
      this.#upstreams.add(upstream);
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket);
        socket.on('error', () => undefined);
      }
      if (this.#isStalled) upstream.pause();
      upstream.on('data', (bytes: Buffer) => {
        this.#look(bytes);
        client.write(bytes);
      });
      client.on('data', (bytes: Buffer) => upstream.write(bytes));
      upstream.on('close', () => client.end());
      client.on('close', () => upstream.destroy());
    });
  }

  /** @param wanted what {@link hasSeen} looks for */
  static async open(url: string, wanted: string): Promise<StallingProxy> {
    const proxy = new StallingProxy(new URL(url), wanted);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #look(bytes: Buffer): void {
    const text = this.#tail + bytes.toString('latin1');
    this.hasSeen ||= text.includes(this.#wanted);
    this.#tail = text.slice(-this.#wanted.length);
  }

  stall(): void {
    this.#isStalled = true;
    for (const upstream of this.#upstreams) upstream.pause();
  }

  goOn(): void {
    this.#isStalled = false;
    for (const upstream of this.#upstreams) upstream.resume();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
