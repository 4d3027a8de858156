import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@prime/audit';
import type { StepOutcome } from './drill.ts';
import { findingsOf } from './runDrill.ts';

const write = { kind: 'order', id: '0x1', words: 'buy 1' } as const;
const signature = {
  signer: '0xa',
  height: 7,
  round: 0,
  step: 'prevote',
  value: '0xb',
  source: 'log of validator0',
} as const;
const step: StepOutcome = {
  name: 'validator0 is stopped',
  promise: 'live',
  startedMs: 0,
  healedMs: 2_000,
  holdMs: 2_000,
  headBefore: 3,
  headAfter: 9,
  longestStallMs: 400,
  blocksOfMinority: 0,
  recoveryMs: 900,
  recoveryMsMax: 60_000,
  stallMsMax: 30_000,
  writes: 4,
};
const evidence: Evidence = {
  names: ['validator0'],
  durationMs: 9_000,
  views: [
    {
      validator: 0,
      blocks: [1, 2].map((height) => ({
        height,
        hash: `0xb${height}`,
        parentHash: `0xb${height - 1}`,
        stateRoot: '0xs',
      })),
      snapshots: 0,
      ordersRoot: '0xo',
      escrow: 5n,
      held: 5n,
      registered: ['0xa active 0x1 of 0x5'],
    },
  ],
  writes: [write],
  claims: [{ validator: 0, write, problem: null }],
  signatures: [signature],
  ends: [],
  phases: [step],
  memory: [],
  complaints: [],
  changes: [],
  failedChanges: [],
  members: ['0xa'],
  wrongAnswers: [],
};
const claim = { rule: 'it watches before it signs', seen: '20 blocks', violations: [] };

/** Rules that do not hold. */
const broken = (
  planted: Partial<Evidence>,
  steps: readonly StepOutcome[] = [step],
  cutShort: string | null = null,
  violations: readonly string[] = [],
): Record<string, readonly string[]> => {
  const claims = [{ ...claim, violations }];
  const findings = findingsOf({ steps: [...steps], claims }, { ...evidence, phases: steps, ...planted }, cutShort);
  return Object.fromEntries(
    findings.filter((each) => each.violations.length > 0).map((each) => [each.rule, each.violations]),
  );
};

describe('what a drill proves', () => {
  it('everything holds: nothing is broken, and its own claim is among the rules', () => {
    expect(broken({})).toEqual({});
    const rules = findingsOf({ steps: [step], claims: [claim] }, evidence, null).map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining([claim.rule, 'under load', 'acknowledged writes', 'agreement']));
  });

  it.each<[string, Record<string, readonly string[]>, string, RegExp]>([
    [
      'an acknowledged write that can not be found',
      broken({ claims: [{ validator: 0, write, problem: 'no such order' }] }),
      'acknowledged writes',
      /order 0x1 \(buy 1\) on validator0: no such order/,
    ],
    [
      'a second signature',
      broken({ signatures: [signature, { ...signature, value: 'nil', source: 'sign state of validator0' }] }),
      'no second signature',
      /0xa signed two prevotes at height 7/,
    ],
    ['no write in a step that goes on', broken({}, [{ ...step, writes: 0 }]), 'under load', /no write was ack/],
    ['no block in it', broken({}, [{ ...step, headAfter: 3 }]), 'under load', /no block was decided/],
    ['no write at all', broken({ writes: [], claims: [] }), 'under load', /no write was acknowledged at all/],
    ['no signature', broken({ signatures: [] }), 'under load', /no signature was seen/],
    ['blocks while it has to stand', broken({}, [{ ...step, promise: 'halt' }]), 'progress during faults', /6 blocks/],
    ['a long pause', broken({}, [{ ...step, longestStallMs: 30_001 }]), 'progress during faults', /no block for/],
    ['who does not come back', broken({}, [{ ...step, recoveryMs: null }]), 'recovery', /not all came back/],
    ['a step that can not be done', broken({}, [step], 'prime backup: no'), 'every step is carried out', /backup: no/],
    ['its own claim', broken({}, [step], null, ['it watched 3 blocks']), claim.rule, /watched 3 blocks/],
    ['memory, although no drill is about it', broken({ memory: [much()] }), 'memory', /2048 MiB/],
  ])('%s: it fails, and the rule is named', (_name, violations, rule, words) => {
    expect(Object.keys(violations)).toEqual([rule]);
    expect(violations[rule]!.join('\n')).toMatch(words);
  });
});

function much() {
  return { validator: 0, pid: 1, atMs: 0, rssBytes: 2 ** 31 };
}
