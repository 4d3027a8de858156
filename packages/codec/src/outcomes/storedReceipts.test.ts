import { expect, it } from '@jest/globals';
import { address, bytes, hash, log } from '../testing/arbitraries.ts';
import { bytesToHex } from '@prime/primitives';
import fc from 'fast-check';
import { eachLogTerm } from './blockLogs.ts';
import { eachReceiptAccount } from './receipts.ts';
import { decodeStoredReceipts, openDelta, encodeStoredReceipts, flatDelta } from './storedReceipts.ts';
import type { BlockDelta, Receipt } from '../types.ts';

/** Receipts of a block, numbered as its transactions are. */
const receipts: fc.Arbitrary<readonly Receipt[]> = fc
  .array(
    fc.record({
      transactionHash: hash,
      type: fc.constantFrom(0, 1, 2, 4),
      from: address,
      to: fc.option(address),
      status: fc.constantFrom(0 as const, 1 as const),
      gasUsed: fc.bigInt(0n, 30_000_000n),
      cumulativeGasUsed: fc.bigInt(0n, 30_000_000n),
      effectiveGasPrice: fc.bigInt(0n, (1n << 128n) - 1n),
      contractAddress: fc.option(address),
      logs: fc.array(log, { maxLength: 3 }),
      logsBloom: fc.oneof(fc.constant(new Uint8Array(256)), bytes(256)),
      output: fc.uint8Array({ maxLength: 40 }),
    }),
    { maxLength: 5 },
  )
  .map((list) => list.map((receipt, transactionIndex) => ({ ...receipt, transactionIndex })));

it('receipts come back with their logs, each at its transaction', () => {
  fc.assert(
    fc.property(receipts, (list) => {
      const stored = encodeStoredReceipts(list);
      expect(decodeStoredReceipts(stored)).toEqual(list);
      expect(stored.logs === null).toBe(list.every(({ logs }) => logs.length === 0));
    }),
    { numRuns: 200 },
  );
});

it('what a block is found by is read from them without decoding them', () => {
  const hex = (bytes: Uint8Array, start: number, length: number) => bytesToHex(bytes.subarray(start, start + length));
  fc.assert(
    fc.property(receipts, (list) => {
      const { receipts: encoded, logs } = encodeStoredReceipts(list);
      const accounts: unknown[] = [];
      eachReceiptAccount(encoded, (start, place) => accounts.push([place, hex(encoded, start, 20)]));
      expect(accounts).toEqual(
        list.flatMap(({ from, to, contractAddress }, place) =>
          [from, to, contractAddress].flatMap((each) => (each === null ? [] : [[place, each]])),
        ),
      );
      const terms: unknown[] = [];
      if (logs !== null)
        eachLogTerm(logs, (position, start, place) =>
          terms.push([place, position, hex(logs, start, position === 0 ? 20 : 32)]),
        );
      const all = list.flatMap((receipt) => receipt.logs);
      expect(terms).toEqual(
        all.flatMap((each, place) => [each.address, ...each.topics].map((term, at) => [place, at, term])),
      );
    }),
  );
});

it('a delta between threads holds no decoded receipts, and has them again for who asks, decoded once', () => {
  const [list] = fc.sample(
    receipts.filter(({ length }) => length > 2),
    { numRuns: 1, seed: 3 },
  ) as [readonly Receipt[]];
  const delta = { hash: '0x01', receipts: list, storedReceipts: encodeStoredReceipts(list) } as unknown as BlockDelta;
  const flat = flatDelta(delta);
  expect(flat).not.toHaveProperty('receipts');
  const back = openDelta(flat);
  expect(back.opened.receipts).toEqual(list);
  expect(back.opened.receipts).toBe(back.opened.receipts);
  expect(back.opened.logs.map(({ transactionIndex, ...each }) => [transactionIndex, each])).toEqual(
    list.flatMap(({ logs, transactionIndex }) => logs.map((each) => [transactionIndex, each])),
  );
  expect(back).toMatchObject({ ...flat });
});
