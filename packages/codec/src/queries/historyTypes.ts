import type { Address, Hash, Height, OrderId } from '@prime/primitives';

/** What is looked for in committed blocks, and where in them it is found. */

/** Place among the transactions of a block and, behind them, its actions: what `transactionIndex` says of either. */
export interface BlockPlace {
  readonly height: Height;
  readonly index: number;
}

/** Where a hash stands in the committed chain; actions of the order book are counted apart from Ethereum transactions. */
export interface TransactionLocation {
  readonly kind: 'transaction' | 'action';
  readonly height: Height;
  /** Among those of its kind. */
  readonly index: number;
}

/** Which logs are wanted, of whatever blocks. */
export interface LogMatch {
  /** Empty matches every address. */
  readonly addresses: readonly Address[];
  /** Position by position the accepted topics; null or an empty list accepts any, also none. */
  readonly topics: readonly (readonly Hash[] | null)[];
}

/** What an order is looked for by. */
export type OrderKey =
  | { readonly orderId: OrderId }
  /** The live order with it, else the latest that had it. */
  | { readonly owner: Address; readonly clientId: string };
