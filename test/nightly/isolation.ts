import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Testnet } from '@prime/testkit';

const host = '127.0.0.1';

/**
 * A way to a port that can be cut. What is under way then is held back, as TCP holds it when no acknowledgement comes, and whoever dials waits; what ends a connection
 * is held back with it.
 */
class CuttableWay {
  readonly #server: Server;
  readonly #targetPort: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #waiting = new Set<Socket>();
  #isCut = false;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, host, resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of [...this.#pairs].flat()) socket.pause();
  }

  heal(): void {
    this.#isCut = false;
    for (const pair of this.#pairs) {
      if (pair.some((socket) => socket.destroyed)) this.#end(pair);
      else for (const socket of pair) socket.resume();
    }
    for (const socket of this.#waiting) this.#join(socket);
  }

  async close(): Promise<void> {
    for (const socket of [...this.#waiting, ...[...this.#pairs].flat()]) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (!this.#isCut) return this.#join(socket);
    socket.pause();
    this.#waiting.add(socket);
    socket.once('close', () => this.#waiting.delete(socket));
    return undefined;
  }

  #join(near: Socket): void {
    this.#waiting.delete(near);
    const far = connect({ host, port: this.#targetPort, noDelay: true });
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.on('data', (chunk) => to.write(chunk));
      from.once('close', () => {
        if (!this.#isCut) this.#end(pair);
      });
      from.resume();
    }
  }

  #end(pair: readonly [Socket, Socket]): void {
    this.#pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  }
}

/** The links of one validator, through this process. */
export interface Isolation {
  cut(): void;
  heal(): void;
  close(): Promise<void>;
}

/** Where a node listens for peers, as `testnet init` places it. */
const p2pPort = (testnet: Testnet, node: number): number => Number(new URL(testnet.adminUrl(node)).port) - 1;

/** Puts a way that can be cut before each link of a validator, in the configuration of nodes that are not started yet. */
export async function isolatable(testnet: Testnet, node: number): Promise<Isolation> {
  const others = Array.from({ length: testnet.count }, (_, index) => index).filter((index) => index !== node);
  const ways: CuttableWay[] = [];
  const reroute = async (dialler: number, listener: number): Promise<void> => {
    const port = p2pPort(testnet, listener);
    const way = new CuttableWay(port);
    ways.push(way);
    const path = join(testnet.home(dialler), 'config.toml');
    const open = await way.open();
    await writeFile(path, (await readFile(path, 'utf8')).replace(`port = ${port}\n`, `port = ${open}\n`));
  };
  for (const other of others) {
    await reroute(node, other);
    await reroute(other, node);
  }
  return {
    cut: () => {
      for (const way of ways) way.cut();
    },
    heal: () => {
      for (const way of ways) way.heal();
    },
    close: async () => {
      await Promise.all(ways.map((way) => way.close()));
    },
  };
}
