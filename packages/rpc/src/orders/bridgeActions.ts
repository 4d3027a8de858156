import type { ActionPayload, TransferDirection } from '@prime/codec';
import { type Address, parseAddress, zeroAddress, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { authorization } from './authorization.ts';
import { defineMethod, type MethodDefinition, optional, required } from '../define.ts';
import { execute, actionErrorCodes } from './orderActions.ts';
import { addressResult, orNull, quantityResult } from '../schema/resultSchemas.ts';
import { sample } from '../schema/samples.ts';
import { addressSchema, hintKey, quantitySchema, type ValueType, valueType } from '../schema/valueTypes.ts';

/** What the four primebridge_ methods share. */

interface Transfer {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** The document's bridge object. */
const transfer: ValueType<Transfer> = valueType(
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
const directionResult = Type.Union([Type.Literal('orders_to_evm'), Type.Literal('evm_to_orders')]);

/** Answer to a transfer that waits for its `dequeue`; amount in wei. */
const queuedResult = Type.Object({
  ...transferFields,
  direction: directionResult,
  status: Type.Literal('queued'),
  block_number: quantityResult,
});

/** Answer of both `dequeue` methods: what was carried out or failed, and how many transfers still wait. */
const dequeuedResult = Type.Object({
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

/** How one direction of the bridge is named and told of. */
interface BridgeMethod {
  readonly name: string;
  readonly summary: string;
  readonly direction: TransferDirection;
}

/** Id that the examples have of a transfer: the one out of the order book came first. */
const sampleId = { orders_to_evm: '0x1', evm_to_orders: '0x2' } as const;
const sampleTransfer = { from: sample.address, to: sample.otherAddress, amount: '0x3e8' } as const;

/** The first of two steps. @param payloadOf the action that queues a transfer */
export const enqueueMethod = (
  { name, summary, direction }: BridgeMethod,
  payloadOf: (asked: Transfer) => ActionPayload,
): MethodDefinition =>
  defineMethod({
    name,
    summary,
    params: [required('transfer', transfer), optional('authorization', authorization)],
    result: queuedResult,
    errors: actionErrorCodes,
    privacy: 'public',
    examples: [
      {
        params: [sampleTransfer],
        result: {
          transfer_id: sampleId[direction],
          direction,
          ...sampleTransfer,
          status: 'queued',
          block_number: sample.height,
        },
      },
    ],
    handler: async (context, asked, signed) => {
      const { value, height } = await execute(context, 'transferQueued', asked.from, payloadOf(asked), signed);
      return {
        transfer_id: toQuantity(value.transferId),
        direction: value.direction,
        from: value.from,
        to: value.to,
        amount: toQuantity(value.amount),
        status: 'queued',
        block_number: toQuantity(height),
      };
    },
  });

/** Transfers that one call carries out, as one action may. */
const transfersMax = 1000;

/** The second step. Anyone may take it, so without an authorization it is done in nobody's name. */
export const dequeueMethod = ({ name, summary, direction }: BridgeMethod): MethodDefinition =>
  defineMethod({
    name,
    summary,
    params: [optional('authorization', authorization)],
    result: dequeuedResult,
    errors: actionErrorCodes,
    privacy: 'public',
    examples: [
      {
        params: [],
        result: {
          processed: [{ transfer_id: sampleId[direction], ...sampleTransfer, status: 'completed', reason: null }],
          pending: '0x0',
          block_number: sample.height,
        },
      },
    ],
    handler: async (context, signed) => {
      const payload = { type: 'bridgeDequeue', direction, max: transfersMax } as const;
      const { value, height } = await execute(context, 'dequeued', signed?.account ?? zeroAddress, payload, signed);
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
    },
  });
