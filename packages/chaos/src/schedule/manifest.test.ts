import { describe, expect, it } from '@jest/globals';
import { parseManifest } from './manifest.ts';

const load = { transfers: 0, orders: 0, trades: 0, deposits: 0, withdrawals: 0, bursts: 0 };
const phase = { name: 'p', promise: 'live', hold_ms: 1, faults: [] as object[] };
const manifest = { format: 'prime-chaos-1', seed: 1, validators: 4, patience: 1, load, phases: [phase] };
const withFaults = (promise: string, ...faults: object[]): object => ({
  ...manifest,
  phases: [{ ...phase, promise, faults }],
});
const parse = (value: unknown): unknown => parseManifest(JSON.stringify(value), 'chaos.json');
const refusal = (value: unknown): string => {
  try {
    if (typeof value === 'string') parseManifest(value, 'chaos.json');
    else parse(value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CHAOS_MANIFEST_INVALID' });
    return (error as Error).message;
  }
  throw new Error('it was not refused');
};

describe('a manifest', () => {
  it('is what it was', () => {
    expect(parse(manifest)).toEqual(manifest);
    expect(parse({ ...manifest, block_interval_ms: 0 })).toEqual({ ...manifest, block_interval_ms: 0 });
  });

  it.each([
    ['not JSON', '{', /chaos\.json is not JSON/],
    ['another format', { ...manifest, format: 'x' }, /\/format must be equal to constant: "prime-chaos-1"/],
    ['an unknown key', { ...manifest, extra: 1 }, /must NOT have additional properties: extra/],
    ['too slow a pace', { ...manifest, block_interval_ms: 1_001 }, /\/block_interval_ms must be <= 1000/],
    ['no phases', { ...manifest, phases: [] }, /\/phases must NOT have fewer than 1 items/],
    [
      'an unknown fault',
      withFaults('safe', { kind: 'flood' }),
      /\/phases\/0\/faults\/0\/kind must be one of kill, stop/,
    ],
    [
      'a fault without a field',
      withFaults('safe', { kind: 'kill' }),
      /faults\/0 must have required property 'validators'/,
    ],
    [
      'a wrong field',
      withFaults('safe', { kind: 'clock', validator: 1, offset_ms: 'late' }),
      /\/phases\/0\/faults\/0\/offset_ms must be integer/,
    ],
    [
      'a validator that is not there',
      withFaults('safe', { kind: 'kill', validators: [4] }),
      /names validator 4, there are 0 to 3/,
    ],
    [
      'a link to itself',
      withFaults('safe', { kind: 'cut', links: [{ from: 2, to: 2 }] }),
      /from validator 2 to itself/,
    ],
    [
      'liveness with too many down',
      withFaults('live', { kind: 'kill', validators: [0] }, { kind: 'pause', validators: [2] }),
      /promises liveness with 2 of 4 validators affected \(0, 2\); at most 1/,
    ],
    [
      'liveness without a majority',
      withFaults('live', {
        kind: 'partition',
        groups: [
          [0, 1],
          [2, 3],
        ],
      }),
      /promises liveness with [2-4] of 4/,
    ],
    [
      'a halt with a majority',
      withFaults('halt', { kind: 'kill', validators: [3] }),
      /promises a halt, but 3 of 4 validators are up and connected, and 3 decide/,
    ],
    [
      'a validator that is to join',
      withFaults('live', { kind: 'join', node: 2 }),
      /has a join of node 2, which is no follower/,
    ],
    [
      'stake of a follower that has not joined',
      { ...withFaults('live', { kind: 'stake', validator: 4, percent: 5 }), followers: 1 },
      /has a stake of node 4, which is no validator/,
    ],
    [
      'one of four that is to go out',
      withFaults('live', { kind: 'jail_self', validator: 1 }),
      /has a jail_self with 4 validators; at least 4 have to be left/,
    ],
    [
      'one down while all restart one by one',
      withFaults('live', { kind: 'kill', validators: [0] }, { kind: 'roll' }),
      /promises liveness with 2 of 4/,
    ],
    [
      'a halt while power changes',
      withFaults('halt', { kind: 'kill', validators: [0, 1] }, { kind: 'stake', validator: 2, percent: 5 }),
      /promises a halt while the power of validators changes/,
    ],
  ])('%s: CHAOS_MANIFEST_INVALID says where and what is allowed', (_name, value, words) => {
    expect(refusal(value)).toMatch(words);
  });

  it('takes what is possible', () => {
    const faults = [
      withFaults('live', { kind: 'kill', validators: [0] }, { kind: 'cut', links: [{ from: 0, to: 1 }] }),
      withFaults('halt', {
        kind: 'partition',
        groups: [
          [0, 1],
          [2, 3],
        ],
      }),
      withFaults('safe', { kind: 'kill', validators: [0, 1, 2, 3] }),
      withFaults('live', { kind: 'degrade', links: 'all', latency_ms: 20 }),
      { ...withFaults('live', { kind: 'kill', validators: [3, 5] }, { kind: 'join', node: 4 }), followers: 2 },
      { ...withFaults('live', { kind: 'join', node: 4 }, { kind: 'downtime', validator: 4 }), followers: 1 },
      withFaults('live', { kind: 'kill', validators: [0] }, { kind: 'attack', validator: 1, how: 'votes' }),
    ];
    for (const value of faults) expect(parse(value)).toEqual(value);
  });
});
