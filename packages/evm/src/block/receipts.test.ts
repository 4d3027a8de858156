import { MerklePatriciaTrie } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { encodeReceipt } from '@ethereumjs/vm';
import { describe, expect, it } from '@jest/globals';
import type { Receipt } from '@prime/codec';
import { type Address, bytesToHex, createPrng, type Hash, hexToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { effectiveGasPrice, emptyReceiptsRoot, receiptsRoot } from './receipts.ts';

const address = `0x${'a1'.repeat(20)}` as Address;
const hash = `0x${'b2'.repeat(32)}` as Hash;

function randomReceipts(seed: number): readonly Receipt[] {
  const prng = createPrng(seed);
  return Array.from({ length: prng.below(200) }, (_, transactionIndex) => ({
    transactionHash: hash,
    transactionIndex,
    type: [0, 1, 2, 4][prng.below(4)]!,
    from: address,
    to: address,
    status: prng.chance(1, 2) ? 1 : 0,
    gasUsed: 21_000n,
    cumulativeGasUsed: BigInt(prng.next()),
    effectiveGasPrice: 1n,
    contractAddress: null,
    logs: Array.from({ length: prng.below(3) }, () => ({
      address,
      topics: Array.from({ length: prng.below(5) }, () => hash),
      data: new Uint8Array(prng.below(70)).fill(7),
    })),
    logsBloom: new Uint8Array(256).fill(prng.below(256)),
    output: new Uint8Array(0),
  }));
}

describe('receiptsRoot', () => {
  it('no receipts: the root of the empty trie', () => {
    expect(receiptsRoot([])).toBe(emptyReceiptsRoot);
    expect(emptyReceiptsRoot).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  });

  it('random receipts of all types: the root that the library’s encoder and trie give', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const receipts = randomReceipts(seed);
        const oracle = new MerklePatriciaTrie();
        for (const [index, receipt] of receipts.entries()) {
          const { status, cumulativeGasUsed, logsBloom, logs, type } = receipt;
          const encoded = encodeReceipt(
            {
              status,
              cumulativeBlockGasUsed: cumulativeGasUsed,
              bitvector: logsBloom,
              logs: logs.map((log) => [
                hexToBytes(log.address),
                log.topics.map((topic) => hexToBytes(topic)),
                log.data,
              ]),
            },
            type as never,
          );
          await oracle.put(RLP.encode(index), encoded);
        }
        expect(receiptsRoot(receipts)).toBe(bytesToHex(oracle.root()));
      }),
      { numRuns: 20 },
    );
  });
});

describe('effectiveGasPrice', () => {
  it.each([
    [{ maxFeePerGas: 100n, maxPriorityFeePerGas: 5n }, 90n, 95n],
    [{ maxFeePerGas: 100n, maxPriorityFeePerGas: 50n }, 90n, 100n],
    [{ maxFeePerGas: 100n, maxPriorityFeePerGas: 100n }, 90n, 100n],
  ])('%o under base fee %d: %d', (transaction, baseFee, expected) => {
    expect(effectiveGasPrice(transaction, baseFee)).toBe(expected);
  });
});
