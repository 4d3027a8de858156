import { Type } from '@sinclair/typebox';
import { type AccessListEntry, noBlockOverrides, type SignedAuthorization } from '@prime/codec';
import { type Address, type Hash, type Hex, parseAddress, parseHash, parseHex, zeroAddress } from '@prime/primitives';
import { invalidParams, RpcError } from '../errors/errors.ts';
import type { CallRequest } from '../ports/ports.ts';
import {
  addressSchema,
  dataSchema,
  hashSchema,
  hintKey,
  index,
  nullable,
  quantity64Schema,
  quantitySchema,
  type ValueType,
  valueType,
} from '../schema/valueTypes.ts';

/** Call and send objects: one shape, read leniently where real clients add keys of their own (web3.js: chain, hardfork, type). */
interface WireCall {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly gas?: string | null;
  readonly gasPrice?: string | null;
  readonly maxFeePerGas?: string | null;
  readonly maxPriorityFeePerGas?: string | null;
  readonly value?: string | null;
  readonly data?: string | null;
  readonly input?: string | null;
  readonly nonce?: string | number | null;
  readonly chainId?: string | null;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys?: readonly string[] }[] | null;
  readonly authorizationList?: readonly WireAuthorization[] | null;
  readonly blobs?: unknown;
  readonly blobVersionedHashes?: unknown;
  readonly maxFeePerBlobGas?: unknown;
}

type WireAuthorization = Readonly<Record<'chainId' | 'address' | 'nonce' | 'r' | 's', string>> & {
  readonly yParity?: string;
  readonly v?: string;
};

const accessListSchema = Type.Array(
  Type.Object({ address: addressSchema, storageKeys: Type.Optional(Type.Array(hashSchema)) }),
  { [hintKey]: 'must be a list of {address, storageKeys}' },
);

/** r and s are padded to 32 bytes by some clients and quantities of others. */
const wordSchema = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$', [hintKey]: 'must be 0x and 1 to 64 hex digits' });
const authorizationListSchema = Type.Array(
  Type.Object({
    chainId: wordSchema,
    address: addressSchema,
    nonce: wordSchema,
    yParity: Type.Optional(wordSchema),
    v: Type.Optional(wordSchema),
    r: wordSchema,
    s: wordSchema,
  }),
  { [hintKey]: 'must be a list of {chainId, address, nonce, yParity, r, s}' },
);

const nonceHint = 'must be a hex quantity of at most 64 bits or an integer';
const callSchema = Type.Object(
  {
    from: Type.Optional(nullable(addressSchema)),
    to: Type.Optional(nullable(addressSchema)),
    gas: Type.Optional(nullable(quantity64Schema)),
    gasPrice: Type.Optional(nullable(quantitySchema)),
    maxFeePerGas: Type.Optional(nullable(quantitySchema)),
    maxPriorityFeePerGas: Type.Optional(nullable(quantitySchema)),
    value: Type.Optional(nullable(quantitySchema)),
    data: Type.Optional(nullable(dataSchema)),
    input: Type.Optional(nullable(dataSchema)),
    nonce: Type.Optional(nullable(Type.Union([quantity64Schema, index.schema], { [hintKey]: nonceHint }))),
    chainId: Type.Optional(nullable(quantitySchema)),
    accessList: Type.Optional(nullable(accessListSchema)),
    authorizationList: Type.Optional(nullable(authorizationListSchema)),
  },
  { [hintKey]: 'must be an object' },
);

const amount = (value: string | null | undefined): bigint | null => (value == null ? null : BigInt(value));

function callData(wire: WireCall): Hex {
  const data = wire.data ?? null;
  const input = wire.input ?? null;
  if (data !== null && input !== null && data.toLowerCase() !== input.toLowerCase())
    throw invalidParams('transaction', 'has both "data" and "input" and they differ; use "input"');
  return parseHex(input ?? data ?? '0x');
}

const accessList = (wire: WireCall['accessList']): readonly AccessListEntry[] | null =>
  wire == null
    ? null
    : wire.map((entry) => ({
        address: parseAddress(entry.address),
        storageKeys: (entry.storageKeys ?? []).map((key): Hash => parseHash(key)),
      }));

const optionalAddress = (value: string | null | undefined): Address | null =>
  value == null ? null : parseAddress(value);

/** @throws RpcError `RPC_TRANSACTION_REFUSED` for a list without entries: a transaction with it would be refused, too */
function authorizationList({ from, authorizationList: wire }: WireCall): readonly SignedAuthorization[] {
  if (wire?.length === 0)
    throw new RpcError(`EIP-7702 transaction with empty auth list (sender ${from ?? zeroAddress})`, {
      code: 'RPC_TRANSACTION_REFUSED',
    });
  return (wire ?? []).map(({ chainId, address, nonce, yParity, v, r, s }) => ({
    chainId: BigInt(chainId),
    address: parseAddress(address),
    nonce: BigInt(nonce),
    yParity: BigInt(yParity ?? v ?? 0),
    r: BigInt(r),
    s: BigInt(s),
  }));
}

/** A call, and the chain that its caller has in mind. */
export interface CallArguments extends CallRequest {
  readonly chainId: bigint | null;
}

const blobFields = ['blobs', 'blobVersionedHashes', 'maxFeePerBlobGas'] as const;

/** The working form of a call object. @throws RpcError `RPC_INVALID_PARAMS` */
function parseCall(wire: WireCall): CallArguments {
  for (const field of blobFields)
    if (wire[field] != null)
      throw invalidParams(`transaction.${field}`, 'belongs to blob transactions, which this chain does not have');
  const request: CallArguments = {
    from: optionalAddress(wire.from),
    to: optionalAddress(wire.to),
    gas: amount(wire.gas),
    gasPrice: amount(wire.gasPrice),
    maxFeePerGas: amount(wire.maxFeePerGas),
    maxPriorityFeePerGas: amount(wire.maxPriorityFeePerGas),
    value: amount(wire.value) ?? 0n,
    data: callData(wire),
    nonce: wire.nonce == null ? null : BigInt(wire.nonce),
    chainId: amount(wire.chainId),
    accessList: accessList(wire.accessList),
    authorizationList: authorizationList(wire),
    stateOverrides: [],
    blockOverrides: noBlockOverrides,
  };
  if (request.gasPrice !== null && (request.maxFeePerGas !== null || request.maxPriorityFeePerGas !== null))
    throw invalidParams('transaction', 'has both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  const { maxFeePerGas, maxPriorityFeePerGas } = request;
  if (maxFeePerGas !== null && maxPriorityFeePerGas !== null && maxFeePerGas < maxPriorityFeePerGas)
    throw invalidParams(
      'transaction',
      `maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`,
    );
  return request;
}

/** Argument of eth_call and eth_estimateGas. */
export const callObject: ValueType<CallArguments> = valueType(callSchema, parseCall);

/** What a transaction is made from: a call with a sender. */
export interface TransactionArguments extends CallArguments {
  readonly from: Address;
}

const parseTransaction = (wire: WireCall): TransactionArguments => ({
  ...parseCall(wire),
  from: parseAddress(wire.from ?? zeroAddress),
});

/** Argument of eth_fillTransaction: without a sender it is the zero address, as with go-ethereum. */
export const fillObject: ValueType<TransactionArguments> = valueType(callSchema, parseTransaction);

/** Argument of eth_sendTransaction: a call object with a sender. */
export const sendObject: ValueType<TransactionArguments> = valueType(
  Type.Composite([Type.Omit(callSchema, ['from']), Type.Object({ from: addressSchema })], {
    [hintKey]: 'must be an object',
  }),
  parseTransaction,
);
