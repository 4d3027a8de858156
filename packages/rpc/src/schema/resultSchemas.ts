import { type ObjectOptions, type TSchema, Type } from '@sinclair/typebox';

/** Shapes of answers: they feed the documentation, and the tests hold every example and handler against them. */
export const quantityResult = Type.String({ title: 'Quantity', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' });

/** A quantity that may be negative, with the sign before 0x. */
export const signedQuantityResult = Type.String({ title: 'SignedQuantity', pattern: '^-?0x(0|[1-9a-f][0-9a-f]*)$' });

/** 20 bytes in lower case, without the checksum of EIP-55. */
export const addressResult = Type.String({ title: 'Address', pattern: '^0x[0-9a-f]{40}$' });

/** 32 bytes in lower case. */
export const hashResult = Type.String({ title: 'Hash', pattern: '^0x[0-9a-f]{64}$' });

/** Any number of bytes in lower case; `0x` is none. */
export const dataResult = Type.String({ title: 'Data', pattern: '^0x([0-9a-f]{2})*$' });

/** For answers that are null where nothing was found. */
export const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

/** More fields may come. */
const open = (title: string): ObjectOptions => ({ title, additionalProperties: true });

/** A domain event, whose `data` depends on its kind. */
export const eventResult = Type.Object(
  {
    block_number: quantityResult,
    block_hash: hashResult,
    time_ms: quantityResult,
    index: quantityResult,
    domain: Type.String(),
    kind: Type.String(),
    transaction_hash: orNull(hashResult),
    /** Of the contract's write that caused it; then the hash is that of its transaction, in the block before. */
    ticket: Type.Optional(quantityResult),
    data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  },
  { title: 'DomainEvent' },
);

/** A log in Ethereum's shape; times in seconds. */
export const logResult = Type.Object(
  {
    address: addressResult,
    topics: Type.Array(hashResult),
    data: dataResult,
    blockNumber: quantityResult,
    blockHash: hashResult,
    blockTimestamp: quantityResult,
    transactionHash: hashResult,
    transactionIndex: quantityResult,
    logIndex: quantityResult,
    removed: Type.Boolean(),
  },
  { title: 'Log' },
);

/** A transaction of any type in Ethereum's shape; block fields are null while it waits. */
export const transactionResult = Type.Object(
  {
    hash: hashResult,
    type: quantityResult,
    from: addressResult,
    to: orNull(addressResult),
    value: quantityResult,
    gas: quantityResult,
    gasPrice: quantityResult,
    nonce: quantityResult,
    input: dataResult,
    blockNumber: orNull(quantityResult),
    blockHash: orNull(hashResult),
    transactionIndex: orNull(quantityResult),
  },
  open('Transaction'),
);

const blockFields = {
  number: quantityResult,
  hash: orNull(hashResult),
  proposer: addressResult,
  gas_limit: quantityResult,
  gas_used: quantityResult,
  base_fee: quantityResult,
  state_root: hashResult,
  domain_events: Type.Array(eventResult),
  transactions: Type.Array(Type.Union([hashResult, transactionResult])),
};

/** A block in Ethereum's shape, under its eth_ names. */
export const ethBlockResult = Type.Object(
  {
    ...blockFields,
    parentHash: hashResult,
    miner: addressResult,
    stateRoot: hashResult,
    receiptsRoot: hashResult,
    logsBloom: dataResult,
    gasLimit: quantityResult,
    gasUsed: quantityResult,
    baseFeePerGas: quantityResult,
    timestamp: quantityResult,
    size: quantityResult,
  },
  open('Block'),
);

const evidenceMessage = Type.Object({
  block_hash: orNull(hashResult),
  /** Of a proposal that was made before: the round whose prevotes justify it. */
  pol_round: orNull(quantityResult),
  signature: dataResult,
});
const evidenceResult = Type.Object(
  {
    validator: addressResult,
    signed: Type.Union([Type.Literal('prevote'), Type.Literal('precommit'), Type.Literal('proposal')]),
    height: quantityResult,
    round: quantityResult,
    first: evidenceMessage,
    second: evidenceMessage,
  },
  { title: 'BlockEvidence' },
);

/** A block with what the chain has beyond Ethereum, under its prime_ names. */
export const nativeBlockResult = Type.Object(
  {
    ...blockFields,
    parent_hash: hashResult,
    timestamp: quantityResult,
    timestamp_ms: quantityResult,
    orders_root: orNull(hashResult),
    receipts_root: hashResult,
    events_root: hashResult,
    validators_hash: hashResult,
    next_validators_hash: hashResult,
    commit: orNull(
      Type.Object({
        round: quantityResult,
        signature_count: quantityResult,
        signers: Type.Array(addressResult),
      }),
    ),
    last_commit_round: orNull(quantityResult),
    transaction_count: quantityResult,
    action_count: quantityResult,
    evidence: Type.Array(evidenceResult),
  },
  open('NativeBlock'),
);

const receiptFields = {
  transaction_hash: hashResult,
  block_hash: hashResult,
  block_number: quantityResult,
  transaction_index: quantityResult,
  status: quantityResult,
  gas_used: quantityResult,
  output: dataResult,
  logs: Type.Array(logResult),
  contract_address: orNull(addressResult),
};

/** A receipt in Ethereum's shape; gas price in wei. */
export const ethReceiptResult = Type.Object(
  {
    ...receiptFields,
    transactionHash: hashResult,
    blockHash: hashResult,
    blockNumber: quantityResult,
    cumulativeGasUsed: quantityResult,
    effectiveGasPrice: quantityResult,
    logsBloom: dataResult,
  },
  open('Receipt'),
);

/** A trade; price in wei per base unit, size in base units, side that of the taker. */
export const tradeResult = Type.Object(
  {
    trade_id: quantityResult,
    price: quantityResult,
    size: quantityResult,
    maker_order_id: quantityResult,
    taker_order_id: quantityResult,
    maker: addressResult,
    taker: addressResult,
    side: Type.String(),
    fee: signedQuantityResult,
  },
  { title: 'Trade' },
);

/** A price level: wei per base unit, and base units. */
export const levelResult = Type.Object({ price: quantityResult, size: quantityResult }, { title: 'PriceLevel' });

/** Both sides ascending by price. */
export const orderBookResult = Type.Object(
  { bids: Type.Array(levelResult), asks: Type.Array(levelResult) },
  { title: 'OrderBook' },
);

const proofNodes = Type.Array(dataResult);

/** Answer of EIP-1186; proofs are lists of RLP nodes from the root down. */
export const accountProofResult = Type.Object({
  address: addressResult,
  accountProof: proofNodes,
  balance: quantityResult,
  codeHash: hashResult,
  nonce: quantityResult,
  storageHash: hashResult,
  storageProof: Type.Array(Type.Object({ key: hashResult, value: quantityResult, proof: proofNodes })),
});
