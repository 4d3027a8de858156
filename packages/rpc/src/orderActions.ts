import type { ActionError, ActionPayload, ActionValue } from '@prime/codec';
import type { Address, Hash, Height, MarketId, OrderId } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { type CallAuthorization, requestOf } from './authorization.ts';
import type { MethodContext, ValueType } from './define.ts';
import { invalidParams, RpcError } from './errors.ts';
import type { ExecutedAction } from './ports.ts';
import { hintKey, index, valueType } from './valueTypes.ts';

/** What the primeorders_ methods share: amounts, ids, and actions that answer after commit. */

/** Prices and sizes are below 2^128. */
export const orderAmountSchema = Type.String({
  pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,31})$',
  [hintKey]: 'must be a hex quantity below 2^128 without leading zeros',
});
export const orderAmount: ValueType<bigint> = valueType(orderAmountSchema, (value: string) => BigInt(value));

export const marketIdMax = 0xffff_ffff;

/** A market id as the document's hex string, or the JSON number that an order carries. */
export const marketId: ValueType<MarketId> = valueType(index.schema, (value: string | number) => {
  const id = Number(value);
  if (id < 1 || id > marketIdMax) throw invalidParams('marketId', `must be from 1 to ${marketIdMax}`);
  return id as MarketId;
});

export const orderId: ValueType<OrderId> = valueType(
  Type.String({
    pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,12})$',
    [hintKey]: 'must be a hex order id without leading zeros',
  }),
  (value: string) => {
    if (BigInt(value) === 0n) throw invalidParams('orderId', 'must be at least 0x1');
    return Number(value) as OrderId;
  },
);

export interface ActionOutcome<Type extends ActionValue['type']> {
  readonly value: Extract<ActionValue, { readonly type: Type }>;
  readonly height: Height;
  readonly hash: Hash;
}

/** @throws RpcError `RPC_ACTION_REFUSED` */
export function refuse(error: ActionError, hash: Hash | null): never {
  throw new RpcError(error.message, { code: 'RPC_ACTION_REFUSED', error, hash });
}

function outcomeOf<Type extends ActionValue['type']>(executed: ExecutedAction, type: Type): ActionOutcome<Type> {
  const { result, height, hash } = executed;
  if (!result.ok) return refuse(result.error, hash);
  if (result.value.type !== type) throw new Error(`a ${type} action came back as ${result.value.type}`);
  return { value: result.value as ActionOutcome<Type>['value'], height, hash };
}

/**
 * Has the action executed by the network.
 *
 * @param type kind of its result
 * @throws RpcError `RPC_ACTION_REFUSED`, `RPC_ACTION_NOT_EXECUTED`, `RPC_UNAUTHORIZED`
 */
export async function execute<Type extends ActionValue['type']>(
  { ports }: MethodContext,
  type: Type,
  account: Address,
  payload: ActionPayload,
  authorized?: CallAuthorization,
): Promise<ActionOutcome<Type>> {
  return outcomeOf(await ports.actions.submit(requestOf(account, payload, authorized)), type);
}

const zeroAddress = `0x${'0'.repeat(40)}` as Address;

/**
 * Cancels in the name of the order's owner, whom the request does not name. This node's book knows the owner of every order
 * that it has seen; an order that another node's client just placed may be newer than that. Then the refusal, which comes out
 * of a later block than the order, is the sign that the book has it by now.
 */
export async function cancelOrder(
  context: MethodContext,
  id: OrderId,
  authorized: CallAuthorization | undefined,
): Promise<ActionOutcome<'cancel'>> {
  const { books, actions } = context.ports;
  const payload: ActionPayload = { type: 'cancel', orderId: id };
  // Who signs knows for whom.
  const owner = authorized?.account ?? (await books.orderOwner(id));
  if (owner !== null) return execute(context, 'cancel', owner, payload, authorized);
  if (authorized !== undefined)
    throw invalidParams('authorization.account', 'is needed for an order that this node does not know');
  const refused = await actions.submit(requestOf(zeroAddress, payload, undefined));
  const newOwner = await books.orderOwner(id);
  return newOwner === null ? outcomeOf(refused, 'cancel') : execute(context, 'cancel', newOwner, payload, undefined);
}
