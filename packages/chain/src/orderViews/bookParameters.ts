import {
  type BookParameters,
  decodeGlobalRecord,
  decodeMarketRecord,
  globalRecordKey,
  type MarketRecord,
  marketRecordKey,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { assert, type Height, type MarketId } from '@prime/primitives';
import { createBookSource } from './bookSource.ts';

/**
 * The parameters of the order book that actions change, as they were after a block whose state is kept.
 *
 * @throws (rejects) EvmError `EVM_NODE_MISSING` when it is not kept any more
 */
export async function readBookParameters(
  database: Pick<StateDatabase, 'getSync' | 'scan'>,
  height: Height,
): Promise<BookParameters> {
  const source = createBookSource(database, height);
  const global = await source.record(globalRecordKey(), decodeGlobalRecord);
  assert(global !== undefined, `the order book of block ${height} has no global record`);
  const markets: MarketRecord[] = [];
  for (let id = 1; id < global.nextMarketId; id++) {
    const market = await source.record(marketRecordKey(id as MarketId), decodeMarketRecord);
    assert(market !== undefined, `the order book of block ${height} has no market ${id}`);
    markets.push(market);
  }
  return { defaultMargin: global.defaultMargin, markets };
}
