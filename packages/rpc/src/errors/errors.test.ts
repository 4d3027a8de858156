import { describe, expect, it } from '@jest/globals';
import { type Hash, type Hex, InvariantError, PrimeError } from '@prime/primitives';
import {
  candlesNotKept,
  invalidParams,
  isInternalError,
  limitExceeded,
  RpcError,
  type RpcErrorCode,
  type RpcErrorDetail,
  toJsonRpcError,
} from './errors.ts';
import { sample } from '../schema/samples.ts';

const foreign = (code: string, message: string): PrimeError => new PrimeError(message, { code });
const hash = sample.hash as Hash;

const refusal = { code: 'CLOB_PRICE_OFF_TICK', message: 'off tick', data: { kind: 'tick' } };
/** A detail of each code, and the number that the interface document gives it. */
const numbers: { readonly [Code in RpcErrorCode]: readonly [Extract<RpcErrorDetail, { code: Code }>, number] } = {
  RPC_PARSE_ERROR: [{ code: 'RPC_PARSE_ERROR' }, -32700],
  RPC_INVALID_REQUEST: [{ code: 'RPC_INVALID_REQUEST' }, -32600],
  RPC_METHOD_NOT_FOUND: [{ code: 'RPC_METHOD_NOT_FOUND', method: 'x' }, -32601],
  RPC_INVALID_PARAMS: [{ code: 'RPC_INVALID_PARAMS', path: 'x' }, -32602],
  RPC_BLOCK_NOT_FOUND: [{ code: 'RPC_BLOCK_NOT_FOUND' }, -32000],
  RPC_NOTIFICATIONS_UNSUPPORTED: [{ code: 'RPC_NOTIFICATIONS_UNSUPPORTED' }, -32601],
  RPC_UNKNOWN_SUBSCRIPTION: [{ code: 'RPC_UNKNOWN_SUBSCRIPTION', kind: 'x' }, -32601],
  RPC_SUBSCRIPTION_NOT_FOUND: [{ code: 'RPC_SUBSCRIPTION_NOT_FOUND' }, -32000],
  RPC_FILTER_NOT_FOUND: [{ code: 'RPC_FILTER_NOT_FOUND' }, -32000],
  RPC_STATE_NOT_KEPT: [{ code: 'RPC_STATE_NOT_KEPT', height: 1, oldest: 9 }, -32000],
  RPC_HISTORY_PRUNED: [{ code: 'RPC_HISTORY_PRUNED', height: 1, oldest: 9 }, 4444],
  RPC_ORDER_NOT_KEPT: [{ code: 'RPC_ORDER_NOT_KEPT', oldest: 9 }, 4444],
  RPC_CANDLES_NOT_KEPT: [{ code: 'RPC_CANDLES_NOT_KEPT', fromMs: 1, oldestMs: 9 }, 4444],
  RPC_NOT_TRACEABLE: [{ code: 'RPC_NOT_TRACEABLE' }, -32000],
  RPC_EXECUTION_REVERTED: [{ code: 'RPC_EXECUTION_REVERTED', output: '0x' as Hex }, -32000],
  RPC_EXECUTION_FAILED: [{ code: 'RPC_EXECUTION_FAILED' }, -32000],
  RPC_UNKNOWN_ACCOUNT: [{ code: 'RPC_UNKNOWN_ACCOUNT', address: sample.address }, -32000],
  RPC_TRANSACTION_REFUSED: [{ code: 'RPC_TRANSACTION_REFUSED' }, -32000],
  RPC_TRANSACTION_MALFORMED: [{ code: 'RPC_TRANSACTION_MALFORMED' }, -32000],
  RPC_TRANSACTION_NOT_MINED: [{ code: 'RPC_TRANSACTION_NOT_MINED', hash, timeoutMs: 1 }, 4],
  RPC_UNAUTHORIZED: [{ code: 'RPC_UNAUTHORIZED' }, -32001],
  RPC_DISABLED_ON_SURFACE: [{ code: 'RPC_DISABLED_ON_SURFACE', method: 'x' }, -32004],
  RPC_METHOD_NOT_PERMITTED: [{ code: 'RPC_METHOD_NOT_PERMITTED', method: 'x', apiKey: 'y' }, -32001],
  RPC_API_KEY_REFUSED: [{ code: 'RPC_API_KEY_REFUSED' }, -32001],
  RPC_RATE_LIMITED: [{ code: 'RPC_RATE_LIMITED', limit: 'x', maximum: 1, retryAfterMs: 5 }, -32005],
  RPC_OVERLOADED: [{ code: 'RPC_OVERLOADED', limit: 'x', maximum: 1, retryAfterMs: 5 }, -32005],
  RPC_LIMIT_EXCEEDED: [{ code: 'RPC_LIMIT_EXCEEDED', limit: 'x', maximum: 1 }, -32005],
  RPC_ACTION_REFUSED: [{ code: 'RPC_ACTION_REFUSED', error: refusal, hash: null }, -32011],
  RPC_ACTION_NOT_EXECUTED: [{ code: 'RPC_ACTION_NOT_EXECUTED', hash, timeoutMs: 1 }, -32000],
};

describe('toJsonRpcError', () => {
  it.each(Object.entries(numbers))('%s has the number of the interface document and keeps its words', (_, row) => {
    const [detail, code] = row;
    expect(toJsonRpcError(new RpcError('words', detail))).toMatchObject({ code, message: 'words' });
    expect(isInternalError(new RpcError('words', detail))).toBe(false);
  });

  it('keeps the words of a refused transaction under -32000, as clients match on them', () => {
    expect(toJsonRpcError(foreign('MEMPOOL_NONCE_TOO_LOW', 'nonce too low'))).toEqual({
      code: -32000,
      message: 'nonce too low',
    });
  });

  it('tells nothing of the inside of the node', () => {
    for (const thrown of [
      new TypeError('x is undefined'),
      new InvariantError('secret'),
      foreign('INTERNAL', 'at /home'),
      'text',
      undefined,
    ]) {
      expect(toJsonRpcError(thrown)).toEqual({ code: -32603, message: 'internal error' });
      expect(isInternalError(thrown)).toBe(true);
    }
  });

  it('answers a revert with exactly two words and the revert data', () => {
    const error = new RpcError('execution reverted', { code: 'RPC_EXECUTION_REVERTED', output: '0x08c379a0' as never });
    expect(toJsonRpcError(error)).toEqual({ code: -32000, message: 'execution reverted', data: '0x08c379a0' });
  });

  it('gives an order book refusal its own number, kind and action hash', () => {
    const refused = {
      code: 'CLOB_PRICE_OFF_TICK',
      message: 'price is not a multiple of tick size 0x5',
      data: { kind: 'tick', tick_size: '0x5' },
    };
    const error = new RpcError(refused.message, { code: 'RPC_ACTION_REFUSED', error: refused, hash });
    expect(toJsonRpcError(error)).toEqual({
      code: -32011,
      message: refused.message,
      data: { kind: 'tick', reason: 'tick', tick_size: '0x5', hash },
    });
  });

  it('tells the limit that was exceeded', () => {
    expect(toJsonRpcError(limitExceeded('blockRange', 100, 'query spans 101 blocks'))).toEqual({
      code: -32005,
      message: 'query spans 101 blocks, the limit is 100',
      data: { limit: 'blockRange', maximum: 100 },
    });
    const busy = { code: 'RPC_OVERLOADED', limit: 'load', maximum: 9, retryAfterMs: 250 } as const;
    expect(toJsonRpcError(new RpcError('busy', busy))).toMatchObject({
      data: { limit: 'load', maximum: 9, retry_after_ms: 250 },
    });
    for (const code of ['MEMPOOL_FULL', 'ENGINE_BUSY', 'NODE_STARTING', 'READER_BUSY', 'BUS_FULL'])
      expect(toJsonRpcError(foreign(code, 'come back later'))).toMatchObject({ code: -32005, data: { limit: code } });
  });

  it('says that the outcome of an action is unknown, and which action', () => {
    const error = new RpcError('not executed within 5 ms', { code: 'RPC_ACTION_NOT_EXECUTED', hash, timeoutMs: 5 });
    expect(toJsonRpcError(error)).toMatchObject({ code: -32000, data: { hash } });
  });

  it('says from when on candles are kept', () => {
    expect(toJsonRpcError(candlesNotKept(60_000, 120_000))).toEqual({
      code: 4444,
      message: 'candles from 60000 ms on are not kept, the oldest of that interval is of 120000 ms',
      data: { oldest_ms: '0x1d4c0' },
    });
  });

  it('maps parameter and authority errors to their numbers', () => {
    expect(toJsonRpcError(invalidParams('order.price', 'is required'))).toEqual({
      code: -32602,
      message: 'invalid params: order.price is required',
    });
    expect(toJsonRpcError(foreign('ENGINE_SIGNATURE_REQUIRED', 'signature required')).code).toBe(-32001);
  });
});
