import { Type } from '@sinclair/typebox';
import type { AccountOverride, BlockOverrides, SlotOverride } from '@prime/codec';
import { type Hash, type Height, hexToBytes, parseAddress, parseHash, type TimestampMs } from '@prime/primitives';
import { invalidParams } from '../errors/errors.ts';
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

/**
 * What a caller may assume about state and block: arguments three and four of eth_call and eth_estimateGas, and parts of
 * eth_simulateV1 and debug_traceCall. Names and rules are go-ethereum's; unknown names are refused, because a misspelt override
 * that is passed over gives a wrong answer that looks right.
 */

const strict = (text: string) => ({ additionalProperties: false, [hintKey]: text });
const slotsSchema = Type.Record(Type.String(), hashSchema, {
  [hintKey]: 'must be an object of slots and 32-byte words',
});

const accountSchema = Type.Object(
  {
    nonce: Type.Optional(nullable(quantity64Schema)),
    balance: Type.Optional(nullable(quantitySchema)),
    code: Type.Optional(nullable(dataSchema)),
    state: Type.Optional(nullable(slotsSchema)),
    stateDiff: Type.Optional(nullable(slotsSchema)),
    movePrecompileToAddress: Type.Optional(nullable(addressSchema)),
  },
  strict('must be {nonce, balance, code, state, stateDiff, movePrecompileToAddress}, each optional'),
);

type WireSlots = Readonly<Record<string, string>> | null | undefined;
interface WireAccountOverride {
  readonly nonce?: string | null;
  readonly balance?: string | null;
  readonly code?: string | null;
  readonly state?: WireSlots;
  readonly stateDiff?: WireSlots;
  readonly movePrecompileToAddress?: string | null;
}

/** Overrides of accounts as go-ethereum's state override set has them, by address. */
export type WireStateOverrides = Readonly<Record<string, WireAccountOverride>>;

const amount = (value: string | null | undefined): bigint | null => (value == null ? null : BigInt(value));
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const slotPattern = /^0x[0-9a-fA-F]{1,64}$/;

function slots(path: string, wire: WireSlots): readonly SlotOverride[] | null {
  if (wire == null) return null;
  return Object.entries(wire).map(([slot, value]) => {
    if (!slotPattern.test(slot)) throw invalidParams(path, 'has a key that is not 0x and 1 to 64 hex digits');
    return { slot: `0x${slot.slice(2).toLowerCase().padStart(64, '0')}` as Hash, value: parseHash(value) };
  });
}

function parseAccount(key: string, wire: WireAccountOverride): AccountOverride {
  if (!addressPattern.test(key)) throw invalidParams('stateOverrides', 'has a key that is not 0x and 40 hex digits');
  const path = `stateOverrides.${key}`;
  if (wire.state != null && wire.stateDiff != null)
    throw invalidParams(path, `account ${key} has both 'state' and 'stateDiff'`);
  return {
    address: parseAddress(key),
    nonce: amount(wire.nonce),
    balance: amount(wire.balance),
    code: wire.code == null ? null : hexToBytes(wire.code),
    state: slots(`${path}.state`, wire.state),
    stateDiff: slots(`${path}.stateDiff`, wire.stateDiff),
    movePrecompileTo: wire.movePrecompileToAddress == null ? null : parseAddress(wire.movePrecompileToAddress),
  };
}

/** @throws RpcError `RPC_INVALID_PARAMS` */
export const parseStateOverrides = (wire: WireStateOverrides): readonly AccountOverride[] =>
  Object.entries(wire).map(([key, account]) => parseAccount(key, account));

/** Form of the state override set; addresses are checked when it is parsed. */
export const stateOverridesSchema = Type.Record(Type.String(), accountSchema, {
  [hintKey]: 'must be an object of addresses and {nonce, balance, code, state, stateDiff, movePrecompileToAddress}',
});

/** State overrides by address. */
export const stateOverrides: ValueType<readonly AccountOverride[]> = valueType(
  stateOverridesSchema,
  parseStateOverrides,
);

/** Form of go-ethereum's block overrides, to be used within other objects. */
export const blockOverridesSchema = Type.Object(
  {
    number: Type.Optional(nullable(index.schema)),
    time: Type.Optional(nullable(index.schema)),
    gasLimit: Type.Optional(nullable(quantity64Schema)),
    feeRecipient: Type.Optional(nullable(addressSchema)),
    prevRandao: Type.Optional(nullable(Type.Union([hashSchema, quantitySchema]))),
    baseFeePerGas: Type.Optional(nullable(quantitySchema)),
    blobBaseFee: Type.Optional(nullable(quantitySchema)),
  },
  strict('must be {number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee}, each optional'),
);

/** Overrides of a header as they come; `time` is in seconds. */
export interface WireBlockOverrides {
  readonly number?: string | number | null;
  readonly time?: string | number | null;
  readonly gasLimit?: string | null;
  readonly feeRecipient?: string | null;
  readonly prevRandao?: string | null;
  readonly baseFeePerGas?: string | null;
  readonly blobBaseFee?: string | null;
}

/** Largest time of a block in seconds whose milliseconds are an exact number. */
const secondsMax = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** @throws RpcError `RPC_INVALID_PARAMS` */
export function parseBlockOverrides(wire: WireBlockOverrides): BlockOverrides {
  const seconds = wire.time == null ? null : Number(wire.time);
  if (seconds !== null && seconds > secondsMax)
    throw invalidParams('blockOverrides.time', `must be at most ${secondsMax}`);
  return {
    height: wire.number == null ? null : (Number(wire.number) as Height),
    timestampMs: seconds === null ? null : ((seconds * 1000) as TimestampMs),
    gasLimit: amount(wire.gasLimit),
    feeRecipient: wire.feeRecipient == null ? null : parseAddress(wire.feeRecipient),
    prevRandao:
      wire.prevRandao == null ? null : (`0x${wire.prevRandao.slice(2).toLowerCase().padStart(64, '0')}` as Hash),
    baseFee: amount(wire.baseFeePerGas),
    blobBaseFee: amount(wire.blobBaseFee),
  };
}

/** Parameter with overrides of the header that a call runs under. */
export const blockOverrides: ValueType<BlockOverrides> = valueType(blockOverridesSchema, parseBlockOverrides);
