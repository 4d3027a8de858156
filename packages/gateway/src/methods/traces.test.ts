import { afterEach, describe, expect, it } from '@jest/globals';
import { addressOf, type FakeTransaction, hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';
import { keccakHex } from '@prime/crypto';

let running: RunningGateway;
afterEach(async () => running.gateway.close());

const alice = addressOf('alice');
const transaction = (byte: number): FakeTransaction => ({
  raw: Uint8Array.of(byte),
  from: alice,
  to: alice,
  type: 2,
  effectiveGasPrice: 1n,
});

async function start(): Promise<RunningGateway> {
  running = await startGateway();
  const { gateway, node } = running;
  gateway.applyDelta(node.commit());
  gateway.applyDelta(
    node.commit({
      transactions: [transaction(1), transaction(2)],
      actions: [{ hash: hashOf('action'), result: { ok: true, value: { type: 'done' } } }],
    }),
  );
  return running;
}

describe('debug_ methods', () => {
  it('trace a transaction where it stands; without a tracer every instruction', async () => {
    const { call } = await start();
    const hash = keccakHex(Uint8Array.of(2));
    expect(await call('debug_traceTransaction', hash)).toEqual({ height: 2, index: 1, tracer: 'structLogger' });
    expect(await call('debug_traceTransaction', hash, { tracer: '4byteTracer' })).toMatchObject({
      tracer: '4byteTracer',
    });
    const tracerConfig = { callTracer: { onlyTopCall: true }, '4byteTracer': null };
    expect(await call('debug_traceTransaction', hash, { tracer: 'muxTracer', tracerConfig })).toMatchObject({
      tracer: 'muxTracer',
    });
  });

  it('trace a block by number, tag or hash; a caller may shorten the time and not lengthen it', async () => {
    const { call } = await start();
    const answer = (timeoutMs: number) => [{ txHash: hashOf('traced'), result: { height: 2, timeoutMs } }];
    expect(await call('debug_traceBlockByNumber', '0x2')).toEqual(answer(10_000));
    expect(await call('debug_traceBlockByNumber', 'latest', { timeout: '1h' })).toEqual(answer(10_000));
    expect(await call('debug_traceBlockByHash', hashOf('block 2'), { timeout: '1s500ms' })).toEqual(answer(1500));
  });

  it('trace a call; one that can not begin is an error', async () => {
    const { call, failure, node } = await start();
    expect(await call('debug_traceCall', { to: alice }, 'latest', { tracer: 'callTracer' })).toEqual({ to: alice });
    node.onCall = () => ({ status: 'failure', message: 'insufficient funds', gasUsed: 0n });
    expect(await failure('debug_traceCall', { to: alice })).toMatchObject({
      code: -32000,
      message: 'tracing failed: insufficient funds',
    });
  });

  it('trace a call before a transaction of the block', async () => {
    const { call } = await start();
    for (const txIndex of ['0x1', 1])
      expect(await call('debug_traceCall', { to: alice }, '0x2', { txIndex })).toEqual({ to: alice, txIndex: 1 });
    // A block without transactions has one place.
    expect(await call('debug_traceCall', { to: alice }, '0x1', { txIndex: '0x0' })).toEqual({ to: alice, txIndex: 0 });
  });

  it.each([
    [
      ['debug_traceCall', { to: alice }, '0x2', { txIndex: '0x2' }],
      -32602,
      /config.txIndex must be below 2, .*block 2/,
    ],
    [['debug_traceCall', { to: alice }, '0x1', { txIndex: 1 }], -32602, /config.txIndex must be below 0/],
    [['debug_traceCall', { to: alice }, 'earliest', { txIndex: 0 }], -32000, /^genesis is not traceable$/],
    [['debug_traceCall', { to: alice }, 'latest', { txIndex: -1 }], -32602, /config.txIndex must be/],
    [['debug_traceTransaction', hashOf('nothing')], -32000, /^transaction not found$/],
    [['debug_traceTransaction', hashOf('action')], -32000, /actions of the order book are not run by the EVM/],
    [['debug_traceBlockByNumber', '0x0'], -32000, /^genesis is not traceable$/],
    [['debug_traceBlockByNumber', '0x63'], -32000, /^block #99 not found$/],
    [['debug_traceBlockByHash', hashOf('nothing')], -32000, /^block 0x\w{64} not found$/],
    [
      ['debug_traceTransaction', hashOf('x'), { tracer: '{step: function() {}}' }],
      -32602,
      /config.tracer must be one of/,
    ],
    [
      ['debug_traceTransaction', hashOf('x'), { tracer: 'muxTracer', tracerConfig: { muxTracer: {} } }],
      -32602,
      /config.tracerConfig must name other tracers/,
    ],
    [
      ['debug_traceTransaction', hashOf('x'), { tracer: 'muxTracer', tracerConfig: { callTracer: 1 } }],
      -32602,
      /config.tracerConfig.callTracer must be an object or null/,
    ],
    [['debug_traceTransaction', hashOf('x'), { timeout: 'soon' }], -32602, /config.timeout must be a duration/],
    [['debug_traceTransaction', hashOf('x'), { limit: -1 }], -32602, /config.limit must be a whole number/],
    [['debug_traceCall', { to: alice }, 'latest', { stateOverrides: { '0x1': {} } }], -32602, /stateOverrides/],
  ] as const)('%j: refused', async ([method, ...params], code, message) => {
    const { failure } = await start();
    expect(await failure(method, ...params)).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
