import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { historyPruned } from '@prime/rpc';
import type { Height } from '@prime/primitives';
import { addressOf, hashOf } from '../testing/fakeNode.ts';
import { type RunningGateway, startGateway } from '../testing/testGateway.ts';

interface Shown {
  readonly block_number: string;
  readonly round: string;
  readonly missed_turns: readonly string[];
}

describe('prime_getCommits', () => {
  const recentBlocks = 4;
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway({ limits: { recentBlocks } });
    for (let height = 1; height <= 10; height++) {
      running.node.round = height === 9 ? 2 : 0;
      running.gateway.applyDelta(running.node.commit());
    }
  });
  afterAll(() => running.gateway.close());

  const commits = (from: unknown, count: unknown): Promise<Shown[]> =>
    running.call('prime_getCommits', from, count) as Promise<Shown[]>;
  const numbers = async (from: unknown, count: unknown): Promise<number[]> =>
    (await commits(from, count)).map(({ block_number: number }) => Number(number));

  it('tells how a block was decided', async () => {
    expect(await commits('0xa', '0x1')).toEqual([
      {
        block_number: '0xa',
        block_hash: hashOf('block 10'),
        timestamp_ms: `0x${(1_700_000_010_000).toString(16)}`,
        proposer: addressOf('validator'),
        round: '0x0',
        signers: [addressOf('validator')],
        missed_turns: [],
      },
    ]);
  });

  it('tells whose turn the rounds before were, of blocks in memory too', async () => {
    expect(await commits('0x9', '0x1')).toMatchObject([
      { round: '0x2', missed_turns: [addressOf('turn 0'), addressOf('turn 1')] },
    ]);
  });

  it('goes from what is on disk to what is in memory without a gap, and leaves out genesis and what is not there', async () => {
    expect(await numbers('0x0', '0x100')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await numbers(5, 3)).toEqual([5, 6, 7]);
    expect(await numbers('latest', '0x5')).toEqual([10]);
    expect(await numbers('0xb', '0x5')).toEqual([]);
    expect(await numbers('0x3fffffffffffff', '0x100')).toEqual([]);
  });

  it('answers what is in memory without a reader', async () => {
    running.gateway.applyDelta(running.node.commit());
    const before = running.node.asked['commits'];
    expect(await numbers('0xa', '0x2')).toEqual([10, 11]);
    expect(running.node.asked['commits']).toBe(before);
    expect(await numbers('0x8', '0x4')).toEqual([8, 9, 10, 11]);
    expect(running.node.asked['commits']).toBe(before! + 1);
  });

  it.each(['0x0', 257, '0x1ffffff'])('refuses to tell of %s blocks', async (count) => {
    const { code, message } = await running.failure('prime_getCommits', '0x1', count);
    expect([code, message]).toEqual([-32602, expect.stringContaining('from 1 to 256')]);
  });

  it('says what is pruned', async () => {
    running.node.backends.reader.commits = async () => {
      throw historyPruned(2 as Height, 4 as Height);
    };
    const refusal = await running.failure('prime_getCommits', '0x2', '0x2');
    expect(refusal).toMatchObject({ code: 4444, data: { oldest: '0x4' } });
  });
});

describe('prime_consensusStatus', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
  });
  afterAll(() => running.gateway.close());
  const votes = { block: [addressOf('a')], nil: [addressOf('b')], missing: [addressOf('c')], power: 2n };

  it('before the first round tells what is waited for', async () => {
    running.node.nowMs = 1_000;
    expect(await running.call('prime_consensusStatus')).toEqual({
      height: '0x1',
      waits_for: 'work',
      since_ms: null,
      now_ms: '0x3e8',
      total_power: '0x4',
      current_round: null,
    });
  });

  it('in a round tells whose turn it is and who voted', async () => {
    running.node.consensusStatus = {
      height: 7 as Height,
      waitsFor: 'prevotes',
      sinceMs: 16,
      totalPower: 3n,
      round: {
        number: 1,
        proposer: addressOf('a'),
        hasProposal: true,
        prevotes: votes,
        precommits: { block: [], nil: [], missing: [addressOf('a')], power: 0n },
      },
    };
    expect(await running.call('prime_consensusStatus')).toMatchObject({
      height: '0x7',
      waits_for: 'prevotes',
      since_ms: '0x10',
      current_round: {
        round: '0x1',
        proposer: addressOf('a'),
        has_proposal: true,
        prevotes: { block: votes.block, nil: votes.nil, missing: votes.missing, voting_power: '0x2' },
        precommits: { block: [], nil: [], missing: [addressOf('a')], voting_power: '0x0' },
      },
    });
  });

  it('takes no parameters', async () => {
    expect(await running.failure('prime_consensusStatus', 1)).toMatchObject({ code: -32602 });
  });
});

describe('prime_network', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
  });
  afterAll(() => running.gateway.close());

  it('tells of the rules, validators and other nodes', async () => {
    running.node.knownNodes = {
      protocol: {
        version: 1,
        known: 2,
        next: { version: 2, height: 100 as Height, known: true, readyPower: 3n, totalPower: 4n },
      },
      validators: [
        { address: addressOf('a'), moniker: 'a', power: 3n, isPresent: true, head: 9 as Height, known: 2 },
        { address: addressOf('b'), moniker: 'b', power: 1n, isPresent: false, head: null, known: null },
      ],
      others: [{ role: 'full', head: 8 as Height, known: 1 }],
    };
    expect(await running.call('prime_network')).toEqual({
      protocol: {
        version: '0x1',
        known_version: '0x2',
        next: { version: '0x2', height: '0x64', known: true, ready_power: '0x3', total_power: '0x4' },
      },
      validators: [
        {
          address: addressOf('a'),
          moniker: 'a',
          voting_power: '0x3',
          present: true,
          head: '0x9',
          known_version: '0x2',
        },
        { address: addressOf('b'), moniker: 'b', voting_power: '0x1', present: false, head: null, known_version: null },
      ],
      others: [{ role: 'full', head: '0x8', known_version: '0x1' }],
    });
  });
});
