import { describe, expect, it } from '@jest/globals';
import type { Hash } from '@prime/primitives';
import { findBlock, stateAt } from './blocks.ts';
import { boundGas, successOf } from '../execution/calls.ts';
import type { MethodContext } from '../define.ts';
import type { LogFilter } from './logFilter.ts';
import { blockRange, logQuery } from './logQuery.ts';
import type { CallArguments } from '../execution/callObjects.ts';
import { defaultRpcLimits, type RpcPorts } from '../ports/ports.ts';
import type { BlockSelector } from '../schema/valueTypes.ts';

const hash = `0x${'ab'.repeat(32)}` as Hash;
const headHeight = 10;

/** A chain of ten blocks, of which only heights are of interest. */
const ports = {
  chain: {
    head: async () => ({ block: { header: { height: headHeight } } }),
    blockByHeight: async (height: number) => (height > headHeight ? null : { block: { header: { height } } }),
    blockByHash: async () => null,
  },
} as unknown as RpcPorts;
const context = (limits = {}): MethodContext =>
  ({ ports, info: { limits: { ...defaultRpcLimits, ...limits } }, format: 'eth' }) as unknown as MethodContext;

const height = (value: number): BlockSelector => ({ kind: 'height', height: value });
const anything: LogFilter = { blockHash: null, fromBlock: null, toBlock: null, addresses: [], topics: [] };

describe('blocks by selector', () => {
  it('every tag but earliest is the head, and a height beyond it is no block', async () => {
    const found = async (selector: BlockSelector): Promise<number | undefined> =>
      (await findBlock(context(), selector))?.block.header.height;
    for (const tag of ['latest', 'safe', 'finalized', 'pending'] as const)
      expect([tag, await found({ kind: 'tag', tag })]).toEqual([tag, headHeight]);
    expect(await found({ kind: 'tag', tag: 'earliest' })).toBe(0);
    expect(await found(height(headHeight + 1))).toBeUndefined();
    expect(await found(height(2 ** 60))).toBeUndefined();
  });

  it('state of a block that is not there: RPC_BLOCK_NOT_FOUND in the words of go-ethereum', async () => {
    const code = 'RPC_BLOCK_NOT_FOUND';
    await expect(stateAt(context(), height(11))).rejects.toMatchObject({ code, message: 'header not found' });
    const unknown: BlockSelector = { kind: 'hash', hash };
    await expect(stateAt(context(), unknown)).rejects.toMatchObject({ code, message: 'header for hash not found' });
  });
});

describe('ranges of blocks', () => {
  it('end at the head; what lies wholly beyond it is empty', async () => {
    expect(await blockRange(context(), height(3), height(99))).toEqual({ fromHeight: 3, toHeight: headHeight });
    expect(await blockRange(context(), height(11), height(12))).toBeNull();
  });

  it('upside down or too long are refused', async () => {
    await expect(blockRange(context(), height(4), height(3))).rejects.toMatchObject({ code: 'RPC_INVALID_PARAMS' });
    const narrow = context({ logBlockRange: 5 });
    expect(await blockRange(narrow, height(1), height(5))).toEqual({ fromHeight: 1, toHeight: 5 });
    await expect(blockRange(narrow, height(1), height(6))).rejects.toMatchObject({
      code: 'RPC_LIMIT_EXCEEDED',
      detail: { limit: 'blockRange', maximum: 5 },
    });
  });

  it('of logs are refused when they reach beyond the head: the answer would look complete', async () => {
    const query = (fromBlock: BlockSelector | null, toBlock: BlockSelector | null) =>
      logQuery(context(), { ...anything, fromBlock, toBlock });
    const words = /block range extends beyond current head block: requested 11, head 10/;
    await expect(query(height(3), height(headHeight + 1))).rejects.toThrow(words);
    await expect(query(height(headHeight + 1), null)).rejects.toMatchObject({ code: 'RPC_INVALID_PARAMS' });
    expect(await query(height(3), height(headHeight))).toMatchObject({ fromHeight: 3, toHeight: headHeight });
    expect(await query(null, null)).toMatchObject({ fromHeight: headHeight, toHeight: headHeight });
  });

  it('a filter with more alternatives than the limit, or for an unknown block, is refused', async () => {
    const topics = [[hash, hash, hash]];
    await expect(logQuery(context({ filterAlternatives: 2 }), { ...anything, topics })).rejects.toMatchObject({
      code: 'RPC_LIMIT_EXCEEDED',
      detail: { limit: 'filterAlternatives' },
    });
    await expect(logQuery(context(), { ...anything, blockHash: hash })).rejects.toMatchObject({
      code: 'RPC_BLOCK_NOT_FOUND',
    });
  });
});

describe('calls', () => {
  it('gas is bounded by the limit of the node', () => {
    const gasFor = (gas: bigint | null): bigint | null =>
      boundGas(context({ callGas: 100n }), { gas, chainId: null } as CallArguments).gas;
    expect([null, 99n, 100n, 101n].map(gasFor)).toEqual([100n, 99n, 100n, 100n]);
  });

  it('a failed call keeps its words, a revert its data', () => {
    expect(() => successOf({ status: 'failure', message: 'out of gas', gasUsed: 1n })).toThrow(
      expect.objectContaining({ code: 'RPC_EXECUTION_FAILED', message: 'out of gas' }),
    );
    expect(() => successOf({ status: 'revert', output: '0x08' as never, gasUsed: 1n })).toThrow(
      expect.objectContaining({ code: 'RPC_EXECUTION_REVERTED', message: 'execution reverted' }),
    );
  });
});
