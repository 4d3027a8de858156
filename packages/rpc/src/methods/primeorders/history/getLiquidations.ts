import { Type } from '@sinclair/typebox';
import type { DomainEvent } from '@prime/codec';
import { type Address, toQuantity, toSignedQuantity } from '@prime/primitives';
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
import { addressResult, orNull, quantityResult, signedQuantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

const liquidationResult = Type.Object(
  {
    kind: Type.String(),
    market_id: orNull(Type.Integer()),
    order_id: orNull(quantityResult),
    size: orNull(signedQuantityResult),
    value: orNull(quantityResult),
    fee: orNull(quantityResult),
    insurance_paid: orNull(quantityResult),
    counterparty: orNull(addressResult),
    amount: orNull(quantityResult),
    ...causedFields,
  },
  { title: 'AccountLiquidation' },
);

const nothing = {
  market_id: null,
  order_id: null,
  size: null,
  value: null,
  fee: null,
  insurance_paid: null,
  counterparty: null,
  amount: null,
};

/** What was done to an account without an order of its own: to its positions, or to one that another account's was closed against. */
function formatLiquidation(account: Address, { kind, data }: DomainEvent): Record<string, unknown> {
  if (kind === 'loss_settled')
    return {
      kind,
      ...nothing,
      market_id: data['market_id'],
      size: toSignedQuantity(data['size'] as bigint),
      value: toQuantity(data['entry'] as bigint),
      amount: toQuantity(data['amount'] as bigint),
    };
  if (kind !== 'liquidation' && kind !== 'deleveraged')
    return { kind, ...nothing, amount: toQuantity(data['amount'] as bigint) };
  const isOwn = data['address'] === account;
  const size = data['size'] as bigint;
  const position = {
    ...nothing,
    market_id: data['market_id'],
    order_id: isOwn ? toQuantity(data['order_id'] as number) : null,
    // The event has the sign of the position in liquidation.
    size: toSignedQuantity(isOwn ? size : -size),
  };
  if (kind === 'deleveraged')
    return {
      kind: 'deleveraging',
      ...position,
      value: toQuantity(data['value'] as bigint),
      counterparty: isOwn ? data['counterparty'] : data['address'],
    };
  return {
    kind,
    ...position,
    fee: toQuantity(data['fee'] as bigint),
    insurance_paid: toQuantity(data['insurance_paid'] as bigint),
  };
}

/** The trades of a liquidation are in `primeorders_getFills`, by the order id. */
export const getLiquidations = defineMethod({
  name: 'primeorders_getLiquidations',
  summary: `What liquidations, and losses that were settled, did to an account, the last first. \`kind\` is liquidation (one of its positions was closed: \`size\` is what it was, its trades are in primeorders_getFills by order_id), deleveraging (a part of its position was closed against that of \`counterparty\`; order_id is null where the other one was in liquidation), debt_covered (the insurance fund paid \`amount\` that it owed), bad_debt (nobody paid it) or loss_settled (\`amount\` of an open loss was realized at the index, because winners were unpaid: the position of \`size\` goes on as if it was opened for \`value\`). Fields that a kind has not are null. ${pageWords(pageFields)}`,
  params: pageParameters,
  result: pageResult('liquidations', 'AccountLiquidations', liquidationResult),
  errors: ['RPC_ACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account whose position was liquidated',
      params: [sample.address],
      result: samplePage('liquidations', [
        {
          ...nothing,
          kind: 'liquidation',
          market_id: 1,
          order_id: '0x9',
          size: '-0x64',
          fee: '0x25',
          insurance_paid: '0x0',
          ...sampleCaused,
        },
      ]),
    },
  ],
  handler: (context, address, page) =>
    answerPage(
      context,
      { list: 'liquidations', name: 'liquidations', address },
      page,
      (query) => context.ports.chain.accountEvents(query),
      (entry) => ({ ...formatLiquidation(address, entry.event), ...caused(entry) }),
    ),
});
