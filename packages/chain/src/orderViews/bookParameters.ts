import {
  type BookParameters,
  clobRecordKind,
  decodeGlobalRecord,
  decodeMarketRecord,
  decodeParametersRecord,
  decodeProposalRecord,
  globalRecordKey,
  type MarketRecord,
  marketRecordKey,
  parametersRecordKey,
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { assert, type Height, type MarketId } from '@prime/primitives';
import { createBookSource } from './bookSource.ts';

const proposalPrefix = Uint8Array.of(statePrefix.clobRecord, clobRecordKind.proposal);
/** Of the database: the prefix, kind and hash. */
const proposalKeyBytes = 34;
/** More than there can be. */
const proposalsMax = 1000;

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
  const clob = (await source.record(parametersRecordKey(), decodeParametersRecord)) ?? null;
  const records = await source.entries(proposalPrefix, proposalKeyBytes, proposalsMax);
  const proposals = records.map(([, value]) => decodeProposalRecord(value));
  return { defaultMargin: global.defaultMargin, markets, clob, proposals };
}
