import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod, optional, required } from '../../define.ts';
import { invalidParams } from '../../errors/errors.ts';
import { formatTrade, marketId, refuseUnknownMarket } from '../../orders/orderActions.ts';
import { quantityResult, tradeResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { index } from '../../schema/valueTypes.ts';

const defaultLimit = 100;
/** As many as a node keeps of each market. */
const limitMax = 1000;

/** Served from memory, which begins some blocks before the start of the node. */
export const getTrades = defineMethod({
  name: 'primeorders_getTrades',
  summary:
    'The latest trades of a market, newest first, at most 1000; older ones are found with prime_getDomainEvents.',
  params: [required('marketId', marketId), optional('limit', index)],
  result: Type.Array(
    Type.Composite([tradeResult, Type.Object({ block_number: quantityResult, time_ms: quantityResult })]),
  ),
  errors: ['RPC_ACTION_REFUSED'],
  privacy: 'operatorAfterFork',
  examples: [
    {
      params: ['0x1', 1],
      result: [
        {
          trade_id: '0x1',
          price: '0x64',
          size: '0x64',
          maker_order_id: '0x1',
          taker_order_id: '0x2',
          maker: sample.address,
          taker: sample.otherAddress,
          side: 'buy',
          fee: '0x0',
          block_number: sample.height,
          time_ms: '0x19378d2b3e8',
        },
      ],
    },
  ],
  handler: async ({ ports }, id, limit = defaultLimit) => {
    if (limit > limitMax) throw invalidParams('limit', `must be at most ${limitMax}`);
    if ((await ports.books.market(id)) === null) return refuseUnknownMarket(id);
    const trades = await ports.books.trades(id, limit);
    return trades.map((trade) => ({
      ...formatTrade(trade),
      block_number: toQuantity(trade.height),
      time_ms: toQuantity(trade.timestampMs),
    }));
  },
});
