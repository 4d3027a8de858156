import { DisabledOnSurfaceError, errorFromRpc, getGenesis, HistoryPrunedError, type PrimeClient } from '@prime/sdk';
import { trustGenesis } from '@prime/sdk/light';
import { createPublicClient, http } from 'viem';
import { getBlockNumber } from 'viem/actions';
import type { ChainBlock } from '../chainBlock.ts';
import { isFatal, otherChain, StreamsError } from '../errors.ts';
import { backoffMs, pause } from '../pause.ts';
import type { ChainIdentity, StreamsLog } from '../ports.ts';
import { readBlock } from './readBlock.ts';

/** Nodes that stand in for each other, and how they are asked. */
export interface NodesOptions {
  /** Of nodes of one network, http(s); the first that can answers. */
  readonly urls: readonly string[];
  /** Sent with each request, such as an API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: StreamsLog;
  /** Told of each question that no node answered. */
  readonly onUnanswered: () => void;
}

interface Node {
  readonly url: string;
  readonly client: PrimeClient;
  isOfChain: boolean;
}

/** For a whole answer, ms. */
const answerMsMax = 30_000;

/** Several nodes as one: what one can not tell, the next is asked for. */
export class Nodes {
  readonly chain: ChainIdentity;
  readonly #nodes: readonly Node[];
  readonly #options: NodesOptions;
  /** Who answered last. */
  #first = 0;

  private constructor(nodes: readonly Node[], chain: ChainIdentity, options: NodesOptions) {
    this.#nodes = nodes;
    this.chain = chain;
    this.#options = options;
  }

  /** Asks until a node says which chain it is. @returns null once the signal is aborted */
  static async open(options: NodesOptions, signal: AbortSignal): Promise<Nodes | null> {
    const nodes = options.urls.map((url): Node => {
      const transport = http(url, { fetchOptions: { headers: options.headers }, timeout: answerMsMax, retryCount: 0 });
      return { url, client: createPublicClient({ transport }), isOfChain: false };
    });
    for (let attempt = 1; !signal.aborted; attempt++) {
      const reasons: string[] = [];
      for (const { url, client } of nodes)
        try {
          return new Nodes(nodes, await identityOf(client), options);
        } catch (error) {
          reasons.push(`${url}: ${wordsOf(error)}`);
        }
      options.onUnanswered();
      options.log.warn({ reasons, attempt }, 'no node says which chain it is');
      await pause(backoffMs(attempt), signal);
    }
    return null;
  }

  /** Newest block of the node that answers; null where none does. */
  async head(): Promise<number | null> {
    for (const node of this.#inTurn())
      try {
        await this.#identify(node);
        return Number(await getBlockNumber(node.client, { cacheTime: 0 }));
      } catch (error) {
        if (isFatal(error)) throw error;
      }
    return null;
  }

  /**
   * @returns null once the signal is aborted
   * @throws StreamsError `STREAMS_HISTORY_PRUNED`, `STREAMS_HIDDEN`, `STREAMS_OTHER_CHAIN`
   */
  async read(height: number, signal: AbortSignal): Promise<ChainBlock | null> {
    return this.ask(`block ${height}`, height, signal, (client) => readBlock(client, height));
  }

  /**
   * Asks one node after the other until one answers.
   *
   * @param what is asked for, in words
   * @param height of the block that it is about
   * @param question gives null where the node is not so far
   * @returns null once the signal is aborted
   * @throws as {@link read}
   */
  async ask<answer>(
    what: string,
    height: number,
    signal: AbortSignal,
    question: (client: PrimeClient) => Promise<answer | null>,
  ): Promise<answer | null> {
    for (let attempt = 1; !signal.aborted; attempt++) {
      const reasons: unknown[] = [];
      for (const node of this.#inTurn())
        try {
          await this.#identify(node);
          const answer = await question(node.client);
          if (answer !== null) {
            this.#first = this.#nodes.indexOf(node);
            return answer;
          }
          reasons.push(`${node.url} does not have it yet`);
        } catch (thrown) {
          if (isFatal(thrown)) throw thrown;
          reasons.push(errorFromRpc(thrown));
        }
      refuseForGood(height, reasons);
      this.#options.onUnanswered();
      this.#options.log.warn({ reasons: reasons.map(wordsOf), attempt }, `no node tells ${what}`);
      await pause(backoffMs(attempt), signal);
    }
    return null;
  }

  #inTurn(): readonly Node[] {
    return [...this.#nodes.slice(this.#first), ...this.#nodes.slice(0, this.#first)];
  }

  /** @throws StreamsError `STREAMS_OTHER_CHAIN` */
  async #identify(node: Node): Promise<void> {
    if (node.isOfChain) return;
    const { genesisHash } = await identityOf(node.client);
    if (genesisHash !== this.chain.genesisHash) throw otherChain(node.url, genesisHash, this.chain.genesisHash);
    node.isOfChain = true;
  }
}

async function identityOf(client: PrimeClient): Promise<ChainIdentity> {
  const { chainId, genesisHash } = trustGenesis(await getGenesis(client));
  return { chainId, genesisHash };
}

const wordsOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message.split('\n')[0]! : String(reason);

/** What no node will ever tell. @throws StreamsError `STREAMS_HISTORY_PRUNED`, `STREAMS_HIDDEN` */
function refuseForGood(height: number, reasons: readonly unknown[]): void {
  if (reasons.every((reason) => reason instanceof HistoryPrunedError)) {
    const oldest = reasons
      .map(({ oldest: each }) => each)
      .reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
    throw new StreamsError(
      `no node keeps block ${height} any more${oldest === null ? '' : `, the oldest kept is ${oldest}`}: name a node in source.urls that keeps all blocks, or begin anew in empty sinks with source.from`,
      { code: 'STREAMS_HISTORY_PRUNED', height, oldest: oldest === null ? null : Number(oldest) },
    );
  }
  if (reasons.every((reason) => reason instanceof DisabledOnSurfaceError))
    throw new StreamsError(
      `after the privacy fork the public surface does not tell block ${height}: name the operator's surface of a node of your own in source.urls`,
      { code: 'STREAMS_HIDDEN', method: 'eth_getLogs' },
    );
}
