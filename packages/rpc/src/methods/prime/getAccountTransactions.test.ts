import { describe, expect, it } from '@jest/globals';
import { type BlockPlace, encodeRlp, transactionTypes } from '@prime/codec';
import { concatBytes, type Height, hexToBytes, parseAddress } from '@prime/primitives';
import type { MethodContext } from '../../define.ts';
import { sample } from '../../schema/samples.ts';
import { parseParams } from '../../schema/validate.ts';
import { getAccountTransactions } from './getAccountTransactions.ts';

const account = parseAddress(sample.address);
const to = hexToBytes(sample.otherAddress);

/** A transaction of exactly so many bytes, at least 300 of them. */
function transactionOf(bytes: number): Uint8Array {
  const encode = (dataLength: number): Uint8Array => {
    const fields = [7919, 0, 1, 2, 21_000, to, 1, new Uint8Array(dataLength), [], 1, 5, 6];
    return concatBytes(Uint8Array.of(transactionTypes.dynamicFee), encodeRlp(fields));
  };
  const around = encode(bytes).length - bytes;
  return encode(bytes - around);
}

/** A chain whose blocks have one transaction of the account each. */
function chainOf(blocks: number, bytes = 1 << 10) {
  const asked: { readonly before: BlockPlace; readonly count: number }[] = [];
  let read = 0;
  const raw = transactionOf(bytes);
  const chain = {
    accountPlaces: async (query: (typeof asked)[number]) => {
      asked.push(query);
      const heights = Array.from({ length: blocks }, (_, index) => blocks - index).filter(
        (at) => at < query.before.height,
      );
      return { places: heights.slice(0, query.count).map((height) => ({ height, index: 0 })), oldest: 1 };
    },
    blockByHeight: async (height: Height) => {
      read++;
      const header = { height, timestampMs: 0, baseFee: 0n };
      return {
        block: { header, transactions: [raw], actions: [] },
        hash: sample.otherHash,
        transactionHashes: [sample.hash],
      };
    },
    receipts: async () => [{ from: account, to: null, contractAddress: null, status: 1 }],
  };
  return { context: { ports: { chain }, format: 'eth' } as unknown as MethodContext, asked, read: () => read };
}
interface Page {
  readonly transactions: readonly unknown[];
  readonly next: { readonly block_number: string; readonly transaction_index: string } | null;
}
const ask = async (context: MethodContext, page?: object): Promise<Page> =>
  (await getAccountTransactions.handler(
    context,
    ...parseParams(getAccountTransactions, page === undefined ? [account] : [account, page]),
  )) as Page;

describe('pages of an account’s transactions', () => {
  it.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
  ])('have 1 to 100 entries: %d', async (limit, isTaken) => {
    const { context } = chainOf(3);
    if (isTaken) expect((await ask(context, { limit })).transactions).toHaveLength(Math.min(3, limit));
    else await expect(ask(context, { limit })).rejects.toThrow('page.limit must be from 1 to 100');
  });

  it('have 25 where nothing is said, and one more is asked for to know of the next', async () => {
    const { context, asked } = chainOf(26);
    const { transactions, next } = await ask(context);
    expect([transactions.length, next]).toEqual([25, { block_number: '0x2', transaction_index: '0x0' }]);
    expect(asked[0]).toMatchObject({ before: { height: Number.MAX_SAFE_INTEGER, index: 0 }, count: 26 });
    for (const page of [{}, { limit: null, before: null }]) await ask(context, page);
    expect(asked[1]).toEqual(asked[0]);
    expect(asked[2]).toEqual(asked[0]);
  });

  it.each([2, 3, 4])('lead through 3 transactions to the end, %d at a time', async (limit) => {
    const { context } = chainOf(3);
    let count = 0;
    let before: Page['next'] = null;
    do {
      const page: Page = await ask(context, { limit, before });
      count += page.transactions.length;
      before = page.next;
    } while (before !== null);
    expect(count).toBe(3);
  });

  it.each([
    [1 << 19, 2],
    [(1 << 19) + 1, 1],
    [(1 << 20) + 1, 1],
  ])('have at most 1 MiB, and one at least: of %d bytes each, %d', async (bytes, count) => {
    const { context, read } = chainOf(3, bytes);
    const page = await ask(context, { limit: 3 });
    expect([page.transactions.length, page.next === null, read() <= count + 1]).toEqual([count, false, true]);
  });
});
