import { describe, expect, it } from '@jest/globals';
import type { CommitSummary, ConsensusStatus } from '@prime/sdk';
import { colored, colorless } from '../client/book/ladder.ts';
import { changeLines } from './changeLines.ts';
import { cutTo, grid } from './grid.ts';
import { statusLines } from './render.ts';
import { emptyView, type StatusView } from './view.ts';

const addressOf = (index: number): `0x${string}` => `0x${`${index}`.repeat(40)}`;
const nobody = { block: [], nil: [], missing: [], votingPower: 0n };
const commit = (number: number, signers: readonly number[], round = 0): CommitSummary => ({
  blockNumber: BigInt(number),
  blockHash: `0x${'ab'.repeat(32)}`,
  timestampMs: number * 500,
  proposer: addressOf(number % 4),
  round,
  signers: signers.map(addressOf),
  missedTurns: [],
});
const status: ConsensusStatus = {
  height: 21n,
  waitsFor: 'prevotes',
  sinceMs: 10_000,
  nowMs: 10_200,
  totalPower: 4_000n,
  currentRound: {
    round: 0,
    proposer: addressOf(2),
    hasProposal: true,
    prevotes: {
      block: [addressOf(0), addressOf(1)],
      nil: [addressOf(2)],
      missing: [addressOf(3)],
      votingPower: 3_000n,
    },
    precommits: nobody,
  },
};
const resources = { residentBytes: 400 * 2 ** 20, openFiles: 71, freeBytes: 80e9, homeBytes: 5 * 2 ** 20 };
const view: StatusView = {
  nowMs: 10_250,
  network: { name: 'prime-local', chainId: 7919, intervalMs: 1_000 },
  nodes: Array.from({ length: 4 }, (_, index) => ({
    name: `http://127.0.0.1:2310${index}`,
    head: 20n,
    peers: 3,
    pending: 7,
    queued: 0,
    resources: null,
    away: null,
  })),
  status,
  validators: Array.from({ length: 4 }, (_, index) => ({
    address: addressOf(index),
    moniker: `validator${index}`,
    votingPower: 1_000n,
    isPresent: true,
    head: 20n,
    knownVersion: 1,
  })),
  commits: Array.from({ length: 20 }, (_, index) => commit(index + 1, index < 10 ? [0, 1, 2, 3] : [0, 1, 2])),
  markets: ['PRM/USD', 'ETH/USD', 'BTC/USD'].map((symbol) => ({
    symbol,
    status: 'trading',
    last: '3012.5',
    mark: '3012',
    bid: '3012 ',
    ask: '3013',
    volume: '12.5 ETH',
    trades: 1_204,
  })),
};
const shown = (of: StatusView, width: number, height: number | null = null): string[] =>
  statusLines(of, { width, height, paint: colorless });
const withNode = (index: number, change: object): StatusView => ({
  ...view,
  nodes: view.nodes.map((node, at) => (at === index ? { ...node, ...change } : node)),
});

describe('what a terminal shows of a network', () => {
  it('has the head, the round with its votes, nodes, validators and markets', () => {
    const lines = shown(view, 80);
    expect(lines[0]).toBe('prime-local, chain 7919  block 20  250 ms ago  2.0 blocks/s  nodes 4/4');
    expect(lines[2]).toBe('deciding 21  round 0, turn of validator2  waits for prevotes 200 ms');
    expect(lines[3]).toMatch(/^prevotes {4}█+│?█*░*.* 3,000 of 4,000$/);
    expect(lines[4]).toMatch(/^precommits {2}░+│░+ 0 of 4,000$/);
    expect(lines.find((line) => line.startsWith('http://127.0.0.1:23100'))).toMatch(
      / 20 {2}at the head {6}3 {5}7 {5}0$/,
    );
    expect(lines.filter((line) => line.startsWith('validator')).map((line) => line.slice(0, 45).trimEnd())).toEqual([
      'validator0  25.0 %     20  ●   ·    100 %  ■■',
      'validator1  25.0 %     20  ●   ·    100 %  ▣■',
      'validator2  25.0 %     20  ○   ·    100 %  ■▣',
      'validator3  25.0 %     20  ·   ·     50 %  ■■',
    ]);
    expect(lines.at(-1)).toMatch(/^BTC\/USD {2}3012\.5/);
  });

  it('no line is wider than the terminal, and there are no more than it has, at any size', () => {
    for (const [width, height] of [
      [80, 24],
      [80, 23],
      [81, 25],
      [40, 10],
      [20, 5],
      [10, 3],
      [1, 1],
      [200, 60],
    ] as const) {
      const lines = shown(withNode(1, { away: { sinceMs: 1, reason: 'no answer' } }), width, height);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines.length).toBeLessThanOrEqual(height);
    }
  });

  it('where not all has room rows of the longest lists go, and are counted; a line more and they are back', () => {
    const all = shown(view, 80);
    expect(shown(view, 80, all.length)).toEqual(all);
    const fewer = shown(view, 80, all.length - 1);
    expect(fewer).toHaveLength(all.length - 1);
    expect(fewer.filter((line) => line === '  and 2 more')).toHaveLength(1);
    expect(fewer.join('\n')).toContain('validator1');
    expect(fewer.join('\n')).not.toContain('validator3');
  });

  it('a wide one shows more blocks, and of nodes what they take', () => {
    const strip = (width: number): number =>
      shown(view, width)
        .find((line) => line.startsWith('validator0'))!
        .replaceAll(/[^■▣·]/g, '').length;
    const long = { ...view, commits: Array.from({ length: 200 }, (_, index) => commit(index + 1, [0])) };
    const stripOf = (width: number): number =>
      shown(long, width)
        .find((line) => line.startsWith('validator0'))!
        .split('%  ')[2]!.length;
    expect(strip(80)).toBe(21);
    expect(stripOf(200)).toBe(stripOf(120) + 80);
    const rich = withNode(0, { resources });
    expect(shown(rich, 120).find((line) => line.startsWith('NODE'))).toMatch(/MEMORY {3}FREE {2}FILES {3}HOME$/);
    expect(shown(rich, 120).find((line) => line.includes(':23100'))).toMatch(/400 MiB {2}80 GB {5}71 {2}5 MiB$/);
    expect(shown(view, 120).join('\n')).not.toContain('MEMORY');
  });

  it('a node that is away says since when and why, and one that is behind by how much', () => {
    const away = shown(withNode(1, { away: { sinceMs: 8_250, reason: 'no answer' } }), 80);
    expect(away[0]).toContain('nodes 3/4');
    expect(away.find((line) => line.includes(':23101'))).toContain('AWAY 2.00 s: no answer');
    const line = (head: bigint): string => shown(withNode(2, { head }), 80).find((one) => one.includes(':23102'))!;
    expect([line(18n), line(17n)]).toEqual([
      expect.stringContaining('at the head'),
      expect.stringContaining('3 behind'),
    ]);
  });

  it('a block that is late says why', () => {
    const round = {
      ...status.currentRound!,
      prevotes: { block: [addressOf(0)], nil: [], missing: [1, 2, 3].map(addressOf), votingPower: 1_000n },
    };
    const late = { ...view, status: { ...status, nowMs: 20_000, currentRound: round } };
    const text = shown(late, 80).join(' ');
    expect(text).toContain('No block for 10.0 s: too few vote');
    expect(text).toContain('validator1, validator2 and validator3 are missing');
    expect(shown(view, 80).join(' ')).not.toContain('No block');
  });

  it('before anything was heard it says so, and nothing is wrong with that', () => {
    const lines = shown(emptyView(['a', 'b'], 0), 80, 24);
    expect(lines[0]).toBe('prime  no block yet  nodes 0/2');
    expect(lines).toContain('nobody tells of the height in progress');
  });

  it('colours take no room', () => {
    // eslint-disable-next-line no-control-regex
    const plain = (line: string): string => line.replaceAll(/\u001b\[\d+m/g, '');
    const lines = statusLines(view, { width: 100, height: 40, paint: colored });
    expect(lines.map(plain)).toEqual(shown(view, 100, 40));
    expect(lines.join('')).toContain('\u001b[32m');
  });
});

describe('a table', () => {
  const columns = [
    { title: 'A', align: 'left', cell: () => ({ text: 'xx' }) },
    { title: 'BB', align: 'right', cell: () => ({ text: '1' }) },
    { title: 'CCC', align: 'left', cell: () => ({ text: 'end' }) },
  ] as const;
  const lines = (width: number): string[] => {
    const { title, rows: body } = grid([null], columns, { width, paint: colorless });
    return [title, ...body];
  };

  it('leaves out the columns that have no room, the last ones first', () => {
    expect(lines(11)).toEqual(['A   BB  CCC', 'xx   1  end']);
    expect(lines(10)).toEqual(['A   BB', 'xx   1']);
    expect(lines(6)).toEqual(['A   BB', 'xx   1']);
    expect(lines(5)).toEqual(['A', 'xx']);
    expect(lines(1)).toEqual(['A', 'x']);
  });

  it('a text that is cut says so', () => {
    expect(['abc', 'abcd', 'abcde'].map((text) => cutTo(text, 4))).toEqual(['abc', 'abcd', 'abc…']);
    expect([cutTo('abc', 1), cutTo('abc', 0)]).toEqual(['a', '']);
  });
});

describe('lines of what changed', () => {
  const away = withNode(1, { away: { sinceMs: 1, reason: 'no answer' } });

  it('are who answers, and each block', () => {
    expect(changeLines(null, emptyView(['a'], 0))).toEqual([]);
    expect(changeLines(null, view)).toEqual([
      ...[0, 1, 2, 3].map((index) => `http://127.0.0.1:2310${index} answers, at block 20`),
      'block 20  round 0  3 of 4 signed  4 of 4 nodes  7 waiting',
    ]);
    expect(changeLines(view, { ...view, nowMs: view.nowMs + 1_000 })).toEqual([]);
    const next = { ...withNode(0, { head: 21n }), commits: [...view.commits, commit(21, [0, 1, 2, 3], 2)] };
    expect(changeLines(view, next)).toEqual(['block 21  round 2  4 of 4 signed  4 of 4 nodes  7 waiting']);
  });

  it('are who went and who is back, once', () => {
    expect(changeLines(view, away)).toEqual(['http://127.0.0.1:23101 is away: no answer']);
    expect(changeLines(away, away)).toEqual([]);
    expect(changeLines(away, view)).toEqual(['http://127.0.0.1:23101 is back, at block 20']);
  });

  it('are why no block comes, once for each cause, and that they come again', () => {
    const late = (nowMs: number, waitsFor: 'work' | 'execution' = 'work'): StatusView => ({
      ...view,
      status: { ...status, nowMs, waitsFor, currentRound: null },
    });
    expect(changeLines(view, late(20_000))).toEqual([
      expect.stringMatching(/^No block for 10\.0 s\. No round has begun/),
    ]);
    expect(changeLines(late(20_000), late(21_000))).toEqual([]);
    expect(changeLines(late(21_000), view)).toEqual(['blocks come again']);
  });
});
