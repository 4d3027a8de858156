import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeOrdersProof } from '../../../decode/chain.ts';
import { toQuantity } from '../../../decode/quantity.ts';
import { marketIdOf } from '../../../decode/references.ts';
import type { OrdersProof } from '../../../types/chain.ts';
import type { Address, MarketReference, Price, Side } from '../../../types/primitives.ts';

/** Which record: an order, a market, a price level, an account, or the totals of the order book. */
export type GetOrdersProofParameters =
  | { readonly orderId: number }
  | { readonly market: MarketReference }
  | { readonly market: MarketReference; readonly side: Side; readonly price: Price }
  | { readonly address: Address }
  | { readonly global: true };
/** Not verified yet: `verifyRecord` of the light client does. */
export type GetOrdersProofReturnType = OrdersProof;

function selectorOf(record: GetOrdersProofParameters) {
  if ('orderId' in record) return { order_id: toQuantity(record.orderId) };
  if ('address' in record) return { address: record.address };
  if ('global' in record) return { global: record.global };
  const market_id = marketIdOf(record.market);
  return 'price' in record ? { market_id, side: record.side, price: toQuantity(record.price) } : { market_id };
}

/**
 * A record of the order book with what proves it, or its absence, under the state root of the newest block.
 *
 * @throws RpcAnswerError for levels where genesis has no `clob.levelProofs`
 * @see docs/protocol/orders-root.md
 */
export async function getOrdersProof(
  client: PrimeClient,
  record: GetOrdersProofParameters,
): Promise<GetOrdersProofReturnType> {
  return decodeOrdersProof(await callRpc(client, 'primeorders_getProof', [selectorOf(record)]));
}
