import { keccak256, numberToHex, stringToBytes } from 'viem';

/**
 * Client ids of a bot's orders. They follow from the bot's name, its market, the block that it decided by and the place in that decision,
 * so that nothing has to be remembered:
 *
 * - a bot that begins again knows its orders by the first half;
 * - a decision that is made twice from the same block has the same ids, and the chain refuses the second order (`duplicate_client_id`).
 */
export interface ClientIds {
  /** Whether an order is one of this bot's, also of an earlier process. */
  isOwn(clientId: string | null): boolean;
  /** @param index place among the orders of one decision, below 2^16 */
  next(basisBlock: bigint, index: number): `0x${string}`;
}

const prefixBytes = 8;
const blockBytes = 6;
const indexBytes = 2;

/** @param name of the bot; two bots of one account have different ones */
export function createClientIds(name: string, marketId: number): ClientIds {
  const prefix = keccak256(stringToBytes(`prime-bot:${marketId}:${name}`)).slice(0, 2 + 2 * prefixBytes);
  return {
    isOwn: (clientId) => clientId !== null && clientId.toLowerCase().startsWith(prefix),
    next: (basisBlock, index) =>
      `${prefix}${numberToHex(basisBlock, { size: blockBytes }).slice(2)}${numberToHex(index, { size: indexBytes }).slice(2)}` as `0x${string}`,
  };
}
