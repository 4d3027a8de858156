import { Type } from '@sinclair/typebox';
import { fillsOfEvent } from '../../../format/fill.ts';
import { defineMethod } from '../../../define.ts';
import {
  answerPage,
  caused,
  causedFields,
  pageFields,
  pageParameters,
  pageResult,
  pageWords,
  sampleCaused,
  samplePage,
} from '../../../orders/accountPages.ts';
import { orNull, quantityResult, signedQuantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

const fillResult = Type.Object(
  {
    trade_id: orNull(quantityResult),
    order_id: orNull(quantityResult),
    market_id: Type.Integer(),
    side: Type.String(),
    price: orNull(quantityResult),
    size: quantityResult,
    value: quantityResult,
    fees: signedQuantityResult,
    liquidity: orNull(Type.String()),
    kind: Type.String(),
    ...causedFields,
  },
  { title: 'AccountFill' },
);

/** As the stream `fills` tells them. */
export const getFills = defineMethod({
  name: 'primeorders_getFills',
  summary: `What changed positions of an account, the last first: its side of each trade, and deleveraging, which is no trade and has neither price, fee nor trade id. \`kind\` is trade, liquidation (a trade whose taker was a position in liquidation, whoever’s it was) or deleveraging. ${pageWords(pageFields)}`,
  params: pageParameters,
  result: pageResult('fills', 'AccountFills', fillResult),
  errors: ['RPC_ACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account that traded once',
      params: [sample.address, { limit: 10 }],
      result: samplePage('fills', [
        {
          trade_id: '0x1',
          order_id: '0x2',
          market_id: 1,
          side: 'buy',
          price: '0x64',
          size: '0x64',
          value: '0x2710',
          fees: '0x5',
          liquidity: 'taker',
          kind: 'trade',
          ...sampleCaused,
        },
      ]),
    },
  ],
  handler: (context, address, page) =>
    answerPage(
      context,
      { list: 'fills', name: 'fills', address },
      page,
      (query) => context.ports.chain.accountEvents(query),
      // Nobody is both sides of a trade.
      (entry) => ({ ...fillsOfEvent(address, entry.event, entry)[0], ...caused(entry) }),
    ),
});
