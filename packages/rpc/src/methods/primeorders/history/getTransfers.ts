import { Type } from '@sinclair/typebox';
import type { DomainEvent } from '@prime/codec';
import { type Address, toQuantity, toSignedQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import {
  answerPage,
  caused,
  causedFields,
  marketlessPageFields,
  marketlessPageParameters,
  pageResult,
  pageWords,
  sampleCaused,
  samplePage,
} from '../../../orders/accountPages.ts';
import { addressResult, orNull, quantityResult, signedQuantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

const transferResult = Type.Object(
  {
    kind: Type.String(),
    amount: quantityResult,
    change: signedQuantityResult,
    collateral: orNull(signedQuantityResult),
    from: orNull(addressResult),
    to: orNull(addressResult),
    transfer_id: orNull(quantityResult),
    direction: orNull(Type.String()),
    reason: orNull(Type.String()),
    ...causedFields,
  },
  { title: 'CollateralTransfer' },
);

/** Words of each kind of event. */
const kinds: Readonly<Record<string, string>> = {
  collateral_deposited: 'deposit',
  collateral_withdrawn: 'withdrawal',
  collateral_transferred: 'transfer',
  transfer_queued: 'queued',
  transfer_completed: 'completed',
  transfer_failed: 'failed',
};

/** By how much an event changed the collateral of the account: what is in a queue is in nobody's. */
function changeOf(account: Address, { kind, data }: DomainEvent): bigint {
  const amount = data['amount'] as bigint;
  if (kind === 'collateral_deposited') return amount;
  if (kind === 'collateral_withdrawn') return -amount;
  if (kind !== 'collateral_transferred') return 0n;
  return (data['to'] === account ? amount : 0n) - (data['from'] === account ? amount : 0n);
}

function formatTransfer(account: Address, event: DomainEvent): Record<string, unknown> {
  const { amount, collateral, from, to, transfer_id: id, direction, reason } = event.data;
  return {
    kind: kinds[event.kind],
    amount: toQuantity(amount as bigint),
    change: toSignedQuantity(changeOf(account, event)),
    collateral: collateral === undefined ? null : toSignedQuantity(collateral as bigint),
    from: from ?? null,
    to: to ?? null,
    transfer_id: id === undefined ? null : toQuantity(id as number),
    direction: direction ?? null,
    reason: reason ?? null,
  };
}

/** A withdrawal through the bridge is three entries: it leaves the collateral, waits, and arrives. */
export const getTransfers = defineMethod({
  name: 'primeorders_getTransfers',
  summary: `Wei that came to the collateral of an account or left it, the last first, trading aside: \`kind\` is deposit, withdrawal or transfer (to or from another account), and for transfers of the bridge that name the account queued, completed or failed. \`change\` is what an entry did to its collateral: 0 for those of the bridge, which the deposit or withdrawal beside them changed. ${pageWords(marketlessPageFields)}`,
  params: marketlessPageParameters,
  result: pageResult('transfers', 'CollateralTransfers', transferResult),
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account that deposited once',
      params: [sample.address, { from_time_ms: '0x19378d2b000' }],
      result: samplePage('transfers', [
        {
          kind: 'deposit',
          amount: '0x3e8',
          change: '0x3e8',
          collateral: '0x3e8',
          from: null,
          to: null,
          transfer_id: null,
          direction: null,
          reason: null,
          ...sampleCaused,
        },
      ]),
    },
  ],
  handler: (context, address, page) =>
    answerPage(
      context,
      { list: 'transfers', name: 'transfers', address },
      page,
      (query) => context.ports.chain.accountEvents(query),
      (entry) => ({ ...formatTransfer(address, entry.event), ...caused(entry) }),
    ),
});
