import { listBase } from '../../encoding/rlp.ts';
import { RlpCursor } from '../../encoding/rlpCursor.ts';

/** Prices of a market by which its positions are judged, wei for one base unit; null while undefined. */
export interface MarketPrices {
  readonly mark: bigint | null;
  readonly index: bigint | null;
}

/** Of a market that there is not. */
export const noPrices: MarketPrices = { mark: null, index: null };

/** Places of fields of the record; a test compares them with its codec. */
const markPlace = 7;
const oraclePlace = 13;

/**
 * Mark and index in a market's record, as encodeMarketRecord made it. Nothing else of it is decoded: a block writes the record of every market that has an
 * oracle.
 *
 * @throws CodecError `CODEC_RLP_MALFORMED`
 */
export function marketPricesIn(record: Uint8Array): MarketPrices {
  const cursor = new RlpCursor(record);
  const price = (): bigint | null => {
    if (record[cursor.at] !== listBase) return cursor.bigint();
    cursor.skip();
    return null;
  };
  const end = cursor.list();
  cursor.skip(markPlace);
  const mark = price();
  for (let place = markPlace + 1; place < oraclePlace && cursor.at < end; place++) cursor.skip();
  // Without an oracle the record ends, or has an empty list in its place.
  if (cursor.at >= end || cursor.list() === cursor.at) return { mark, index: null };
  return { mark, index: price() };
}
