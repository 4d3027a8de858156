import type { ExecutionRoots } from '@prime/codec';
import { type Hash, type Height, type TimestampMs, zeroAddress } from '@prime/primitives';
import type { BlockRecord } from '@prime/rpc';

/** What the block that no validator proposed shows. */
export interface GenesisBlockParts {
  readonly chainId: number;
  /** Hash of the genesis file: the parent hash of block 1. */
  readonly hash: Hash;
  readonly timestampMs: TimestampMs;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly validatorsHash: Hash;
  /** Of the genesis state. */
  readonly roots: ExecutionRoots;
}

const zeroHash = `0x${'0'.repeat(64)}` as Hash;

/** Height 0 in the shape of a block, for the queries that ask for it (`earliest`, 0x0). */
export function genesisBlockRecord(parts: GenesisBlockParts): BlockRecord {
  const { chainId, hash, timestampMs, gasLimit, baseFee, validatorsHash, roots } = parts;
  return {
    hash,
    roots,
    certificate: null,
    transactionHashes: [],
    actionHashes: [],
    block: {
      header: {
        version: 1,
        chainId,
        height: 0 as Height,
        timestampMs,
        parentHash: zeroHash,
        proposer: zeroAddress,
        validatorsHash,
        nextValidatorsHash: validatorsHash,
        bodyRoot: zeroHash,
        lastCommitHash: zeroHash,
        evidenceHash: zeroHash,
        gasLimit,
        baseFee,
        parentResults: { stateRoot: zeroHash, receiptsRoot: zeroHash, eventsRoot: zeroHash, gasUsed: 0n },
      },
      transactions: [],
      actions: [],
      evidence: [],
      lastCommit: null,
    },
  };
}
