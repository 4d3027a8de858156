import { describe, expect, it } from '@jest/globals';
import type { AcknowledgedWrite, Evidence, NodeView, PhaseOutcome, SignatureRecord } from './evidence.ts';
import { growthPerHour, judge } from './judge.ts';

const block = (height: number) => ({
  height,
  hash: `0xb${height}`,
  parentHash: `0xb${height - 1}`,
  stateRoot: `0xs${height}`,
});
const view = (validator: number): NodeView => ({
  validator,
  blocks: [1, 2, 3].map(block),
  snapshots: 0,
  ordersRoot: '0xo',
  escrow: 100n,
  held: 100n,
  registered: ['0xa active 0x1 of 0x5'],
});
const write: AcknowledgedWrite = { kind: 'transfer', id: '0xt', words: '5 wei' };
const signature: SignatureRecord = {
  signer: '0xa',
  height: 2,
  round: 0,
  step: 'prevote',
  value: '0xb2',
  source: 'log of validator0',
};
const phase: PhaseOutcome = {
  name: 'kill 1',
  promise: 'live',
  startedMs: 0,
  healedMs: 5_000,
  holdMs: 5_000,
  headBefore: 2,
  headAfter: 9,
  longestStallMs: 400,
  blocksOfMinority: 0,
  recoveryMs: 900,
  recoveryMsMax: 5_000,
  stallMsMax: 10_000,
};
const sample = (atMs: number, rssBytes: number) => ({ validator: 0, pid: 7, atMs, rssBytes });
const clean: Evidence = {
  names: ['validator0', 'validator1', 'validator2', 'validator3'],
  members: ['0xa'],
  changes: ['join', 'leave', 'join'],
  failedChanges: [],
  durationMs: 60_000,
  views: [0, 1, 2, 3].map(view),
  writes: [write],
  claims: [0, 1, 2, 3].map((validator) => ({ validator, write, problem: null })),
  signatures: [signature, { ...signature, source: 'log of validator1' }, { ...signature, step: 'precommit' }],
  ends: [{ validator: 1, atMs: 10, code: null, signal: 'SIGKILL', expected: ['SIGKILL'], words: '' }],
  phases: [phase, { ...phase, promise: 'halt', headAfter: 2 }],
  memory: [sample(0, 200 << 20)],
  complaints: [],
  wrongAnswers: [],
};
const changeView = (validator: number, change: Partial<NodeView>): Partial<Evidence> => ({
  views: clean.views.map((each) => (each.validator === validator ? { ...each, ...change } : each)),
});
const changeBlock = (height: number, change: object): NodeView['blocks'] =>
  view(0).blocks.map((each) => (each.height === height ? { ...each, ...change } : each));
const hour = 3_600_000;

describe('the verdict', () => {
  it('on a clean run: every rule holds, and each has seen something', () => {
    const { clean: isClean, findings } = judge(clean);
    expect(findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(isClean).toBe(true);
    expect(findings.map(({ seen }) => seen)).toEqual(
      expect.arrayContaining([
        '3 blocks on 4 nodes',
        '12 state roots, 4 orders roots',
        '1 writes (1 transfer) on 4 nodes',
        '100 wei in escrow on 4 nodes',
        '2 signatures at places of their own',
        '1 phases that go on, 1 that stand still',
        '1 ends: 1 × SIGKILL',
      ]),
    );
  });

  it.each<[name: string, planted: Partial<Evidence>, rule: string, words: RegExp]>([
    [
      'a forked block',
      changeView(2, { blocks: changeBlock(3, { hash: '0xf' }) }),
      'agreement',
      /fork at height 3.*validator0 has 0xb3, validator2 has 0xf/,
    ],
    [
      'a block of another parent',
      changeView(2, { blocks: changeBlock(3, { parentHash: '0xf' }) }),
      'agreement',
      /block 3 of validator2 is not the child/,
    ],
    [
      'a shorter chain',
      changeView(3, { blocks: view(3).blocks.slice(0, 2) }),
      'agreement',
      /different heights: 3, 3, 3, 2/,
    ],
    ['a gap', changeView(1, { blocks: [block(1), block(3)] }), 'agreement', /validator1 never had blocks 2 to 2/],
    [
      'more gaps than it began with snapshots',
      changeView(1, { blocks: [block(2), block(4)], snapshots: 1 }),
      'agreement',
      /validator1 never had blocks 1 to 1, 3 to 3/,
    ],
    [
      'a block that was another one before',
      changeView(1, { blocks: [block(1), block(2), { ...block(2), hash: '0xf' }, block(3)] }),
      'agreement',
      /fork at height 2: validator0 has 0xb2, validator1 has 0xf/,
    ],
    ['a validator that does not answer', { views: clean.views.slice(1) }, 'agreement', /validator0 did not answer/],
    [
      'another state root',
      changeView(1, { blocks: changeBlock(2, { stateRoot: '0xx' }) }),
      'state and orders roots',
      /state root 2: validator0 has 0xs2, validator1 has 0xx/,
    ],
    [
      'another orders root',
      changeView(1, { ordersRoot: '0xx' }),
      'state and orders roots',
      /orders root: validator0 has 0xo, validator1 has 0xx/,
    ],
    [
      'a missing write',
      { claims: clean.claims.map((claim) => (claim.validator === 3 ? { ...claim, problem: 'no receipt' } : claim)) },
      'acknowledged writes',
      /transfer 0xt \(5 wei\) on validator3: no receipt/,
    ],
    [
      'a write that was not looked for',
      { claims: clean.claims.slice(1) },
      'acknowledged writes',
      /1 writes were to be looked for on 4 nodes, 3 answers/,
    ],
    ['money made', changeView(0, { held: 101n }), 'conservation', /100 wei in escrow, 101 wei in the order book/],
    [
      'two signatures',
      { signatures: [...clean.signatures, { ...signature, value: 'nil', source: 'log of validator3' }] },
      'no second signature',
      /0xa signed two prevotes at height 2, round 0: 0xb2 \(log of validator0\) and nil \(log of validator3\)/,
    ],
    [
      'a stall',
      { phases: [{ ...phase, longestStallMs: 10_001 }] },
      'progress during faults',
      /kill 1: no block for 10\.0 s/,
    ],
    [
      'blocks without a majority',
      { phases: [{ ...phase, promise: 'halt' }] },
      'progress during faults',
      /7 blocks were decided without a majority/,
    ],
    [
      'blocks of a minority',
      { phases: [{ ...phase, blocksOfMinority: 1 }] },
      'progress during faults',
      /a minority shows 1 new blocks/,
    ],
    ['a slow recovery', { phases: [{ ...phase, recoveryMs: 5_001 }] }, 'recovery', /back after 5\.0 s, at most 5\.0 s/],
    ['no recovery', { phases: [{ ...phase, recoveryMs: null }] }, 'recovery', /not all came back/],
    [
      'a crash',
      { ends: [{ validator: 2, atMs: 1_000, code: 70, signal: null, expected: [], words: 'fatal' }] },
      'exit codes',
      /validator2 ended with 70 at 1\.0 s; it should not have ended\. fatal/,
    ],
    [
      'another exit code',
      { ends: [{ validator: 2, atMs: 1_000, code: 70, signal: null, expected: [78, 74], words: '' }] },
      'exit codes',
      /ended with 70.*expected 78 or 74/,
    ],
    [
      'a wrong answer',
      { wrongAnswers: [{ validator: 1, atMs: 0, words: 'block 2' }] },
      'no wrong answer from damaged files',
      /block 2/,
    ],
    [
      'equivocation in a log',
      { complaints: [{ validator: 1, atMs: 0, words: 'equivocation seen' }] },
      'no complaints about each other',
      /equivocation/,
    ],
    [
      'a change of the set that did not come about',
      { failedChanges: [{ validator: 2, atMs: 1_000, words: 'unjail of validator2: not in time' }] },
      'membership',
      /validator2 at 1\.0 s: unjail of validator2: not in time/,
    ],
    [
      'nodes that know different validators',
      changeView(3, { registered: ['0xa active 0x2 of 0x5'] }),
      'membership',
      /validator0 and validator3 know different validators: 0xa active 0x1 of 0x5 and 0xa active 0x2/,
    ],
    ['a validator that is not back', { members: ['0xa', '0xb'] }, 'membership', /0xb is not in the set in the end/],
    [
      'a validator without its first blocks',
      changeView(1, { blocks: [block(2), block(3)] }),
      'agreement',
      /validator1 never had blocks 1 to 1/,
    ],
    ['much memory', { memory: [sample(0, 2 ** 31)] }, 'memory', /validator0 took 2048 MiB/],
    [
      'growing memory',
      { memory: Array.from({ length: 31 }, (_, minute) => sample(minute * 60_000, (200 + 10 * minute) << 20)) },
      'memory',
      /grows by 600 MiB an hour/,
    ],
  ])('%s: not clean, and the rule says where', (_name, planted, rule, words) => {
    const { clean: isClean, findings } = judge({ ...clean, ...planted });
    expect(isClean).toBe(false);
    const broken = findings.filter(({ violations }) => violations.length > 0);
    expect(broken.map((finding) => finding.rule)).toContain(rule);
    expect(broken.find((finding) => finding.rule === rule)!.violations.join('\n')).toMatch(words);
  });

  it('who began with a snapshot lacks blocks before it, and nothing is wrong with that', () => {
    expect(judge({ ...clean, ...changeView(1, { blocks: [block(1), block(3)], snapshots: 1 }) }).clean).toBe(true);
    const follower = { ...view(4), blocks: [block(2), block(3)], snapshots: 1 };
    const names = [...clean.names, 'follower0'];
    const claims = [...clean.claims, { validator: 4, write, problem: null }];
    expect(judge({ ...clean, names, claims, views: [...clean.views, follower] }).clean).toBe(true);
    const forked = { ...follower, blocks: [block(2), { ...block(3), hash: '0xf' }] };
    expect(judge({ ...clean, names, claims, views: [...clean.views, forked] }).clean).toBe(false);
  });

  it('many violations of a rule are counted', () => {
    const complaints = Array.from({ length: 50 }, () => ({ validator: 1, atMs: 0, words: 'x' }));
    const found = judge({ ...clean, complaints }).findings.find(({ violations }) => violations.length > 0)!;
    expect(found.violations).toHaveLength(21);
    expect(found.violations.at(-1)).toBe('… and 30 more');
  });
});

describe('growth of memory', () => {
  it('counts the second half only, and nothing that is too short', () => {
    const filling = (atMs: number): number => Math.min(atMs, hour / 2) / 1_000;
    const samples = Array.from({ length: 61 }, (_, minute) => sample(minute * 60_000, filling(minute * 60_000)));
    expect(growthPerHour(samples)).toBe(0);
    expect(growthPerHour(samples.slice(0, 10))).toBeNull();
    expect(growthPerHour([])).toBeNull();
  });
});
