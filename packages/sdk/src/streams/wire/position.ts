import type { BlockPosition } from '../types.ts';
import { type Json, toAmount, toHex, toNumber } from './fields.ts';

/** The block that a message is about. */
export const blockPosition = (json: Json): BlockPosition => ({
  blockNumber: toAmount(json['block_number'], 'block_number'),
  blockHash: toHex(json['block_hash'], 'block_hash'),
  timeMs: toNumber(json['time_ms'], 'time_ms'),
});
