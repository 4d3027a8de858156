import type { Hash } from '@prime/primitives';
import { rpcAll, RpcError, toHex } from '../../rpc.ts';
import { SocketChannel } from '../../socketChannel.ts';

/** A block as the watched network tells it. */
export interface WatchedBlock {
  readonly height: number;
  /** When a node told first of this height, or of a later one; ms of this process. */
  readonly toldMs: number;
  /** When its content could be read first, ms of this process. */
  readonly seenMs: number;
  /** Of the block itself. */
  readonly timestampMs: number;
  readonly hashes: readonly Hash[];
  readonly transactions: number;
  readonly actions: number;
  readonly gasUsed: number;
}

/** Nodes that are asked for new blocks, and who is told. `nowMs` is the run's clock. */
export interface BlockWatcherOptions {
  readonly urls: readonly string[];
  /** First height that is told. */
  readonly from: number;
  readonly nowMs: () => number;
  readonly onBlock: (block: WatchedBlock) => void;
}

const reconnectMs = 500;
/** Heads are asked for so often as well: a stream that tells nothing is no proof that nothing happened. */
const pollMs = 1_000;
/** Blocks that are asked for together. */
const blocksAtOnce = 20;
const callMs = 10_000;

/** Follows the heads of all nodes, and reads each block once, from whoever has it first. */
export class BlockWatcher {
  readonly #options: BlockWatcherOptions;
  /** Newest height that each node told. */
  readonly heads: number[];
  /** When each node told something last; null when it has told nothing yet, or is not connected. */
  readonly #heardMs: (number | null)[];
  /** Heads that nobody had told before, until their blocks are read. */
  readonly #told: { readonly height: number; readonly atMs: number }[] = [];
  readonly #channels: (SocketChannel | null)[];
  #next: number;
  #isReading = false;
  #isClosed = false;
  readonly #poll: NodeJS.Timeout;

  constructor(options: BlockWatcherOptions) {
    this.#options = options;
    this.#next = options.from;
    this.heads = options.urls.map(() => 0);
    this.#heardMs = options.urls.map(() => null);
    this.#channels = options.urls.map(() => null);
    options.urls.forEach((_, node) => void this.#subscribe(node));
    this.#poll = setInterval(() => this.#ask(), pollMs);
  }

  /** Newest height that anybody told. */
  get head(): number {
    return Math.max(0, ...this.heads);
  }

  /** Nodes that are connected, by index. */
  get answering(): readonly number[] {
    return this.#channels.flatMap((channel, node) => (channel === null ? [] : [node]));
  }

  /** All blocks below have been told. */
  get next(): number {
    return this.#next;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#poll);
    for (const channel of this.#channels) channel?.close();
  }

  #heard(node: number, height: number): void {
    const atMs = this.#options.nowMs();
    if (height > this.head) this.#told.push({ height, atMs });
    this.heads[node] = Math.max(this.heads[node]!, height);
    this.#heardMs[node] = atMs;
    void this.#read();
  }

  async #subscribe(node: number): Promise<void> {
    const url = this.#options.urls[node]!.replace(/^http/, 'ws');
    const again = (): void => {
      this.#channels[node] = null;
      if (!this.#isClosed) setTimeout(() => void this.#subscribe(node), reconnectMs).unref();
    };
    try {
      const channel = await SocketChannel.open({
        url,
        onLost: again,
        onNotification: (message) => {
          const { params } = JSON.parse(message.toString()) as { params?: { result?: { number?: string } } };
          const height = params?.result?.number;
          if (height !== undefined) this.#heard(node, Number(height));
        },
      });
      if (this.#isClosed) return channel.close();
      this.#channels[node] = channel;
      channel.send(1, '{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}', () => undefined);
    } catch {
      again();
    }
  }

  #ask(): void {
    this.#channels.forEach((channel, node) => {
      channel?.send(2, '{"jsonrpc":"2.0","id":2,"method":"eth_blockNumber","params":[]}', (body) => {
        const { result } = JSON.parse(body.toString()) as { result?: string };
        if (result !== undefined) this.#heard(node, Number(result));
      });
    });
  }

  /** Reads what nobody has read, one portion after the other. */
  async #read(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (!this.#isClosed && this.#next <= this.head) {
        const to = Math.min(this.head, this.#next + blocksAtOnce - 1);
        const blocks = await this.#blocks(this.#next, to);
        for (const block of blocks) {
          this.#next = block.height + 1;
          this.#options.onBlock(block);
        }
        // Whoever had them is gone: the next head or poll tries again.
        if (blocks.length === 0) break;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** From the first node that has them all and answers. */
  async #blocks(from: number, to: number): Promise<WatchedBlock[]> {
    const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    for (const [node, url] of this.#options.urls.entries()) {
      if (this.heads[node]! < to) continue;
      try {
        const answers = await rpcAll(
          url,
          heights.map((height) => ({ method: 'prime_getBlockByNumber', params: [toHex(height), false] })),
          callMs,
        );
        const seenMs = this.#options.nowMs();
        if (answers.some((answer) => answer === null || answer instanceof RpcError)) continue;
        return answers.map((answer) => this.#watched(answer as RpcBlock, seenMs));
      } catch {
        // Another node is asked.
      }
    }
    return [];
  }

  #watched(block: RpcBlock, seenMs: number): WatchedBlock {
    const height = Number(block.number);
    while (this.#told.length > 0 && this.#told[0]!.height < height) this.#told.shift();
    return watched(block, { toldMs: this.#told[0]?.atMs ?? seenMs, seenMs });
  }
}

interface RpcBlock {
  readonly number: string;
  readonly timestamp_ms: string;
  readonly gas_used: string;
  readonly transactions: readonly Hash[];
  readonly actions: readonly Hash[];
}

function watched(block: RpcBlock, times: Pick<WatchedBlock, 'toldMs' | 'seenMs'>): WatchedBlock {
  const actions = new Set(block.actions);
  const transactions = block.transactions.filter((hash) => !actions.has(hash));
  return {
    height: Number(block.number),
    ...times,
    timestampMs: Number(block.timestamp_ms),
    hashes: [...transactions, ...block.actions],
    transactions: transactions.length,
    actions: block.actions.length,
    gasUsed: Number(block.gas_used),
  };
}
