import { describe, expect, it } from '@jest/globals';
import type { Fault } from './faults.ts';
import { affectedValidators, allLinks, largestConnected, limitsDuring, limitsOf, minorities } from './power.ts';

const affected = (validators: number, ...faults: Fault[]): number[] => affectedValidators({ faults }, { validators });
const connected = (validators: number, ...faults: Fault[]): number => largestConnected({ faults }, { validators });

describe('how much a phase takes away', () => {
  it('f and the quorum', () => {
    expect([1, 3, 4, 6, 7, 10].map(limitsOf)).toEqual([
      { faultyMax: 0, quorum: 1 },
      { faultyMax: 0, quorum: 3 },
      { faultyMax: 1, quorum: 3 },
      { faultyMax: 1, quorum: 5 },
      { faultyMax: 2, quorum: 5 },
      { faultyMax: 3, quorum: 7 },
    ]);
  });

  it('who is down twice counts once', () => {
    expect(affected(4, { kind: 'kill', validators: [1] }, { kind: 'pause', validators: [1] })).toEqual([1]);
  });

  it('a cut link affects one of its ends, and nobody new when an end is down', () => {
    const cut: Fault = { kind: 'cut', links: [{ from: 0, to: 2 }] };
    expect(affected(4, cut)).toHaveLength(1);
    expect(affected(4, cut, { kind: 'kill', validators: [2] })).toEqual([2]);
  });

  it('all links of one validator affect that one; of a partition, the smaller side', () => {
    const links = allLinks({ validators: 7 }).filter(({ from }) => from === 3);
    expect(affected(7, { kind: 'cut', links })).toEqual([3]);
    expect(
      affected(7, {
        kind: 'partition',
        groups: [
          [5, 6],
          [0, 1, 2, 3, 4],
        ],
      }),
    ).toEqual([5, 6]);
  });

  it('two pairs of four that are cut affect two', () => {
    const links = [
      { from: 0, to: 2 },
      { from: 1, to: 3 },
    ];
    expect(affected(4, { kind: 'cut', links })).toHaveLength(2 + 2);
    expect(affected(7, { kind: 'cut', links })).toHaveLength(2);
  });

  it('slow links affect nobody', () => {
    expect(affected(4, { kind: 'degrade', links: 'all', latency_ms: 100 })).toEqual([]);
  });

  it('connected are those who are up and hear of each other, in one direction or through others', () => {
    expect(connected(4)).toBe(4);
    expect(connected(4, { kind: 'kill', validators: [0, 1] })).toBe(2);
    expect(connected(4, { kind: 'partition', groups: [[0], [1, 2, 3]] })).toBe(3);
    expect(connected(4, { kind: 'cut', links: [{ from: 0, to: 1 }] })).toBe(4);
    const isolated = allLinks({ validators: 4 }).filter(({ from, to }) => from === 0 || to === 0);
    expect(connected(4, { kind: 'cut', links: isolated })).toBe(3);
  });

  it('followers weigh nothing, and carry blocks from one side to the other', () => {
    const size = { validators: 4, followers: 1 };
    const halves = (groups: number[][]) => ({ faults: [{ kind: 'partition', groups } satisfies Fault] });
    expect(affectedValidators({ faults: [{ kind: 'kill', validators: [4] }] }, size)).toEqual([]);
    expect(minorities(halves([[0], [1, 2, 3]]), size)).toEqual([]);
    expect(
      minorities(
        halves([
          [0, 4],
          [1, 2, 3],
        ]),
        size,
      ),
    ).toEqual([0, 4]);
    expect(
      largestConnected(
        halves([
          [0, 1, 4],
          [2, 3],
        ]),
        size,
      ),
    ).toBe(2);
  });

  it('who joins counts as soon as it is there, and what is promised holds before and after', () => {
    const joins: Fault = { kind: 'join', node: 4 };
    expect(limitsDuring({ faults: [joins] }, { validators: 4, followers: 1 })).toEqual({
      members: 5,
      faultyMax: 1,
      quorum: 4,
    });
    const size = { validators: 6, followers: 1 };
    // Seven would bear two, but six do not.
    expect(limitsDuring({ faults: [{ ...joins, node: 6 }] }, size)).toMatchObject({ members: 7, faultyMax: 1 });
    expect(
      affectedValidators({ faults: [joins, { kind: 'downtime', validator: 4 }] }, { validators: 4, followers: 1 }),
    ).toEqual([4]);
  });

  it('whoever is attacked has to go on', () => {
    expect(affected(4, { kind: 'attack', validator: 1, how: 'votes' }, { kind: 'overload', validator: 2 })).toEqual([]);
    expect(affected(4, { kind: 'thread', validator: 1, thread: 'evm', how: 'hang' })).toEqual([1]);
  });
});
