import type { Address, Hash, Hex } from 'viem';

export type { Address, Hash, Hex };

declare const unit: unique symbol;

/** A bigint that says what it counts: any bigint can be given, but not one that counts something else. */
type Counted<Unit extends string> = bigint & { readonly [unit]?: Unit };

/** Price as the chain has it: wei of the quote for one base unit. Made by `market.price('3012.55')`. */
export type Price = Counted<'price'>;
/** Size as the chain has it: base units. Made by `market.size('0.25')`. */
export type Size = Counted<'size'>;
/** Wei of the quote. Made by `market.quote('100')` or viem's `parseEther`. */
export type Wei = Counted<'wei'>;

/** Direction of an order; of a trade, the taker's. */
export type Side = 'buy' | 'sell';
/** gtc rests until it is filled or cancelled, ioc never rests, fok is filled whole or not at all. */
export type TimeInForce = 'gtc' | 'ioc' | 'fok';
/** What happens where an account would trade with itself. */
export type SelfTradeMode = 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement';
/** Way of a transfer between order book and EVM. */
export type TransferDirection = 'orders_to_evm' | 'evm_to_orders';
/**
 * What an agent may do: trade is order and modify, cancel every cancel, liquidate the closing of other accounts. With sub_accounts it does so for the
 * sub-accounts of the owner, too.
 */
export type AgentPermission = 'trade' | 'cancel' | 'liquidate' | 'sub_accounts';

/** A market, or its id. */
export type MarketReference = number | { readonly marketId: number };
/** Blocks by name, as Ethereum's JSON-RPC has them. */
export type BlockTag = 'latest' | 'pending' | 'earliest' | 'safe' | 'finalized';
/** A block by number, tag or hash. */
export type BlockReference = bigint | BlockTag | Hash;
