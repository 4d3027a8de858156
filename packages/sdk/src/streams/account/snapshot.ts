import type { Address } from '../../types/primitives.ts';
import type { Link } from '../connection/session.ts';
import { StreamError } from '../errors.ts';
import { toAmount, toList, toObject } from '../wire/fields.ts';
import { readHoldings, readOpenOrder } from '../wire/messages.ts';
import { createLedger, type Ledger } from './ledger.ts';

/** Reads that met a block in their middle are done again so often. */
const attemptsMax = 20;

/**
 * What an account has after one block: all of it is asked for in one message, between two questions for the height, and counts only when
 * both have the same answer.
 *
 * @throws StreamError when the node does not answer
 */
export async function readLedger(link: Pick<Link, 'batch'>, address: Address): Promise<Ledger> {
  const height = { method: 'eth_blockNumber', params: [] };
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const [before, account, orders, after] = await link.batch([
      height,
      { method: 'primeorders_getAccount', params: [address] },
      { method: 'primeorders_getOpenOrders', params: [address] },
      height,
    ]);
    if (before !== after) continue;
    const { collateral, positions } = readHoldings(account);
    // What waits for a mark is in no book, and streams tell of it by events alone.
    const resting = toList(orders, 'open orders').filter(
      (order) => toObject(order, 'an open order')['kind'] === undefined,
    );
    const open = resting.map(readOpenOrder);
    return createLedger(toAmount(before, 'eth_blockNumber'), collateral, positions, open);
  }
  const expected = 'an account of one block';
  const actual = `a new block in each of ${attemptsMax} reads`;
  throw new StreamError(`The account of ${address} could not be read at one block: ${actual}.`, {
    code: 'STREAM_SEQUENCE_BROKEN',
    expected,
    actual,
  });
}
