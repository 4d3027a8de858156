import { describe, expect, it } from '@jest/globals';
import { encodeActionResult } from '@prime/codec';
import { bytesToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createNonceManager } from '../../accounts/nonceManager.ts';
import { RefusalError } from '../../errors/refusalError.ts';
import { NonceRefusedError } from '../../errors/orderRefusals.ts';
import { LimitExceededError, OutcomeUnknownError, RpcAnswerError } from '../../errors/rpc.ts';
import { type Asked, brokenConnection, rpcError, stubNode } from '../../testing/stubNode.ts';

/** What becomes of an action when the way to the node does not do what it should. */

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const hash = `0x${'ab'.repeat(32)}` as const;
const signed = { raw: '0x50c0', hash } as const;
const quick = { signed, retryDelayMs: 1, timeoutMs: 2_000 } as const;
const done = bytesToHex(encodeActionResult({ ok: true, value: { type: 'done' } }));
const receipt = { transactionHash: hash, blockNumber: '0x10', output: done };
const send = 'eth_sendRawTransactionSync';
const look = 'eth_getTransactionReceipt';
const methods = (asked: readonly Asked[]): string[] => asked.map(({ method }) => method);

/** Answers of each method in turn; the last one stays. Errors are thrown. */
const script = (answers: Readonly<Record<string, readonly unknown[]>>) =>
  stubNode(({ method }, before) => {
    const turn = answers[method]!;
    const answer = turn[Math.min(before, turn.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer;
  }, account);

describe('sending an action', () => {
  it('the node answers with the receipt: one call, and the result', async () => {
    const { client, asked } = script({ [send]: [receipt] });
    expect(await client.sendAction(quick)).toEqual({ type: 'done', hash, blockNumber: 16n });
    expect(methods(asked)).toEqual([send]);
  });

  it('no answer: the same bytes are sent again until one comes', async () => {
    const { client, asked } = script({ [send]: [brokenConnection(), brokenConnection(), receipt], [look]: [null] });
    expect(await client.sendAction(quick)).toMatchObject({ type: 'done' });
    const sent = asked.filter(({ method }) => method === send).map(({ params }) => params[0]);
    expect(sent).toEqual([signed.raw, signed.raw, signed.raw]);
  });

  it('no answer, but it got through: the receipt tells, and nothing is sent again', async () => {
    const { client, asked } = script({ [send]: [brokenConnection()], [look]: [receipt] });
    expect(await client.sendAction(quick)).toMatchObject({ type: 'done', blockNumber: 16n });
    expect(methods(asked)).toEqual([send, look]);
  });

  it.each([
    ['already known', rpcError(-32000, 'already known')],
    ['not in a block in time', rpcError(4, 'it was not processed in 5000 ms', hash)],
  ])('%s: it waits for the receipt', async (_, answer) => {
    const { client } = script({ [send]: [answer], [look]: [null, null, receipt] });
    expect(await client.sendAction(quick)).toMatchObject({ type: 'done' });
  });

  it.each([
    ['nonce', 'nonce used'],
    ['expired', 'action expired at 1, block time is 2'],
  ])('%s after an attempt without an answer: it was carried out before, and the receipt tells', async (kind, words) => {
    const refusal = rpcError(-32026, words, { kind, reason: kind });
    // The second look comes from a node that is a block behind.
    const { client } = script({ [send]: [brokenConnection(), refusal], [look]: [null, null, receipt] });
    expect(await client.sendAction(quick)).toMatchObject({ type: 'done' });
  });

  it('a nonce that another action used is refused after a few looks', async () => {
    const { client, asked } = script({ [send]: [rpcError(-32026, 'nonce used', { kind: 'nonce' })], [look]: [null] });
    await expect(client.sendAction(quick)).rejects.toThrow(NonceRefusedError);
    expect(methods(asked).filter((method) => method === look)).toHaveLength(4);
  });

  it('after an attempt without an answer the looks go on for longer, before the refusal is believed', async () => {
    const used = rpcError(-32026, 'nonce used', { kind: 'nonce' });
    const { client, asked } = script({ [send]: [brokenConnection(), used], [look]: [null] });
    await expect(client.sendAction({ ...quick, timeoutMs: 10_000 })).rejects.toThrow(NonceRefusedError);
    expect(methods(asked).filter((method) => method === look)).toHaveLength(9);
  });

  it('a node that does not take it ends it at once', async () => {
    const { client, asked } = script({ [send]: [rpcError(-32000, 'invalid signature')], [look]: [null] });
    const thrown: unknown = await client.sendAction(quick).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(RpcAnswerError);
    expect(thrown).not.toBeInstanceOf(OutcomeUnknownError);
    expect(methods(asked)).toEqual([send]);
  });

  it('a node that does not take it after an attempt without an answer proves nothing', async () => {
    const { client } = script({ [send]: [brokenConnection(), rpcError(-32000, 'invalid signature')], [look]: [null] });
    const thrown: unknown = await client.sendAction({ ...quick, timeoutMs: 100 }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(OutcomeUnknownError);
    expect(thrown).toMatchObject(signed);
  });

  it('a node that has too much to do is asked again after what it says; nothing was done, so the end is known', async () => {
    const busy = rpcError(-32005, 'busy', { limit: 'rate', maximum: 1, retry_after_ms: 1 });
    const good = script({ [send]: [busy, busy, receipt] });
    expect(await good.client.sendAction(quick)).toMatchObject({ type: 'done' });
    expect(methods(good.asked)).toEqual([send, send, send]);
    const bad = script({ [send]: [rpcError(-32005, 'busy', { retry_after_ms: 60_000 })] });
    await expect(bad.client.sendAction(quick)).rejects.toThrow(LimitExceededError);
  });

  it('after the time the outcome is unknown, and the error has what can be sent again', async () => {
    const { client } = script({ [send]: [brokenConnection()], [look]: [null] });
    const thrown: unknown = await client.sendAction({ ...quick, timeoutMs: 30 }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'OUTCOME_UNKNOWN', ...signed });
    const later = script({ [send]: [receipt] });
    const kept = thrown as { readonly raw: `0x${string}`; readonly hash: `0x${string}` };
    expect(await later.client.sendAction({ signed: kept })).toMatchObject({ type: 'done' });
  });

  it('what the order book refused is thrown as its kind, with the hash', async () => {
    const error = {
      code: 'CLOB_NOT_OWNER',
      message: 'order 0x7 belongs to another account',
      data: { kind: 'not_owner', order_id: '0x7' },
    };
    const output = bytesToHex(encodeActionResult({ ok: false, error }));
    const { client } = script({ [send]: [{ ...receipt, output }] });
    const thrown: unknown = await client.cancelOrder({ orderId: 7 }).catch((refused: unknown) => refused);
    expect(thrown).toBeInstanceOf(RefusalError);
    expect(thrown).toMatchObject({ name: 'NotOwnerError', kind: 'not_owner', data: { orderId: 7 }, hash });
  });

  it('bytes that are no result are an error of their own', async () => {
    const { client } = script({ [send]: [{ ...receipt, output: '0xc0' }] });
    await expect(client.sendAction(quick)).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE' });
  });
});

describe('submitting', () => {
  it('signs once, whatever happens on the way, and gives the nonce back', async () => {
    const manager = createNonceManager();
    const { client, asked } = script({ [send]: [brokenConnection(), receipt], [look]: [null] });
    await client.sendNoop({ nonceManager: manager });
    const sent = asked.filter(({ method }) => method === send).map(({ params }) => params[0]);
    expect(new Set(sent).size).toBe(1);
    expect(manager.outstanding).toBe(0);
  });

  it('gives the nonce back when it fails, too', async () => {
    const manager = createNonceManager();
    const { client } = script({ [send]: [rpcError(-32000, 'invalid signature')], [look]: [null] });
    await expect(client.sendNoop({ nonceManager: manager })).rejects.toThrow(RpcAnswerError);
    await expect(client.cancelOrder({ orderId: 0, nonceManager: manager })).rejects.toMatchObject({
      code: 'INVALID_ACTION',
    });
    expect(manager.outstanding).toBe(0);
  });
});

describe('waiting for an action', () => {
  it('looks until the receipt is there', async () => {
    const { client } = script({ [look]: [null, null, receipt] });
    expect(await client.waitForAction({ hash, pollingIntervalMs: 1 })).toMatchObject({ type: 'done' });
  });

  it('after the time the outcome is unknown', async () => {
    const { client } = script({ [look]: [null] });
    await expect(client.waitForAction({ hash, pollingIntervalMs: 1, timeoutMs: 20 })).rejects.toThrow(
      OutcomeUnknownError,
    );
  });
});
