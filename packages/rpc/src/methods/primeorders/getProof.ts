import { Type } from '@sinclair/typebox';
import {
  accountRecordKey,
  globalRecordKey,
  leafKeyOf,
  levelRecordKey,
  marketRecordKey,
  orderRecordKey,
  ordersAddress,
  type OrdersProofStep,
  recordInLeaf,
  type Side,
} from '@prime/codec';
import { bytesToHex, compareBytes, type Hash, parseAddress, toQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { formatAccountProof } from '../../format/proof.ts';
import { marketId, orderAmount, orderAmountSchema, orderFieldSchemas, orderId } from '../../orders/orderActions.ts';
import { accountProofResult, dataResult, hashResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample, sampleAccountProof } from '../../schema/samples.ts';
import { addressSchema, hintKey, valueType } from '../../schema/valueTypes.ts';

/** Of the order book's account: the orders root. */
const ordersRootSlot = `0x${'0'.repeat(64)}` as Hash;

interface Selected {
  readonly key: Uint8Array;
  /** Whether it tells about somebody's orders or money. */
  readonly ofAccount: boolean;
}

interface WireSelector {
  readonly order_id?: never;
  readonly market_id?: never;
  readonly side?: Side;
  readonly price?: string;
  readonly address?: string;
}

const closed = { additionalProperties: false };

/** One record of the order book. */
const recordSelector = valueType(
  Type.Union(
    [
      Type.Object({ order_id: orderId.schema }, closed),
      Type.Object({ market_id: marketId.schema }, closed),
      Type.Object({ market_id: marketId.schema, side: orderFieldSchemas.side, price: orderAmountSchema }, closed),
      Type.Object({ address: addressSchema }, closed),
      Type.Object({ global: Type.Literal(true) }, closed),
    ],
    { [hintKey]: 'must be one of {order_id}, {market_id}, {market_id, side, price}, {address}, {global: true}' },
  ),
  (value: WireSelector): Selected => {
    if (value.order_id !== undefined) return { key: orderRecordKey(orderId.parse(value.order_id)), ofAccount: true };
    if (value.market_id !== undefined) {
      const market = marketId.parse(value.market_id);
      const { side, price } = value;
      const key =
        side === undefined || price === undefined
          ? marketRecordKey(market)
          : levelRecordKey({ marketId: market, side, price: orderAmount.parse(price as never) });
      return { key, ofAccount: false };
    }
    if (value.address !== undefined) return { key: accountRecordKey(parseAddress(value.address)), ofAccount: true };
    return { key: globalRecordKey(), ofAccount: false };
  },
);

const formatStep = ({ depth, children }: OrdersProofStep): Record<string, unknown> => ({
  depth,
  children: children.map((child) => bytesToHex(child)),
});

/** What a light client verifies the order book with. */
export const getProof = defineMethod({
  name: 'primeorders_getProof',
  summary:
    'An order, a market, a price level, an account or the totals of the order book with what proves it, or its absence, under the state root of the newest block: the way in the tree of records to the orders root, and the orders root as slot 0 of 0x…0100 (EIP-1186). `key` and `record` are those of the leaf: for an order that of its page of eight ids. Levels are there where genesis has `clob.levelProofs`, elsewhere they are refused. How to check it: docs/protocol/orders-root.md.',
  params: [required('record', recordSelector)],
  result: Type.Object({
    block_number: quantityResult,
    block_hash: hashResult,
    state_root: hashResult,
    key: dataResult,
    present: Type.Boolean(),
    record: orNull(Type.Object({ key: dataResult, value: dataResult })),
    steps: Type.Array(Type.Object({ depth: Type.Integer(), children: Type.Array(hashResult) })),
    account_proof: accountProofResult,
  }),
  errors: ['RPC_STATE_NOT_KEPT'],
  cost: 'heavy',
  privacy: ({ ofAccount }) => ofAccount,
  examples: [
    {
      params: [{ global: true }],
      result: {
        block_number: sample.height,
        block_hash: sample.otherHash,
        state_root: sample.otherHash,
        key: '0x00',
        present: true,
        record: { key: '0x00', value: '0xc80101010180808080' },
        steps: [],
        account_proof: sampleAccountProof,
      },
    },
  ],
  handler: async ({ ports }, { key }) => {
    const { height, hash, stateRoot, steps, record } = await ports.ordersProver.prove(key);
    const leafKey = leafKeyOf(key);
    const isItsLeaf = record !== null && compareBytes(record.key, leafKey) === 0;
    const account = await ports.state.proof(ordersAddress, [ordersRootSlot], { height, stateRoot });
    return {
      block_number: toQuantity(height),
      block_hash: hash,
      state_root: stateRoot,
      key: bytesToHex(leafKey),
      present: isItsLeaf && recordInLeaf(key, record.value) !== null,
      record: record === null ? null : { key: bytesToHex(record.key), value: bytesToHex(record.value) },
      steps: steps.map(formatStep),
      account_proof: formatAccountProof(ordersAddress, account),
    };
  },
});
