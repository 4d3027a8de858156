import { type Block, createBlock } from '@ethereumjs/block';
import type { Common } from '@ethereumjs/common';
import { Address as LibraryAddress } from '@ethereumjs/util';
import { type Address, type Hash, type Height, hexToBytes } from '@prime/primitives';
import type { BlockEnvironment } from '../ports.ts';

/** Hash of a block below the one that is executed, or null when this node does not know it. */
export type BlockHashOf = (height: Height) => Hash | null;

/** An address as ethereumjs takes it. */
export const libraryAddress = (address: Address): LibraryAddress => new LibraryAddress(hexToBytes(address));

/**
 * The block as the library wants it. The EVM's time is in seconds, so several blocks share one.
 *
 * @param blobBaseFee what BLOBBASEFEE answers; null is 1, the least there is, since no block here has blobs
 */
export function libraryBlock(environment: BlockEnvironment, common: Common, blobBaseFee: bigint | null = null): Block {
  const header = {
    number: environment.height,
    timestamp: Math.floor(environment.timestampMs / 1000),
    coinbase: libraryAddress(environment.proposer),
    gasLimit: environment.gasLimit,
    baseFeePerGas: environment.baseFee,
    parentHash: hexToBytes(environment.parentHash),
    mixHash: hexToBytes(environment.prevRandao),
  };
  const freeze = blobBaseFee === null;
  const block = createBlock({ header }, { common, skipConsensusFormatValidation: true, freeze });
  if (blobBaseFee !== null) block.header.getBlobGasPrice = () => blobBaseFee;
  return block;
}

const zeroHash = new Uint8Array(32);

/** What the library calls a blockchain: where BLOCKHASH looks. */
export interface HashSource {
  getBlock(height: number): Promise<{ hash(): Uint8Array }>;
  putBlock(): Promise<void>;
  shallowCopy(): HashSource;
}

/** The part of a blockchain that ethereumjs asks for BLOCKHASH; a height that is not known answers zeros. */
export function createHashSource(blockHashOf: BlockHashOf): HashSource {
  const source: HashSource = {
    getBlock: async (height) => {
      const hash = blockHashOf(height as Height);
      return { hash: () => (hash === null ? zeroHash : hexToBytes(hash)) };
    },
    putBlock: async () => undefined,
    shallowCopy: () => source,
  };
  return source;
}
