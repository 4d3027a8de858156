import { createStreams, type StreamsOptions, watchBlocks } from '@prime/sdk';
import type { ChainBlock } from '../chainBlock.ts';
import type { BlockSource } from '../ports.ts';
import { Nodes, type NodesOptions } from './nodes.ts';

/** Nodes that blocks are read from, and how their streams are opened. */
export interface NodeSourceOptions extends NodesOptions {
  /** How WebSockets are opened; for those that need headers. */
  readonly openSocket?: NonNullable<StreamsOptions['environment']>['openSocket'] | undefined;
}

/** Blocks that are read ahead of who is furthest, at one time. */
const aheadMax = 16;
/** Blocks that are kept, for sinks that are not equally far. */
const keptMax = 4 * aheadMax;
/** How often the head is asked for, ms: where sockets do not come through, or a node was behind. */
const lookMs = 1_000;

/**
 * Blocks of one network: new heights over a WebSocket, contents over HTTP, both from whichever node answers.
 *
 * @returns null once the signal is aborted
 */
export async function openNodeSource(options: NodeSourceOptions, signal: AbortSignal): Promise<NodeSource | null> {
  const nodes = await Nodes.open(options, signal);
  return nodes === null ? null : new NodeSource(nodes, options);
}

/**
 * Blocks of nodes of one network by height. A stream tells new heads; a question now and then finds what it missed.
 */
export class NodeSource implements BlockSource {
  readonly nodes: Nodes;
  readonly #waiting = new Set<() => void>();
  /** Reads by height; the oldest first. */
  readonly #blocks = new Map<number, Promise<ChainBlock | null>>();
  readonly #end: () => void;
  #head = -1;
  #looks = false;

  constructor(nodes: Nodes, { urls, openSocket, log }: NodeSourceOptions) {
    this.nodes = nodes;
    const streams = createStreams({ urls, ...(openSocket === undefined ? {} : { environment: { openSocket } }) });
    const unwatch = watchBlocks(streams, {
      onBlock: ({ number }) => this.#see(Number(number)),
      onStatus: (status) => {
        if (status === 'live') void this.#look();
      },
      onError: (error) => {
        if (error.isFatal) log.warn({ reason: error.message }, 'new blocks are asked for, no stream tells them');
      },
    });
    const timer = setInterval(() => void this.#look(), lookMs);
    void this.#look();
    this.#end = () => {
      clearInterval(timer);
      unwatch();
      streams.close();
    };
  }

  get chain(): BlockSource['chain'] {
    return this.nodes.chain;
  }

  get head(): number {
    return this.#head;
  }

  async until(height: number, signal: AbortSignal): Promise<void> {
    if (this.#head >= height || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.#head < height && !signal.aborted) return;
        this.#waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.#waiting.add(look);
      signal.addEventListener('abort', look);
    });
  }

  read(height: number, signal: AbortSignal): Promise<ChainBlock | null> {
    const read = this.#reading(height, signal);
    for (let next = height + 1; next <= Math.min(this.#head, height + aheadMax); next++)
      void this.#reading(next, signal);
    return read;
  }

  close(): void {
    this.#end();
    this.#blocks.clear();
  }

  #reading(height: number, signal: AbortSignal): Promise<ChainBlock | null> {
    const known = this.#blocks.get(height);
    if (known !== undefined) return known;
    const read = this.nodes.read(height, signal);
    this.#blocks.set(height, read);
    // Whoever asks for it gets the error; a read ahead has nobody yet.
    read.catch(() => this.#blocks.delete(height));
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= keptMax) break;
      this.#blocks.delete(oldest);
    }
    return read;
  }

  /** One look at a time: a node that does not answer is not asked twice. */
  async #look(): Promise<void> {
    if (this.#looks) return;
    this.#looks = true;
    // Of another chain: whoever reads a block is told.
    const head = await this.nodes.head().catch(() => null);
    this.#looks = false;
    if (head !== null) this.#see(head);
  }

  #see(height: number): void {
    if (height <= this.#head) return;
    this.#head = height;
    for (const look of this.#waiting) look();
  }
}
