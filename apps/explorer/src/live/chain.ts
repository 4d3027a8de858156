import { type ReadonlySignal, signal } from '@preact/signals';
import { getNativeBlock, type NativeBlockHead, type PrimeClient } from '@prime/sdk';
import { mergeBlocks, missingNumbers } from './blocks.ts';
import { collect, type RequestFrame } from './frames.ts';

/** The head of the chain and the newest blocks. */
export interface LiveChain {
  /** Newest block; null before the first. */
  readonly head: ReadonlySignal<NativeBlockHead | null>;
  /** Newest first, a hundred at most. */
  readonly blocks: ReadonlySignal<readonly NativeBlockHead[]>;
  /** A block that the stream told of. */
  take(block: NativeBlockHead): void;
  /** There is a connection: reads the head, and what a list shows that was missed. */
  catchUp(): Promise<void>;
}

const keptBlocksMax = 100;
/** Blocks that are read when the page comes, or comes back. */
const readBlocksMax = 40;

/** Blocks come in with `take` and are shown once in a frame. */
export function createLiveChain(client: PrimeClient, requestFrame: RequestFrame): LiveChain {
  const head = signal<NativeBlockHead | null>(null);
  const blocks = signal<readonly NativeBlockHead[]>([]);
  const add = (more: readonly NativeBlockHead[]): void => {
    blocks.value = mergeBlocks(blocks.value, more, keptBlocksMax);
    head.value = blocks.value[0] ?? null;
  };
  // A page in the background gets few frames, and needs the newest blocks only.
  const push = collect<NativeBlockHead>(requestFrame, keptBlocksMax, add);
  return {
    head,
    blocks,
    take: push,
    async catchUp() {
      const latest = await getNativeBlock(client, { block: 'latest' });
      if (latest === null) return;
      add([headOf(latest)]);
      const missing = missingNumbers(blocks.value, readBlocksMax);
      const read = await Promise.all(missing.map((number) => getNativeBlock(client, { block: number })));
      add(read.flatMap((block) => (block === null ? [] : [headOf(block)])));
    },
  };
}

/** Without what may be much. */
function headOf(
  block: NativeBlockHead & { readonly transactions?: unknown; readonly domainEvents?: unknown },
): NativeBlockHead {
  const { transactions: _transactions, domainEvents: _events, ...head } = block;
  return head;
}
