import { type BlockClaim, blockClaimOf } from '@prime/audit';
import { rpcAll, RpcError, toHex } from '@prime/load';

/** Nodes that are asked for their blocks. */
interface AskedNodes {
  readonly homes: { readonly operatorUrls: readonly string[] };
  /** Newest block of each, as it was seen last. */
  readonly watch: { readonly heads: readonly number[] };
  /** Numbers of those that answer. */
  serving(): readonly number[];
}

/**
 * What the nodes told of blocks while the run went on: who loses its blocks later, and begins with a snapshot, has said before what they were, and who has
 * other ones later is noticed.
 */
export class History {
  readonly #told: BlockClaim[][];
  readonly #readTo: number[];
  readonly #snapshots: number[];

  constructor(nodes: number) {
    this.#told = Array.from({ length: nodes }, () => []);
    this.#readTo = Array.from({ length: nodes }, () => 0);
    this.#snapshots = Array.from({ length: nodes }, () => 0);
  }

  /** A node lacks blocks from now on, once more. */
  beginsWithSnapshot(index: number): void {
    this.#snapshots[index]! += 1;
  }

  /** How often a node began with a snapshot. */
  snapshots(index: number): number {
    return this.#snapshots[index]!;
  }

  /** In the order of heights. */
  told(index: number): readonly BlockClaim[] {
    return this.#told[index]!;
  }

  /** Asks all nodes that serve for the blocks that they were not asked for yet. */
  async read(network: AskedNodes): Promise<void> {
    const ask = async (index: number): Promise<void> => {
      const [from, to] = [this.#readTo[index]! + 1, network.watch.heads[index]!];
      if (from > to) return;
      const blocks = await readBlocks(network.homes.operatorUrls[index]!, from, to).catch(() => []);
      // Who did not answer is asked again, after the next phase.
      if (blocks.at(-1)?.height !== to) return;
      this.#told[index]!.push(...blocks);
      this.#readTo[index] = to;
    };
    await Promise.all(network.serving().map(ask));
  }
}

/** Blocks from one height to another, as far as a node has them, as it tells them. */
export async function readBlocks(url: string, from: number, to: number): Promise<BlockClaim[]> {
  const calls = Array.from({ length: to - from + 1 }, (_, index) => ({
    method: 'eth_getBlockByNumber',
    params: [toHex(from + index), false],
  }));
  const answers = await rpcAll(url, calls);
  return answers.flatMap((answer) => {
    const claim = answer instanceof RpcError ? null : blockClaimOf(answer);
    return claim === null ? [] : [claim];
  });
}
