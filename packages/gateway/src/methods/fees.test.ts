import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StateContext } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { addressOf, type FakeTransaction } from '../testing/fakeNode.ts';
import { devAddress, type RunningGateway, startGateway } from '../testing/testGateway.ts';

const gwei = 1_000_000_000n;
/** Of every block of the fake node. */
const baseFee = gwei;

let running: RunningGateway;
beforeEach(async () => {
  running = await startGateway();
});
afterEach(() => running.gateway.close());

const paying = (tip: bigint): FakeTransaction => ({
  raw: Uint8Array.from([0xc0, Number(tip % 251n)]),
  from: devAddress as Address,
  to: addressOf('alice'),
  type: 0,
  effectiveGasPrice: baseFee + tip,
});
const suggested = async (method: string): Promise<bigint> => BigInt((await running.call(method)) as string);

describe('eth_gasPrice', () => {
  it('is enough for an estimate on the head while the base fee falls, and for the next block while it rises', async () => {
    running.gateway.applyDelta(running.node.commit({ nextBaseFee: (gwei * 7n) / 8n }));
    expect(await suggested('eth_gasPrice')).toBe(baseFee + gwei);
    running.gateway.applyDelta(running.node.commit({ nextBaseFee: (gwei * 9n) / 8n }));
    expect(await suggested('eth_gasPrice')).toBe((gwei * 9n) / 8n + gwei);
  });
});

describe('eth_maxPriorityFeePerGas', () => {
  it('learns from what recent transactions paid', async () => {
    running.gateway.applyDelta(running.node.commit({ transactions: [paying(7n), paying(9n)] }));
    expect(await suggested('eth_maxPriorityFeePerGas')).toBe(7n);
  });

  it('learns nothing from tips of 1 wei, which tools send that know no better', async () => {
    running.gateway.applyDelta(running.node.commit({ transactions: [paying(0n), paying(1n)] }));
    expect(await suggested('eth_maxPriorityFeePerGas')).toBe(gwei);
    running.gateway.applyDelta(running.node.commit({ transactions: [paying(1n), paying(5n)] }));
    expect(await suggested('eth_maxPriorityFeePerGas')).toBe(5n);
  });
});

describe('eth_estimateGas', () => {
  const seen: StateContext[] = [];
  beforeEach(() => {
    seen.length = 0;
    running.node.onCall = (_, at) => {
      seen.push(at);
      return { status: 'success', output: '0x' as never, gasUsed: 21_000n };
    };
    running.gateway.applyDelta(running.node.commit());
    running.gateway.applyDelta(running.node.commit({ nextBaseFee: 7n }));
  });
  const call = { from: devAddress, to: addressOf('alice') };
  const head = () => running.node.deltas.at(-1)!;

  it('runs as the block that will include the transaction: later, with its base fee, on the state of the head', async () => {
    for (const block of [[], ['latest'], ['pending']]) await running.call('eth_estimateGas', call, ...block);
    for (const at of seen)
      expect(at).toMatchObject({
        height: 3,
        timestampMs: head().block.header.timestampMs + 1000,
        baseFee: 7n,
        parentHash: head().hash,
        stateRoot: head().roots.stateRoot,
      });
    expect(seen).toHaveLength(3);
  });

  it('runs at the time of the clock where the head is older than a second', async () => {
    running.node.nowMs = head().block.header.timestampMs + 90_000;
    for (const block of ['latest', 'pending']) await running.call('eth_estimateGas', call, block);
    expect(seen.map(({ timestampMs }) => timestampMs)).toEqual([running.node.nowMs, running.node.nowMs]);
  });

  it('a block by its number is the block itself; so it is for eth_call at the head', async () => {
    await running.call('eth_estimateGas', call, '0x1');
    await running.call('eth_call', call, 'latest');
    expect(seen.map(({ height }) => height)).toEqual([1, 2]);
    expect(seen[1]!.timestampMs).toBe(head().block.header.timestampMs);
  });
});

describe('the pending block', () => {
  const call = { from: devAddress, to: addressOf('alice') };
  const headTime = () => running.node.deltas.at(-1)!.block.header.timestampMs;
  const shownTime = async (): Promise<number> => {
    const block = (await running.call('prime_getBlockByNumber', 'pending')) as { timestamp_ms: string };
    return Number(block.timestamp_ms);
  };
  beforeEach(() => running.gateway.applyDelta(running.node.commit({ nextBaseFee: 7n })));

  it('has the time that a proposer would give it now: the clock, and after its parent in any case', async () => {
    expect(await shownTime()).toBe(headTime() + 1);
    running.node.nowMs = headTime() + 12_345;
    expect(await shownTime()).toBe(headTime() + 12_345);
    expect(await running.call('eth_getBlockByNumber', 'pending', false)).toMatchObject({
      timestamp: `0x${Math.floor((headTime() + 12_345) / 1000).toString(16)}`,
    });
  });

  it('is where code runs that is asked about at it, on the state of the head', async () => {
    const seen: StateContext[] = [];
    running.node.onCall = (_, at) => {
      seen.push(at);
      return { status: 'success', output: '0x' as never, gasUsed: 21_000n };
    };
    for (const nowMs of [0, headTime() + 12_345]) {
      running.node.nowMs = nowMs;
      await running.call('eth_call', call, 'pending');
      expect(seen.at(-1)).toMatchObject({
        height: 2,
        timestampMs: await shownTime(),
        baseFee: 7n,
        parentHash: running.node.deltas.at(-1)!.hash,
        stateRoot: running.node.deltas.at(-1)!.roots.stateRoot,
      });
    }
  });
});
