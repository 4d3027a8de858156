import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Testnet, until } from '@prime/testkit';
import { unbundledProgram } from '../scenario.ts';
import { counterNames, type Counts, countsFile } from './counters.ts';

const agent = new URL('counted.worker.js', import.meta.url);

/** Counts what one node of a network does, from {@link CountedNode.begin} to its end. */
export class CountedNode {
  readonly #testnet: Testnet;
  readonly #index: number;
  readonly #file: string;
  #before: Counts | null = null;

  /** Before the node is started. */
  constructor(testnet: Testnet, index: number) {
    this.#testnet = testnet;
    this.#index = index;
    this.#file = join(testnet.directory, `counts${index}.json`);
    testnet.install(index, unbundledProgram);
    testnet.environment(index, { NODE_OPTIONS: `--import ${agent.href}`, [countsFile]: this.#file });
  }

  async begin(): Promise<void> {
    rmSync(this.#file, { force: true });
    process.kill(this.#testnet.pid(this.#index)!, 'SIGUSR2');
    await until('the node has told its counts', async () => existsSync(this.#file));
    this.#before = this.#read();
  }

  /** Ends the node, so that all is counted that it wrote later. @returns what one item took */
  async end(items: number): Promise<Counts> {
    const before = this.#before!;
    await this.#testnet.kill(this.#index, 'SIGTERM');
    const after = this.#read();
    return Object.fromEntries(counterNames.map((name) => [name, (after[name] - before[name]) / items])) as Counts;
  }

  #read(): Counts {
    return JSON.parse(readFileSync(this.#file, 'utf8')) as Counts;
  }
}
