import { describe, expect, it } from '@jest/globals';
import { BaseError } from 'viem';
import { brokenConnection, rpcError, stubNode } from '../testing/stubNode.ts';
import { PrimeSdkError } from './base.ts';
import { errorFromRpc } from './fromRpc.ts';
import { RefusalError } from './refusalError.ts';
import { InsufficientMarginError, NonceRefusedError, PriceOffTickError } from './orderRefusals.ts';
import { refusalKinds, refusalOf } from './refusal.ts';
import {
  AlreadyKnownError,
  DisabledOnSurfaceError,
  HistoryPrunedError,
  InvalidParametersError,
  LimitExceededError,
  MethodNotFoundError,
  OutcomeUnknownError,
  RpcAnswerError,
  UnauthorizedError,
} from './rpc.ts';

const hash = `0x${'ab'.repeat(32)}` as const;

/** What a call throws whose node answers with an error. */
async function thrownFor(answer: Error): Promise<Error> {
  const { client } = stubNode(() => {
    throw answer;
  });
  return client.getOpenOrders({ address: `0x${'11'.repeat(20)}` }).then(
    () => {
      throw new Error('it was not refused');
    },
    (thrown: Error) => thrown,
  );
}

describe('errors of a node', () => {
  it('a refusal is an error of its kind, with its figures', async () => {
    const data = { kind: 'insufficient_margin', reason: 'insufficient_margin', required: '0x64', free: '-0xa', hash };
    const error = await thrownFor(rpcError(-32015, 'insufficient margin: required 0x64, free -0xa', data));
    expect(error).toBeInstanceOf(InsufficientMarginError);
    expect(error).toMatchObject({ kind: 'insufficient_margin', data: { required: 100n, free: -10n }, hash });
    expect(error.message).toContain('insufficient margin: required 0x64, free -0xa');
  });

  it('walk finds it behind whatever an application wraps around it, and the node’s own words below it', async () => {
    const error = await thrownFor(
      rpcError(-32011, 'price is not a multiple', {
        kind: 'tick',
        price: '0x7',
        tick_size: '0x5',
        nearest_below: '0x5',
        nearest_above: null,
      }),
    );
    const wrapped = new BaseError('quoting failed', { cause: error });
    const found = wrapped.walk((cause) => cause instanceof PriceOffTickError);
    expect((found as PriceOffTickError).data).toEqual({
      price: 7n,
      tickSize: 5n,
      nearestBelow: 5n,
      nearestAbove: null,
    });
    const cause = (error as PrimeSdkError).walk((below) => (below as Error).name === 'RpcRequestError');
    expect(cause).toMatchObject({ code: -32011 });
  });

  it('a kind that this version does not know is a plain refusal with all that was said', async () => {
    const error = await thrownFor(
      rpcError(-32029, 'the moon is wrong', { kind: 'moon', phase: 'full', some_size: '0x5' }),
    );
    expect(error).toBeInstanceOf(RefusalError);
    expect(error).toMatchObject({ kind: 'moon', data: { phase: 'full', someSize: '0x5' }, hash: null });
  });

  it('a nonce that is refused at admission has the same class as one that a block refused', async () => {
    const error = await thrownFor(rpcError(-32026, 'nonce used', { kind: 'nonce', reason: 'nonce' }));
    expect(error).toBeInstanceOf(NonceRefusedError);
  });

  it.each([
    [-32602, 'invalid params: address must be 0x', undefined, InvalidParametersError, 'INVALID_PARAMETERS'],
    [-32601, 'the method x does not exist', undefined, MethodNotFoundError, 'METHOD_NOT_FOUND'],
    [-32001, 'signature required', undefined, UnauthorizedError, 'UNAUTHORIZED'],
    [-32004, 'disabled', undefined, DisabledOnSurfaceError, 'DISABLED_ON_SURFACE'],
    [-32000, 'already known', undefined, AlreadyKnownError, 'ALREADY_KNOWN'],
    [-32000, 'invalid signature', undefined, RpcAnswerError, 'RPC_ERROR'],
    [-32603, 'internal error', undefined, RpcAnswerError, 'RPC_ERROR'],
  ])('%d %s', async (code, message, data, type, word) => {
    const error = await thrownFor(rpcError(code, message, data));
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ name: type.name, code: word, rpcCode: code });
  });

  it('a limit says which, and when to come again', async () => {
    const data = { limit: 'requests', maximum: 5, retry_after_ms: 250 };
    expect(await thrownFor(rpcError(-32005, 'too many requests', data))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'requests',
      maximum: 5,
      retryAfterMs: 250,
    });
    expect(await thrownFor(rpcError(-32005, 'busy'))).toMatchObject({ limit: null, maximum: null, retryAfterMs: null });
    expect(await thrownFor(rpcError(-32005, 'busy'))).toBeInstanceOf(LimitExceededError);
  });

  it.each([4444, -32000])('what is not kept any more says since when (%d)', async (code) => {
    const error = await thrownFor(rpcError(code, 'pruned', { oldest: '0x10' }));
    expect(error).toBeInstanceOf(HistoryPrunedError);
    expect(error).toMatchObject({ oldest: 16n });
  });

  it('an outcome that the node does not know has the hash', async () => {
    for (const [code, data] of [
      [4, hash],
      [-32000, { hash, reason: 'outcome_unknown' }],
    ] as const)
      expect(await thrownFor(rpcError(code, 'not in time', data))).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        hash,
        raw: null,
      });
    expect(await thrownFor(rpcError(4, 'not in time', hash))).toBeInstanceOf(OutcomeUnknownError);
  });

  it('an error of the SDK stays what it is, whatever a node answered before it', async () => {
    const cause = await thrownFor(rpcError(-32010, 'no such order', { kind: 'unknown_order', order_id: '0x7' }));
    const error = new OutcomeUnknownError({ hash, raw: '0x50', cause });
    expect([errorFromRpc(error), errorFromRpc(cause)]).toEqual([error, cause]);
  });

  it('a connection that broke stays the error that viem made', async () => {
    const error = await thrownFor(brokenConnection());
    expect(error).not.toBeInstanceOf(PrimeSdkError);
    expect((error as BaseError).walk((cause) => (cause as Error).name === 'HttpRequestError')).not.toBeNull();
  });
});

describe('kinds of refusals', () => {
  it('each has a class of its own, named after what is wrong', () => {
    const made = refusalKinds.map((kind) => refusalOf({ kind, message: 'no', data: { kind }, hash: null }));
    expect(new Set(made.map(({ constructor }) => constructor)).size).toBe(refusalKinds.length);
    expect(made.map(({ name }) => name)).not.toContain('RefusalError');
    expect(made.map(({ kind }) => kind)).toEqual(refusalKinds);
  });
});
