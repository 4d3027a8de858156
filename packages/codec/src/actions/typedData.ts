import { keccak256 } from '@prime/crypto';
import { bigintToBytes, bytesToHex, concatBytes, hexToBytes, utf8ToBytes, zeroAddress } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';
import { encodeRlp } from '../encoding/rlp.ts';
import { triggerFlagBits } from './orderPayloads.ts';
import { type SelfTradeMode, selfTradeModes, timesInForce, triggerKinds } from './orderWords.ts';
import { changeText } from '../genesis/changeJson.ts';
import { ordersAddress } from '../genesis/protocolAddresses.ts';
import type {
  ActionPayload,
  BracketLeg,
  OrderFields,
  SignerClaim,
  UnsignedNativeTransaction,
  ValidatorEndpoint,
} from '../types.ts';

/**
 * Native transactions as EIP-712 typed data, so that a wallet shows what it signs: one struct per action type, its fields by
 * name and in units that a person can read. docs/protocol/native-transactions.md lists the types and has test vectors.
 */

type TypedDataFieldType =
  | 'address'
  | 'bool'
  | 'uint8'
  | 'uint32'
  | 'uint64'
  | 'uint256'
  | 'bytes16'
  | 'bytes32'
  | 'bytes'
  | 'string';

/** A member of an EIP-712 struct. */
export interface TypedDataField {
  readonly name: string;
  readonly type: TypedDataFieldType;
}

/** A struct's fields as every signer names them, and their values. Numbers are bigints, bytes and addresses hex. */
export interface TypedData {
  readonly domain: {
    readonly name: 'PrimeCLOB';
    readonly version: '1';
    readonly chainId: number;
    readonly verifyingContract: `0x${string}`;
  };
  readonly primaryType: string;
  readonly fields: readonly TypedDataField[];
  readonly message: Readonly<Record<string, TypedDataValue>>;
}
/** Numbers are bigints; bytes and addresses are hex text. */
export type TypedDataValue = string | bigint | boolean;

type ActionType = ActionPayload['type'];
type Payload<Type extends ActionType> = Extract<ActionPayload, { readonly type: Type }>;
type Values = readonly TypedDataValue[];

interface StructOf<Type extends ActionType> {
  readonly name: string;
  /** `type name`, as in the type string; between `address account` and `uint64 nonce,uint64 expiresAt`. */
  readonly fields: readonly `${TypedDataFieldType} ${string}`[];
  readonly values: (payload: Payload<Type>, transaction: UnsignedNativeTransaction) => Values;
}

const noClientId = `0x${'00'.repeat(16)}`;
/** Above the bits of post-only and reduce-only. */
const selfTradeBits = (mode: SelfTradeMode): bigint => BigInt(selfTradeModes.indexOf(mode) << 2);

/** No client id and one of zeros would be signed alike, so the latter is not for this kind of signature. */
const clientIdOf = (clientId: string | null): string =>
  clientId === noClientId
    ? invalidField('clientId', 'all zeros can not be signed as typed data')
    : (clientId ?? noClientId);

const claimValues = ({ publicKey, proof }: SignerClaim): Values => [bytesToHex(publicKey), bytesToHex(proof)];
const endpointValues = ({ host, port, spki }: ValidatorEndpoint): Values => [host, BigInt(port), spki];

const orderStruct = [
  'uint32 market',
  'bool buy',
  'uint256 price',
  'uint256 size',
  'uint8 tif',
  'uint8 flags',
  'bytes16 clientId',
  'uint64 orderExpiry',
] as const;
const orderValues = (order: OrderFields): Values => [
  BigInt(order.marketId),
  order.side === 'buy',
  order.price,
  order.size,
  BigInt(timesInForce.indexOf(order.tif)),
  (order.postOnly ? 1n : 0n) + (order.reduceOnly ? 2n : 0n) + selfTradeBits(order.selfTrade),
  clientIdOf(order.clientId),
  BigInt(order.expiresAt),
];

/** Prices of 0 say that there is none, as a leg that is not there. */
const legValues = (leg: BracketLeg | null, field: string): Values => {
  if (leg === null) return [0n, 0n];
  if (leg.triggerPrice === 0n) return invalidField(field, 'a price of 0 can not be signed as typed data');
  return [leg.triggerPrice, leg.limitPrice];
};

const structs: { readonly [Type in ActionType]: StructOf<Type> } = {
  order: {
    name: 'Order',
    fields: orderStruct,
    values: orderValues,
  },
  cancel: { name: 'CancelOrder', fields: ['uint64 orderId'], values: ({ orderId }) => [BigInt(orderId)] },
  cancelByClientId: {
    name: 'CancelByClientId',
    fields: ['uint32 market', 'bytes16 clientId'],
    values: ({ marketId, clientId }) => [BigInt(marketId), clientId],
  },
  cancelAll: {
    name: 'CancelAll',
    fields: ['uint32 market'],
    values: ({ marketId }) => [BigInt(marketId ?? 0)],
  },
  scheduleCancel: { name: 'ScheduleCancel', fields: ['uint64 atMs'], values: ({ atMs }) => [BigInt(atMs)] },
  batch: {
    name: 'Batch',
    fields: ['uint32 count', 'bytes32 actionsHash'],
    values: ({ items }, transaction) => [BigInt(items.length), bytesToHex(hashOfItems(items, transaction))],
  },
  modify: {
    name: 'ModifyOrder',
    fields: ['uint64 orderId', 'uint256 price', 'uint256 size'],
    values: ({ orderId, price, size }) => [BigInt(orderId), price, size],
  },
  deposit: { name: 'Deposit', fields: ['uint256 amount'], values: ({ amount }) => [amount] },
  withdraw: {
    name: 'Withdraw',
    fields: ['uint256 amount', 'address to'],
    values: ({ amount, to }) => [amount, to],
  },
  transfer: {
    name: 'Transfer',
    fields: ['address to', 'uint256 amount'],
    values: ({ to, amount }) => [to, amount],
  },
  liquidate: { name: 'Liquidate', fields: ['address target'], values: ({ address }) => [address] },
  addMarket: {
    name: 'AddMarket',
    fields: ['string symbol', 'uint256 tickSize', 'uint256 lotSize', 'uint8 baseDecimals', 'uint8 quoteDecimals'],
    values: ({ symbol, tickSize, lotSize, baseDecimals, quoteDecimals }) => [
      symbol,
      tickSize,
      lotSize,
      BigInt(baseDecimals),
      BigInt(quoteDecimals),
    ],
  },
  setMargin: {
    name: 'SetMargin',
    fields: ['uint32 market', 'uint32 initialMarginBps', 'uint32 maintenanceMarginBps'],
    values: (margin) => [
      BigInt(margin.marketId ?? 0),
      BigInt(margin.initialMarginBps),
      BigInt(margin.maintenanceMarginBps),
    ],
  },
  approveAgent: {
    name: 'ApproveAgent',
    fields: ['address agent', 'uint64 expiry', 'uint32 permissions', 'string name'],
    values: ({ agent, expiry, permissions, name }) => [agent, BigInt(expiry), BigInt(permissions), name],
  },
  revokeAgent: { name: 'RevokeAgent', fields: ['address agent'], values: ({ agent }) => [agent] },
  bridgeDequeue: {
    name: 'BridgeDequeue',
    fields: ['string direction', 'uint32 max'],
    values: ({ direction, max }) => [direction, BigInt(max)],
  },
  noop: { name: 'Noop', fields: [], values: () => [] },
  lockAccount: { name: 'LockAccount', fields: [], values: () => [] },
  enqueueEvmToOrders: {
    name: 'EnqueueEvmToOrders',
    fields: ['address to', 'uint256 amount'],
    values: ({ to, amount }) => [to, amount],
  },
  oracleReport: {
    name: 'OracleReport',
    fields: ['uint64 observedAt', 'uint32 count', 'bytes32 pricesHash'],
    values: ({ observedAtMs, prices }) => [
      BigInt(observedAtMs),
      BigInt(prices.length),
      bytesToHex(keccak256(encodeRlp(prices.map(({ marketId, price }) => [marketId, price])))),
    ],
  },
  change: {
    name: 'ChangeParameter',
    fields: ['string change', 'uint64 atHeight'],
    values: ({ change, atHeight }) => [changeText(change), BigInt(atHeight)],
  },
  propose: {
    name: 'Propose',
    fields: ['string change', 'uint64 activationHeight', 'uint64 expiryHeight'],
    values: ({ change, activationHeight, expiryHeight }) => [
      changeText(change),
      BigInt(activationHeight),
      BigInt(expiryHeight),
    ],
  },
  vote: { name: 'Vote', fields: ['bytes32 proposal', 'bool yes'], values: ({ proposal, yes }) => [proposal, yes] },
  trigger: {
    name: 'PlaceTrigger',
    fields: [
      'uint32 market',
      'bool buy',
      'uint8 kind',
      'uint256 triggerPrice',
      'uint256 limitPrice',
      'uint256 size',
      'uint8 flags',
      'bytes16 clientId',
      'uint64 orderExpiry',
      'uint32 group',
    ],
    values: (trigger) => [
      BigInt(trigger.marketId),
      trigger.side === 'buy',
      BigInt(triggerKinds.indexOf(trigger.kind)),
      trigger.triggerPrice,
      trigger.limitPrice,
      trigger.size,
      BigInt(triggerFlagBits(trigger)),
      clientIdOf(trigger.clientId),
      BigInt(trigger.expiresAt),
      BigInt(trigger.group),
    ],
  },
  bracket: {
    name: 'PlaceBracket',
    fields: [
      ...orderStruct,
      'uint256 stopPrice',
      'uint256 stopLimitPrice',
      'uint256 takeProfitPrice',
      'uint256 takeProfitLimitPrice',
    ],
    values: (bracket) => [
      ...orderValues(bracket),
      ...legValues(bracket.stop, 'stop'),
      ...legValues(bracket.takeProfit, 'takeProfit'),
    ],
  },
  createSubAccount: { name: 'CreateSubAccount', fields: ['uint32 index'], values: ({ index }) => [BigInt(index)] },
  validatorJoin: {
    name: 'ValidatorJoin',
    fields: [
      'bytes signerKey',
      'bytes signerProof',
      'uint256 stake',
      'string moniker',
      'string host',
      'uint32 port',
      'bytes32 tlsKeyHash',
    ],
    values: (join) => [...claimValues(join), join.stake, join.moniker, ...endpointValues(join)],
  },
  validatorLeave: { name: 'ValidatorLeave', fields: [], values: () => [] },
  validatorBond: { name: 'ValidatorBond', fields: ['uint256 amount'], values: ({ amount }) => [amount] },
  validatorUnbond: { name: 'ValidatorUnbond', fields: ['uint256 amount'], values: ({ amount }) => [amount] },
  validatorRotateSigner: {
    name: 'ValidatorRotateSigner',
    fields: ['bytes signerKey', 'bytes signerProof'],
    values: claimValues,
  },
  validatorUnjail: { name: 'ValidatorUnjail', fields: [], values: () => [] },
  validatorJail: { name: 'ValidatorJail', fields: [], values: () => [] },
  validatorSetEndpoint: {
    name: 'ValidatorSetEndpoint',
    fields: ['string host', 'uint32 port', 'bytes32 tlsKeyHash'],
    values: endpointValues,
  },
  validatorSetOracleKey: {
    name: 'ValidatorSetOracleKey',
    fields: ['address key'],
    values: ({ key }) => [key ?? zeroAddress],
  },
};

const structOf = (type: ActionType): StructOf<ActionType> => structs[type] as StructOf<ActionType>;

function fieldsOf(type: ActionType): TypedDataField[] {
  return ['address account', ...structOf(type).fields, 'uint64 nonce', 'uint64 expiresAt'].map((text) => {
    const [fieldType, name] = text.split(' ') as [TypedDataFieldType, string];
    return { name, type: fieldType };
  });
}

/** The `encodeType` of EIP-712: `Order(address account,uint32 market,…)`. */
export const typedDataTypeString = (type: ActionType): string =>
  `${structOf(type).name}(${fieldsOf(type)
    .map((field) => `${field.type} ${field.name}`)
    .join(',')})`;

function valuesOf(transaction: UnsignedNativeTransaction): Values {
  const { account, nonce, expiresAt, payload } = transaction;
  return [account, ...structOf(payload.type).values(payload, transaction), BigInt(nonce), BigInt(expiresAt)];
}

const domainName = 'PrimeCLOB';
const domainVersion = '1';
const verifyingContract = ordersAddress as string as `0x${string}`;

/** The domain in words, for whoever signed over another one. */
export const domainInWords = (chainId: number): string =>
  `name "${domainName}", version "${domainVersion}", chainId ${chainId}, verifyingContract ${verifyingContract}`;

const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const hashOfText = (text: string): Uint8Array => keccak256(utf8ToBytes(text));

function domainSeparator(chainId: number): Uint8Array {
  const words = [domainName, domainVersion].map(hashOfText);
  return keccak256(
    concatBytes(
      hashOfText(domainType),
      ...words,
      encodeWord('uint256', BigInt(chainId)),
      encodeWord('address', verifyingContract),
    ),
  );
}

/** One word of EIP-712's `encodeData`. */
function encodeWord(type: TypedDataFieldType, value: TypedDataValue): Uint8Array {
  if (type === 'string') return hashOfText(value as string);
  if (type === 'bytes') return keccak256(hexToBytes(value as string));
  const bytes = typeof value === 'string' ? hexToBytes(value) : bigintToBytes(BigInt(value));
  const word = new Uint8Array(32);
  // Everything stands at the end of its word, but bytesN at the beginning.
  word.set(bytes, type.startsWith('bytes') ? 0 : 32 - bytes.length);
  return word;
}

const typeHashes = new Map<ActionType, Uint8Array>(
  (Object.keys(structs) as ActionType[]).map((type) => [type, hashOfText(typedDataTypeString(type))]),
);

function hashStruct(transaction: UnsignedNativeTransaction): Uint8Array {
  const { type } = transaction.payload;
  const values = valuesOf(transaction);
  return keccak256(
    concatBytes(typeHashes.get(type)!, ...fieldsOf(type).map((field, index) => encodeWord(field.type, values[index]!))),
  );
}

/** What EIP-712 gives for an array of structs, each item with the batch's own account, nonce and expiry. */
const hashOfItems = (items: readonly ActionPayload[], transaction: UnsignedNativeTransaction): Uint8Array =>
  keccak256(concatBytes(...items.map((payload) => hashStruct({ ...transaction, payload }))));

/** What a wallet is asked to sign (eth_signTypedData_v4). @throws CodecError `CODEC_FIELD_INVALID` */
export function typedDataOf(transaction: UnsignedNativeTransaction): TypedData {
  const { type } = transaction.payload;
  const fields = fieldsOf(type);
  const values = valuesOf(transaction);
  return {
    domain: { name: domainName, version: domainVersion, chainId: transaction.chainId, verifyingContract },
    primaryType: structOf(type).name,
    fields,
    message: Object.fromEntries(fields.map(({ name }, index) => [name, values[index]!])),
  };
}

/** keccak256(0x1901 | domain separator | hashStruct). @throws CodecError `CODEC_FIELD_INVALID` */
export const typedDataDigest = (transaction: UnsignedNativeTransaction): Uint8Array =>
  keccak256(concatBytes(Uint8Array.of(0x19, 0x01), domainSeparator(transaction.chainId), hashStruct(transaction)));
