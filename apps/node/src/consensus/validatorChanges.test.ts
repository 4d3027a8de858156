import { describe, expect, it } from '@jest/globals';
import type { RegisteredValidator } from '@prime/codec';
import type { Address } from '@prime/primitives';
import { logValidators, validatorEvents } from './validatorChanges.ts';

const [own, other] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`] as [Address, Address];
const [key, next] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`] as [Address, Address];
const entry = (address: Address, changes: Partial<RegisteredValidator> = {}) =>
  ({
    address,
    signer: key,
    status: 'active',
    moniker: 'name',
    tombstoned: false,
    jailedUntilMs: 7,
    ...changes,
  }) as RegisteredValidator;

describe('what a block changed about validators', () => {
  it.each([
    ['joined', [], {}, {}],
    ['joined', [entry(own, { status: 'left' })], { status: 'jailed' }, {}],
    ['jailed', [entry(own)], { status: 'jailed' }, { backFromMs: 7 }],
    ['jailed', [entry(own)], { status: 'jailed', tombstoned: true }, { backFromMs: null }],
    ['unjailed', [entry(own, { status: 'jailed' })], {}, {}],
    ['left', [entry(own)], { status: 'left' }, {}],
    ['left', [entry(own, { status: 'jailed' })], { status: 'left' }, {}],
    ['rotated', [entry(own)], { signer: next }, { signer: next }],
  ] as const)('%s', (kind, before, changes, more) => {
    expect(validatorEvents(before, [entry(own, changes as Partial<RegisteredValidator>)])).toEqual([
      { kind, validator: own, moniker: 'name', ...more },
    ]);
  });

  it('nothing, where only stake changed; two things at once are two events', () => {
    expect(validatorEvents([entry(own)], [entry(own, { stake: 5n })])).toEqual([]);
    const both = validatorEvents([entry(own, { status: 'jailed' })], [entry(own, { signer: next })]);
    expect(both.map(({ kind }) => kind)).toEqual(['unjailed', 'rotated']);
  });

  it('is a warning where the own validator goes, and a line of the log otherwise', () => {
    const lines: [string, string][] = [];
    const logger = {
      info: (text: string) => void lines.push(['info', text]),
      warn: (text: string) => void lines.push(['warn', text]),
    };
    const [before, after] = [
      [own, other].map((each) => entry(each)),
      [own, other].map((each) => entry(each, { status: 'jailed' })),
    ];
    logValidators(logger, 5, [...validatorEvents(before, after), ...validatorEvents(after, before)], own);
    expect(lines).toEqual([
      ['warn', 'this validator was jailed'],
      ['info', 'a validator was jailed'],
      ['info', 'this validator is out of jail'],
      ['info', 'a validator is out of jail'],
    ]);
  });
});
