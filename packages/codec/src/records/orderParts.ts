import type { Hex } from '@prime/primitives';
import type { RlpBackwards } from '../encoding/rlpBackwards.ts';

/** What records and events say first of an order. Price is wei per base unit, size base units. */
export interface OrderParts {
  orderId: number;
  marketId: number;
  /** 20 bytes. */
  owner: Uint8Array;
  /** 0 buys, 1 sells. */
  side: number;
  price: number | bigint;
  size: number | bigint;
  clientId: string | null;
}

/** Writes the fields that an order begins with, from its size to its id. */
export function orderFields(writer: RlpBackwards, parts: Readonly<OrderParts>): void {
  writer.quantity(parts.size);
  writer.quantity(parts.price);
  writer.number(parts.side);
  writer.shortString(parts.owner);
  writer.number(parts.marketId);
  writer.number(parts.orderId);
}

/** Writes the id that an owner gave an order, or that there is none. */
export function clientIdField(writer: RlpBackwards, clientId: string | null): void {
  if (clientId === null) writer.number(0);
  else writer.hex(clientId as Hex);
}
