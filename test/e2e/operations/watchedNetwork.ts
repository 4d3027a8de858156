import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createTestnet,
  freeBasePort,
  type Prometheus,
  startPrometheus,
  type Testnet,
  type TestnetOptions,
} from '@prime/testkit';
import { addressesOf, Desk, hex } from '../trading/trading.ts';

/** Real validators, their remote signers where they have some, and a real Prometheus that reads all of their metrics. */
export interface WatchedNetwork {
  readonly testnet: Testnet;
  readonly prometheus: Prometheus;
  /** As Prometheus names a node, in `instance`. */
  instance(node: number): string;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly rules?: readonly string[];
  readonly intervalSeconds: number;
}

/** A signer has no admin endpoint unless its file says so. */
async function openSignerAdmin(home: string): Promise<string> {
  const address = `127.0.0.1:${await freeBasePort(1)}`;
  const path = join(home, 'signer.toml');
  await writeFile(path, `admin = "${address}"\n${await readFile(path, 'utf8')}`);
  return address;
}

/** @param prepare changes homes before anything is started */
export async function watchedNetwork(
  options: TestnetOptions,
  watch: WatchOptions,
  prepare: (testnet: Testnet) => Promise<void> = async () => undefined,
): Promise<WatchedNetwork> {
  const testnet = await createTestnet(options);
  try {
    await prepare(testnet);
    const indices = Array.from({ length: testnet.count }, (_, index) => index);
    const signers = options.remoteSigners === true ? indices : [];
    const signerTargets: string[] = [];
    for (const index of signers) {
      signerTargets.push(await openSignerAdmin(testnet.signer(index).home));
      await testnet.signer(index).start();
    }
    await testnet.startAll();
    const instance = (node: number): string => new URL(testnet.adminUrl(node)).host;
    const prometheus = await startPrometheus({
      targets: { prime: indices.map(instance), ...(signers.length > 0 && { 'prime-signer': signerTargets }) },
      ...watch,
    });
    const close = async (): Promise<void> => {
      await prometheus.close();
      await testnet.destroy();
    };
    return { testnet, prometheus, instance, close };
  } catch (error) {
    await testnet.destroy();
    throw error;
  }
}

const [buyer, seller] = addressesOf('buyer', 'seller');
const price = 100;

/** A bit of everything that a node is asked for, one thing after the other: each class of methods, each link between threads, trades, a book with two sides. */
export class Customer {
  readonly #desk: Desk;
  #ended = false;
  #work: Promise<void> = Promise.resolve();

  constructor(testnet: Testnet, node: number) {
    this.#desk = new Desk(testnet, node);
  }

  /** Goes on until it is told to end; what a node refuses meanwhile is no matter. */
  start(): void {
    const goOn = async (): Promise<void> => {
      while (!this.#ended) await this.round().catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
    };
    this.#work = goOn();
  }

  end(): Promise<void> {
    this.#ended = true;
    return this.#work;
  }

  async round(): Promise<void> {
    const desk = this.#desk;
    const [from] = await desk.call<string[]>('eth_accounts');
    await desk.deposit(buyer, 1e15);
    await desk.deposit(seller, 1e15);
    await desk.place(seller, 'sell', price, 2);
    await desk.place(buyer, 'buy', price, 1);
    await desk.place(buyer, 'buy', price - 10, 1);
    const to = `0x${'b0'.repeat(20)}`;
    const hash = await desk.call('eth_sendTransaction', { from, to, value: '0x1' });
    const height = hex(await desk.height());
    await desk.call('eth_getBalance', to, 'latest');
    await desk.call('eth_call', { from, to, value: '0x1' }, 'latest');
    await desk.call('eth_getLogs', { fromBlock: height, toBlock: height });
    await desk.call('debug_traceCall', { from, to }, 'latest', {});
    await desk.call('eth_getTransactionByHash', hash);
    await desk.call('txpool_content');
    await desk.call('primeorders_getProof', { global: true });
    await desk.call('eth_call', { from, to }, '0xffffffff').catch(() => undefined);
  }
}
