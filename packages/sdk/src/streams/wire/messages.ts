import type { NativeBlockHead } from '../../types/chain.ts';
import type { OpenOrder } from '../../types/order.ts';
import type { Hash } from '../../types/primitives.ts';
import type { Fill, HeldPosition, StreamedTrade } from '../types.ts';
import {
  type Json,
  orNull,
  toAmount,
  toBigInt,
  toHex,
  toList,
  toNumber,
  toObject,
  toSide,
  toTif,
  toWord,
} from './fields.ts';
import { blockPosition } from './position.ts';

/** What notifications and answers say, in the SDK's words. All throw StreamError `STREAM_MESSAGE_MALFORMED`. */

/** A head of the chain, or the block of that number. */
export interface Head {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  readonly parentHash: Hash;
}

/**
 * Head of a block in a notification.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readHead(value: unknown): Head {
  const json = toObject(value, 'a head');
  return {
    blockNumber: toAmount(json['number'], 'number'),
    blockHash: toHex(json['hash'], 'hash'),
    parentHash: toHex(json['parentHash'], 'parentHash'),
  };
}

/** A head in the native format, with who decided the block. */
export function readBlockHead(value: unknown): NativeBlockHead {
  const json = toObject(value, 'a head');
  const commit = orNull(toObject)(json['commit'], 'commit');
  return {
    number: toAmount(json['number'], 'number'),
    hash: toHex(json['hash'], 'hash'),
    parentHash: toHex(json['parent_hash'], 'parent_hash'),
    proposer: toHex(json['proposer'], 'proposer'),
    timestampMs: toNumber(json['timestamp_ms'], 'timestamp_ms'),
    gasLimit: toAmount(json['gas_limit'], 'gas_limit'),
    gasUsed: toAmount(json['gas_used'], 'gas_used'),
    baseFee: toAmount(json['base_fee'], 'base_fee'),
    stateRoot: toHex(json['state_root'], 'state_root'),
    receiptsRoot: toHex(json['receipts_root'], 'receipts_root'),
    eventsRoot: toHex(json['events_root'], 'events_root'),
    validatorsHash: toHex(json['validators_hash'], 'validators_hash'),
    nextValidatorsHash: toHex(json['next_validators_hash'], 'next_validators_hash'),
    commit: commit === null ? null : readCommit(commit),
    lastCommitRound: orNull(toNumber)(json['last_commit_round'], 'last_commit_round'),
    transactionCount: toNumber(json['transaction_count'], 'transaction_count'),
    actionCount: toNumber(json['action_count'], 'action_count'),
  };
}

const readCommit = (json: Json): NonNullable<NativeBlockHead['commit']> => ({
  round: toNumber(json['round'], 'round'),
  signatureCount: toNumber(json['signature_count'], 'signature_count'),
  signers: toList(json['signers'], 'signers').map((signer) => toHex(signer, 'a signer')),
});

/**
 * Trades of one market in one block.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readTrades(value: unknown): readonly StreamedTrade[] {
  const json = toObject(value, 'trades');
  const position = blockPosition(json);
  const marketId = toNumber(json['market_id'], 'market_id');
  return toList(json['trades'], 'trades').map((entry) => {
    const trade = toObject(entry, 'a trade');
    return {
      ...position,
      marketId,
      tradeId: toNumber(trade['trade_id'], 'trade_id'),
      price: toAmount(trade['price'], 'price'),
      size: toAmount(trade['size'], 'size'),
      makerOrderId: toNumber(trade['maker_order_id'], 'maker_order_id'),
      takerOrderId: toNumber(trade['taker_order_id'], 'taker_order_id'),
      maker: orNull(toHex)(trade['maker'], 'maker'),
      taker: orNull(toHex)(trade['taker'], 'taker'),
      side: toSide(trade['side'], 'side'),
      fee: toBigInt(trade['fees'], 'fees'),
    };
  });
}

/**
 * Fills of one account in one block.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readFills(value: unknown): readonly Fill[] {
  const json = toObject(value, 'fills');
  const position = blockPosition(json);
  return toList(json['fills'], 'fills').map((entry) => {
    const fill = toObject(entry, 'a fill');
    return {
      ...position,
      eventIndex: toNumber(fill['event_index'], 'event_index'),
      tradeId: orNull(toNumber)(fill['trade_id'], 'trade_id'),
      orderId: orNull(toNumber)(fill['order_id'], 'order_id'),
      marketId: toNumber(fill['market_id'], 'market_id'),
      side: toSide(fill['side'], 'side'),
      price: orNull(toAmount)(fill['price'], 'price'),
      size: toAmount(fill['size'], 'size'),
      value: toAmount(fill['value'], 'value'),
      fee: toBigInt(fill['fees'], 'fees'),
      liquidity: orNull((word, name) => toWord(['maker', 'taker'] as const, word, name))(
        fill['liquidity'],
        'liquidity',
      ),
      kind: toWord(['trade', 'liquidation', 'deleveraging'] as const, fill['kind'], 'kind'),
    };
  });
}

/**
 * A resting order, price and size in the smallest units.
 *
 * @throws StreamError `STREAM_MESSAGE_MALFORMED`
 */
export function readOpenOrder(value: unknown): OpenOrder {
  const json = toObject(value, 'an open order');
  return {
    orderId: toNumber(json['order_id'], 'order_id'),
    marketId: toNumber(json['market_id'], 'market_id'),
    owner: toHex(json['owner'], 'owner'),
    side: toSide(json['side'], 'side'),
    price: toAmount(json['price'], 'price'),
    size: toAmount(json['size'], 'size'),
    filled: toAmount(json['filled'], 'filled'),
    remaining: toAmount(json['remaining'], 'remaining'),
    tif: toTif(json['tif'], 'tif'),
    clientId: orNull(toHex)(json['client_id'], 'client_id'),
    createdBlock: toAmount(json['created_block'], 'created_block'),
    expiresAtSeconds: toNumber(json['expires_at'], 'expires_at'),
  };
}

/** Collateral and positions of `primeorders_getAccount`. */
export function readHoldings(value: unknown): {
  readonly collateral: bigint;
  readonly positions: readonly HeldPosition[];
} {
  const json = toObject(value, 'an account');
  return {
    collateral: toBigInt(json['collateral'], 'collateral'),
    positions: toList(json['positions'], 'positions').map((entry) => {
      const position = toObject(entry, 'a position');
      return {
        marketId: toNumber(position['market_id'], 'market_id'),
        size: toBigInt(position['size'], 'size'),
        entry: toAmount(position['entry'], 'entry'),
      };
    }),
  };
}
