import type { ActionPayload } from '@prime/codec';
import { type Address, hexToBytes, parseAddress, zeroAddress } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import type { MethodContext } from '../define.ts';
import { invalidParams } from '../errors/errors.ts';
import type { ActionAuthorization, ActionRequest } from '../ports/ports.ts';
import { addressSchema, hintKey, index, type ValueType, valueType } from '../schema/valueTypes.ts';

/** Signatures that come with the calls of the order book and the bridge. */

interface WireAuthorization {
  readonly nonce: string | number;
  readonly signature: string;
  readonly expires_at?: string | number;
  readonly account?: string;
}

/** Time in milliseconds, of March 1973: what is below it can only be seconds. */
const earliestMs = 100_000_000_000;

/** An authorization as it comes with a call. */
export interface CallAuthorization extends ActionAuthorization {
  /** Whom it is for, in calls that do not say. */
  readonly account: Address | null;
}

/**
 * Optional last parameter of every call that changes state: the EIP-712 signature of docs/protocol/native-transactions.md, by the
 * account or its agent, over what the other parameters say.
 */
export const authorization: ValueType<CallAuthorization> = valueType(
  Type.Object(
    {
      nonce: index.schema,
      signature: Type.String({ pattern: '^0x[0-9a-fA-F]{130}$', [hintKey]: 'must be 0x and 130 hex digits' }),
      expires_at: Type.Optional(index.schema),
      account: Type.Optional(addressSchema),
    },
    { additionalProperties: false, [hintKey]: 'must be an object {nonce, signature, expires_at, account}' },
  ),
  (wire: WireAuthorization) => {
    const signature = hexToBytes(wire.signature);
    const v = signature[64]!;
    // Wallets write 27 and 28, as for messages of EIP-191; libraries 0 and 1.
    if (![0, 1, 27, 28].includes(v)) throw invalidParams('authorization.signature', 'must end in 00, 01, 1b or 1c');
    signature[64] = v % 27;
    const expiresAt = Number(wire.expires_at ?? 0);
    if (expiresAt !== 0 && expiresAt <= earliestMs)
      throw invalidParams('authorization.expires_at', 'is in milliseconds, and this is a time in seconds');
    return {
      nonce: Number(wire.nonce),
      expiresAt,
      signature,
      account: wire.account === undefined ? null : parseAddress(wire.account),
    };
  },
);

/** @throws RpcError `RPC_INVALID_PARAMS` when it names another account */
export function requestOf(
  account: Address,
  payload: ActionPayload,
  authorized: CallAuthorization | undefined,
): ActionRequest {
  if (authorized === undefined) return { account, payload, authorization: null };
  const { account: named, ...authorization } = authorized;
  if (named !== null && named !== account)
    throw invalidParams('authorization.account', `is ${named}, but the call is for ${account}`);
  return { account, payload, authorization };
}

/** Account of an action of the admin: the one that the authorization names, else whoever is the admin now. Anyone may do it where there is none. */
export const adminAccount = async (
  { ports }: MethodContext,
  authorized: CallAuthorization | undefined,
): Promise<Address> => authorized?.account ?? (await ports.books.admin()) ?? zeroAddress;
