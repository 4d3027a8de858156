import { InvalidActionError } from '../errors/own.ts';
import type { Hex, BlockReference, MarketReference } from '../types/primitives.ts';
import { toQuantity } from './quantity.ts';

const marketIdMax = 0xffff_ffff;

/** @throws InvalidActionError */
export function marketIdOf(market: MarketReference): number {
  const id = typeof market === 'number' ? market : market.marketId;
  if (Number.isInteger(id) && id >= 1 && id <= marketIdMax) return id;
  throw new InvalidActionError('market', `has to be an id from 1 to ${marketIdMax} or a market, not ${String(id)}`);
}

/** A block as JSON-RPC takes it. */
export const blockParameter = (block: BlockReference): Hex =>
  typeof block === 'bigint' ? toQuantity(block) : (block as Hex);
