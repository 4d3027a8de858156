import type { TransferDirection } from '@prime/codec';
import { type Address, parseAddress, zeroAddress, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import type { CallAuthorization } from './authorization.ts';
import type { MethodContext } from '../define.ts';
import { type ActionOutcome, execute } from './orderActions.ts';
import { addressResult, orNull, quantityResult } from '../schema/resultSchemas.ts';
import { addressSchema, hintKey, quantitySchema, type ValueType, valueType } from '../schema/valueTypes.ts';

/** What the four primebridge_ methods share. */

interface Transfer {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** The document's bridge object. */
export const transfer: ValueType<Transfer> = valueType(
  Type.Object(
    { from: addressSchema, to: addressSchema, amount: quantitySchema },
    { additionalProperties: false, [hintKey]: 'must be an object {from, to, amount}' },
  ),
  (wire: { readonly from: string; readonly to: string; readonly amount: string }) => ({
    from: parseAddress(wire.from),
    to: parseAddress(wire.to),
    amount: BigInt(wire.amount),
  }),
);

const transferFields = {
  transfer_id: quantityResult,
  from: addressResult,
  to: addressResult,
  amount: quantityResult,
} as const;
const direction = Type.Union([Type.Literal('orders_to_evm'), Type.Literal('evm_to_orders')]);

/** Answer to a transfer that waits for its `dequeue`; amount in wei. */
export const queuedResult = Type.Object({
  ...transferFields,
  direction,
  status: Type.Literal('queued'),
  block_number: quantityResult,
});

/** Answer of both `dequeue` methods: what was carried out or failed, and how many transfers still wait. */
export const dequeuedResult = Type.Object({
  processed: Type.Array(
    Type.Object({
      ...transferFields,
      status: Type.Union([Type.Literal('completed'), Type.Literal('failed')]),
      reason: orNull(Type.String()),
    }),
  ),
  pending: quantityResult,
  block_number: quantityResult,
});

/** A queued transfer as {@link queuedResult} has it. */
export const formatQueued = ({ value, height }: ActionOutcome<'transferQueued'>): Record<string, unknown> => ({
  transfer_id: toQuantity(value.transferId),
  direction: value.direction,
  from: value.from,
  to: value.to,
  amount: toQuantity(value.amount),
  status: 'queued',
  block_number: toQuantity(height),
});

/** Transfers that one call carries out, as one action may. */
const transfersMax = 1000;

/** Carries out what waits. Anyone may, so without an authorization it is done in nobody's name. */
export async function dequeue(
  context: MethodContext,
  way: TransferDirection,
  authorized: CallAuthorization | undefined,
): Promise<Record<string, unknown>> {
  const account = authorized?.account ?? zeroAddress;
  const payload = { type: 'bridgeDequeue', direction: way, max: transfersMax } as const;
  const { value, height } = await execute(context, 'dequeued', account, payload, authorized);
  return {
    processed: value.processed.map(({ transferId, from, to, amount, status, reason }) => ({
      transfer_id: toQuantity(transferId),
      from,
      to,
      amount: toQuantity(amount),
      status,
      reason,
    })),
    pending: toQuantity(value.pending),
    block_number: toQuantity(height),
  };
}
