import { describe, expect, it } from '@jest/globals';
import { TestChain } from '../testing/node/testChain.ts';
import { RpcFault, testValidator } from '../testing/node/testNode.ts';
import { Signal, untilHolds } from '../testing/node/until.ts';
import type { NativeBlockHead } from '../types/chain.ts';
import type { StreamError } from './errors.ts';
import type { StreamStatus } from './types.ts';
import { watchBlocks } from './watchBlocks.ts';
import { useStreams } from '../testing/node/useStreams.ts';

const { startNode, streamsOf } = useStreams();

function watch(urls: readonly string[]) {
  const streams = streamsOf(urls);
  const signal = new Signal();
  const seen = { blocks: [] as NativeBlockHead[], errors: [] as StreamError[], statuses: [] as StreamStatus[] };
  const unwatch = watchBlocks(streams, {
    onBlock: signal.into(seen.blocks),
    onError: signal.into(seen.errors),
    onStatus: signal.into(seen.statuses),
  });
  return { ...seen, signal, unwatch };
}

describe('blocks', () => {
  it('tell each new block with who decided it', async () => {
    const chain = new TestChain();
    const node = await startNode(chain);
    const { blocks, errors, statuses, signal } = watch([node.url]);
    await signal.until(() => statuses.includes('live'));
    const { hash, parentHash } = chain.add();
    chain.add();
    node.show();
    await signal.until(() => blocks.length === 2);
    expect(blocks[0]).toEqual({
      number: 1n,
      hash,
      parentHash,
      proposer: testValidator,
      timestampMs: 1_000,
      gasLimit: 30_000_000n,
      gasUsed: 21_000n,
      baseFee: 7n,
      stateRoot: hash,
      receiptsRoot: hash,
      eventsRoot: hash,
      validatorsHash: hash,
      nextValidatorsHash: hash,
      commit: { round: 1, signatureCount: 1, signers: [testValidator] },
      lastCommitRound: null,
      transactionCount: 1,
      actionCount: 2,
    });
    expect([blocks[1]!.number, blocks[1]!.commit?.round, errors]).toEqual([2n, 0, []]);
  });

  it('of the time without a connection are not told, and none is told twice', async () => {
    const chain = new TestChain();
    const node = await startNode(chain);
    const { blocks, errors, statuses, signal } = watch([node.url]);
    await signal.until(() => statuses.includes('live'));
    chain.add();
    node.show();
    await signal.until(() => blocks.length === 1);
    node.drop();
    chain.add();
    node.show();
    await signal.until(() => statuses.filter((status) => status === 'live').length === 2);
    chain.add();
    node.show();
    await signal.until(() => blocks.length === 2);
    expect(blocks.map(({ number }) => number)).toEqual([1n, 3n]);
    expect(statuses).toEqual(['live', 'interrupted', 'syncing', 'live']);
    expect(errors.map(({ code }) => code)).toEqual(['STREAM_DISCONNECTED']);
  });

  it('end where the node has no such stream', async () => {
    const node = await startNode(new TestChain());
    node.methods['prime_subscribe'] = () => {
      throw new RpcFault(-32601, 'no "newHeads" subscription');
    };
    const { errors, statuses, signal } = watch([node.url]);
    await signal.until(() => statuses.includes('ended'));
    expect(errors.at(-1)).toMatchObject({ code: 'STREAM_REFUSED', isFatal: true });
  });

  it('that cannot be read give the connection up', async () => {
    const chain = new TestChain();
    const node = await startNode(chain);
    node.tamper = (text) => text.replace('"round":"0x1"', '"round":"one"');
    const { blocks, errors, statuses, signal } = watch([node.url]);
    await signal.until(() => statuses.includes('live'));
    chain.add();
    node.show();
    await signal.until(() => errors.length > 0);
    expect([blocks, errors[0]!.code]).toEqual([[], 'STREAM_MESSAGE_MALFORMED']);
  });

  it('are not told any more, and the node is let go, once nobody watches', async () => {
    const chain = new TestChain();
    const node = await startNode(chain);
    const { blocks, statuses, signal, unwatch } = watch([node.url]);
    await signal.until(() => statuses.includes('live'));
    unwatch();
    unwatch();
    await untilHolds(() => node.connections === 0);
    chain.add();
    node.show();
    expect(blocks).toEqual([]);
  });
});
