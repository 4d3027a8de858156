import { Type } from '@sinclair/typebox';
import { toSignedQuantity } from '@prime/primitives';
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
import { signedQuantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

const paymentResult = Type.Object(
  {
    market_id: Type.Integer(),
    size: signedQuantityResult,
    amount: signedQuantityResult,
    index: signedQuantityResult,
    ...causedFields,
  },
  { title: 'FundingPayment' },
);

/** What is not settled yet is in `primeorders_getAccount`. */
export const getFunding = defineMethod({
  name: 'primeorders_getFunding',
  summary: `Funding of an account’s positions that was settled into its collateral, the last first. It is settled before a position changes, and before its account withdraws or is liquidated; what is not settled yet is in primeorders_getAccount. ${pageWords(pageFields)}`,
  params: pageParameters,
  result: pageResult('payments', 'FundingPayments', paymentResult),
  errors: ['RPC_ACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account that paid funding once',
      params: [sample.address],
      result: samplePage('payments', [
        { market_id: 1, size: '0x64', amount: '-0x19', index: '0xee6b280', ...sampleCaused },
      ]),
    },
  ],
  handler: (context, address, page) =>
    answerPage(
      context,
      { list: 'funding', name: 'payments', address },
      page,
      (query) => context.ports.chain.accountEvents(query),
      (entry) => {
        const { market_id, size, amount, index } = entry.event.data;
        return {
          market_id,
          size: toSignedQuantity(size as bigint),
          amount: toSignedQuantity(amount as bigint),
          index: toSignedQuantity(index as bigint),
          ...caused(entry),
        };
      },
    ),
});
