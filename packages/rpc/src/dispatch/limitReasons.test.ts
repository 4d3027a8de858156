import { describe, expect, it } from '@jest/globals';
import { errorFromObject } from '@prime/primitives';
import { jsonRpcCode, limitExceeded, overloaded, RpcError, toJsonRpcError } from '../errors/errors.ts';
import { limitReasonOf } from './limitReasons.ts';

const foreign = (code: string): Error => errorFromObject({ code, message: code, detail: { code } });

describe('limitReasonOf', () => {
  it('tells the limits apart', () => {
    const rate = { limit: 'concurrency', maximum: 1, retryAfterMs: 1 };
    expect([
      limitReasonOf(new RpcError('', { code: 'RPC_RATE_LIMITED', ...rate })),
      limitReasonOf(limitExceeded('filtersPerClient', 1, '')),
      limitReasonOf(limitExceeded('batchItems', 1, '')),
      limitReasonOf(overloaded('busyDelayMs', 1, '')),
      limitReasonOf(overloaded('overloadDelayMs', 1, '')),
      limitReasonOf(overloaded('inFlight', 1, '')),
      limitReasonOf(foreign('READER_BUSY')),
    ]).toEqual(['rate', 'quota', 'size', 'busy', 'overload', 'queue', 'queue']);
  });

  it('every code that answers -32005 has one, and no other has', () => {
    const codes = [
      'BUS_FULL',
      'BUS_MESSAGE_TOO_LARGE',
      'ENGINE_BUSY',
      'EVM_TRACE_TOO_LARGE',
      'MEMPOOL_CONTENT_TOO_LARGE',
    ];
    for (const code of [...codes, 'MEMPOOL_FULL', 'NODE_STARTING', 'READER_BUSY'])
      expect([code, toJsonRpcError(foreign(code)).code, limitReasonOf(foreign(code)) !== null]).toEqual([
        code,
        jsonRpcCode.limitExceeded,
        true,
      ]);
    const others = [
      foreign('MEMPOOL_NONCE_TOO_LOW'),
      new RpcError('', { code: 'RPC_PARSE_ERROR' }),
      new Error('limit'),
    ];
    expect(others.map(limitReasonOf)).toEqual([null, null, null]);
  });
});
