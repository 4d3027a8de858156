import { describe, expect, it } from '@jest/globals';
import type { PrimeClient } from '@prime/sdk';
import { createClient, custom } from 'viem';
import { readUnsettledFunding } from './funding.ts';

const address = `0x${'cd'.repeat(20)}` as const;

/** A node that answers from a table; null where it answers nothing. */
function nodeOf(positions: readonly object[] | null): PrimeClient {
  const account = {
    address,
    collateral: '0x64',
    equity: '0x64',
    initial_margin: '0x0',
    maintenance_margin: '0x0',
    free_collateral: '0x64',
    withdrawable: '0x64',
    liquidatable: false,
    locked: false,
    open_orders: '0x0',
    positions,
  };
  const answers: Readonly<Record<string, unknown>> = { eth_blockNumber: '0x7', primeorders_getAccount: account };
  const request = ({ method }: { readonly method: string }): Promise<unknown> =>
    positions === null ? Promise.reject(new Error('nobody there')) : Promise.resolve(answers[method]);
  return createClient({ transport: custom({ request }, { retryCount: 0 }) }) as PrimeClient;
}
const position = (marketId: number, unsettled: string | undefined) => ({
  market_id: marketId,
  size: '0xa',
  entry: '0x64',
  unrealized: '0x0',
  ...(unsettled === undefined ? {} : { unsettled_funding: unsettled }),
});

describe('funding that is not settled', () => {
  it('is that of the market, at the block that the node had before', async () => {
    const node = nodeOf([position(1, '0x5'), position(2, '-0x9')]);
    expect(await readUnsettledFunding([node], address, 2)).toEqual({ blockNumber: 7n, amount: -9n });
  });

  it.each([[[]], [[position(2, undefined)]]])('is none without a position, and before it owes: %j', async (held) => {
    expect(await readUnsettledFunding([nodeOf(held)], address, 2)).toEqual({ blockNumber: 7n, amount: 0n });
  });

  it('is asked of the next node where one does not answer, and unknown where none does', async () => {
    const there = nodeOf([position(2, '-0x9')]);
    expect((await readUnsettledFunding([nodeOf(null), there], address, 2))?.amount).toBe(-9n);
    expect(await readUnsettledFunding([nodeOf(null)], address, 2)).toBeNull();
  });
});
