import { Type } from '@sinclair/typebox';
import { type Address, type Hash, type Hex, parseAddress, parseHash, parseHex } from '@prime/primitives';
import type { ValueType } from './define.ts';
import { invalidParams } from './errors.ts';
import type { AccessListEntry, CallRequest, SignedAuthorization } from './ports.ts';
import {
  addressSchema,
  dataSchema,
  hashSchema,
  hintKey,
  index,
  nullable,
  quantitySchema,
  valueType,
} from './valueTypes.ts';

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
  readonly accessList?: readonly { readonly address: string; readonly storageKeys?: readonly string[] }[] | null;
}

const accessListSchema = Type.Array(
  Type.Object({ address: addressSchema, storageKeys: Type.Optional(Type.Array(hashSchema)) }),
  { [hintKey]: 'must be a list of {address, storageKeys}' },
);

const callSchema = Type.Object(
  {
    from: Type.Optional(nullable(addressSchema)),
    to: Type.Optional(nullable(addressSchema)),
    gas: Type.Optional(nullable(quantitySchema)),
    gasPrice: Type.Optional(nullable(quantitySchema)),
    maxFeePerGas: Type.Optional(nullable(quantitySchema)),
    maxPriorityFeePerGas: Type.Optional(nullable(quantitySchema)),
    value: Type.Optional(nullable(quantitySchema)),
    data: Type.Optional(nullable(dataSchema)),
    input: Type.Optional(nullable(dataSchema)),
    nonce: Type.Optional(nullable(index.schema)),
    accessList: Type.Optional(nullable(accessListSchema)),
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

function parseCall(wire: WireCall): CallRequest {
  const request: CallRequest = {
    from: optionalAddress(wire.from),
    to: optionalAddress(wire.to),
    gas: amount(wire.gas),
    gasPrice: amount(wire.gasPrice),
    maxFeePerGas: amount(wire.maxFeePerGas),
    maxPriorityFeePerGas: amount(wire.maxPriorityFeePerGas),
    value: amount(wire.value) ?? 0n,
    data: callData(wire),
    nonce: wire.nonce == null ? null : Number(wire.nonce),
    accessList: accessList(wire.accessList),
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
export const callObject: ValueType<CallRequest> = valueType(callSchema, parseCall);

/** What a transaction is made from: a call with a sender, and what only transactions have. */
export interface TransactionArguments extends CallRequest {
  readonly from: Address;
  readonly chainId: bigint | null;
  /** EIP-7702; empty for any other type. */
  readonly authorizationList: readonly SignedAuthorization[];
}

interface WireTransaction extends WireCall {
  readonly from?: string;
  readonly chainId?: string | null;
  readonly authorizationList?:
    | readonly {
        readonly chainId: string;
        readonly address: string;
        readonly nonce: string;
        readonly yParity: string;
        readonly r: string;
        readonly s: string;
      }[]
    | null;
}

const authorizationListSchema = Type.Array(
  Type.Object({
    chainId: quantitySchema,
    address: addressSchema,
    nonce: quantitySchema,
    yParity: quantitySchema,
    r: quantitySchema,
    s: quantitySchema,
  }),
  { [hintKey]: 'must be a list of {chainId, address, nonce, yParity, r, s}' },
);
const transactionFields = {
  chainId: Type.Optional(nullable(quantitySchema)),
  authorizationList: Type.Optional(nullable(authorizationListSchema)),
};

const parseTransaction = (wire: WireTransaction): TransactionArguments => ({
  ...parseCall(wire),
  from: parseAddress(wire.from ?? zeroAddress),
  chainId: amount(wire.chainId),
  authorizationList: (wire.authorizationList ?? []).map(({ address, chainId, nonce, yParity, r, s }) => ({
    chainId: BigInt(chainId),
    address: parseAddress(address),
    nonce: BigInt(nonce),
    yParity: BigInt(yParity),
    r: BigInt(r),
    s: BigInt(s),
  })),
});

const zeroAddress = `0x${'0'.repeat(40)}`;

/** Argument of eth_fillTransaction: without a sender it is the zero address, as with go-ethereum. */
export const fillObject: ValueType<TransactionArguments> = valueType(
  Type.Composite([callSchema, Type.Object(transactionFields)], { [hintKey]: 'must be an object' }),
  parseTransaction,
);

/** Argument of eth_sendTransaction: a call object with a sender. */
export const sendObject: ValueType<TransactionArguments> = valueType(
  Type.Composite([Type.Omit(callSchema, ['from']), Type.Object({ from: addressSchema, ...transactionFields })], {
    [hintKey]: 'must be an object',
  }),
  parseTransaction,
);
