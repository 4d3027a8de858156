import { type Block, headerHash, type StoredBlock, type ValidatorSet } from '@prime/codec';
import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';

const hashOf = (byte: number): Hash => `0x${byte.toString(16).padStart(2, '0').repeat(32)}` as Hash;
const proposer = `0x${'c1'.repeat(20)}` as Address;

/** A chain of well-formed blocks from height 1, each with its certificate; signatures are bytes of the right length. */
export function sampleChain(length: number): StoredBlock[] {
  const chain: StoredBlock[] = [];
  for (let height = 1; height <= length; height++) chain.push(sampleBlock(height as Height, chain.at(-1) ?? null));
  return chain;
}

function sampleBlock(height: Height, parent: StoredBlock | null): StoredBlock {
  const block: Block = {
    header: {
      version: 1,
      chainId: 7919,
      height,
      timestampMs: (1_750_000_000_000 + height) as TimestampMs,
      parentHash: parent?.hash ?? hashOf(0x11),
      proposer,
      validatorsHash: hashOf(0x22),
      nextValidatorsHash: hashOf(0x22),
      bodyRoot: hashOf(0x33),
      lastCommitHash: hashOf(0x44),
      evidenceHash: hashOf(0x55),
      gasLimit: 30_000_000n,
      baseFee: 7n,
      parentResults: {
        stateRoot: hashOf(0x66),
        receiptsRoot: hashOf(0x77),
        eventsRoot: hashOf(0x88),
        gasUsed: 0n,
      },
    },
    transactions: [new Uint8Array(100).fill(height)],
    actions: [],
    evidence: [],
    lastCommit: parent?.certificate ?? null,
  };
  const hash = headerHash(block.header);
  const signatures = [{ validator: proposer, signature: new Uint8Array(65).fill(height) }];
  return { block, hash, certificate: { height, round: 0 as Round, blockHash: hash, signatures } };
}

/** One validator, whose priority tells the height that the set is for. */
export const sampleValidators = (height: number): ValidatorSet => ({
  validators: [
    {
      address: proposer,
      signer: `0x${'c2'.repeat(20)}` as Address,
      publicKey: new Uint8Array(33).fill(2),
      stake: 1000n,
      power: 10n,
      moniker: 'v1',
      proposerPriority: BigInt(-height),
    },
  ],
});
