import type { Hash } from '../../types/primitives.ts';
import { isStreamError, StreamError } from '../errors.ts';
import { toText } from '../wire/fields.ts';
import { type Head, readHead } from '../wire/messages.ts';

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;

const hex = (height: bigint): string => `0x${height.toString(16)}`;

/** Knows which chain is read: chain id, genesis, and the first and newest block that were seen. */
export class Identity {
  #chainId: string | null = null;
  readonly #hashes = new Map<bigint, Hash>();

  /** Remembers the first head of the first node, to know the chain by where genesis is not kept. */
  note(head: Head): void {
    if (this.#hashes.size < 2) this.#hashes.set(head.blockNumber, head.blockHash);
  }

  /**
   * @param ask asks the node
   * @param newest block that was read from any node
   * @throws StreamError `STREAM_CHAIN_MISMATCH`, or why the node did not answer
   */
  async check(url: string, ask: Ask, newest: Pick<Head, 'blockNumber' | 'blockHash'> | null): Promise<void> {
    const chainId = toText(await ask('eth_chainId', []), 'eth_chainId');
    this.#compare(url, this.#chainId, chainId);
    const known = new Map<bigint, Hash | null>([[0n, null], ...this.#hashes]);
    if (newest !== null) known.set(newest.blockNumber, newest.blockHash);
    for (const [height, hash] of known) {
      const block = await blockAt(height, ask);
      if (block === null) continue;
      this.#compare(url, hash, block.blockHash);
      if (height === 0n) this.#hashes.set(0n, block.blockHash);
    }
    this.#chainId = chainId;
  }

  #compare(url: string, expected: string | null, actual: string): void {
    if (expected === null || expected === actual) return;
    const detail = { code: 'STREAM_CHAIN_MISMATCH', url, expected, actual } as const;
    throw new StreamError(`${url} is a node of another chain: it has ${actual}, not ${expected}.`, detail);
  }
}

/** The block; null where the node does not have it yet, or no more. */
async function blockAt(height: bigint, ask: Ask): Promise<Head | null> {
  try {
    const block = await ask('eth_getBlockByNumber', [hex(height), false]);
    return block === null ? null : readHead(block);
  } catch (error) {
    if (isStreamError(error, 'STREAM_REQUEST_FAILED')) return null;
    throw error;
  }
}
