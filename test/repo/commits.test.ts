/** What the subjects of commits must keep to (CONTRIBUTING.md). */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

const subjectMax = 72;
/** Commits that are looked at; a shallow copy has fewer, one without git has none. */
const newest = 40;
const types = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'style', 'build', 'ci', 'revert'];
const form = new RegExp(`^(?:${types.join('|')})(?:\\([a-zA-Z0-9,-]+\\))?!?: (\\S+) .*[^.]$`);
/** Words of what was done, not of what the commit does. */
const told = /^(?:.*(?:ed|ing)|adds|fixes|makes|removes|uses)$/;
const imperative = new Set(['bring', 'embed', 'feed', 'need', 'read', 'seed', 'shed', 'shred', 'speed', 'string']);

/** @returns why a subject is refused; null where it is not */
function refusalOf(subject: string): string | null {
  if (subject.length > subjectMax) return `has ${subject.length} characters, and ${subjectMax} are allowed`;
  const verb = form.exec(subject)?.[1];
  if (verb === undefined) return `is not \`type(scope): do something\` without a full stop, of ${types.join(', ')}`;
  return told.test(verb) && !imperative.has(verb) ? `begins with "${verb}": say what the commit does` : null;
}

describe('subjects of commits', () => {
  it('are short, of the usual form, and imperative', () => {
    const log = spawnSync('git', ['log', '--no-merges', `-${newest}`, '--format=%s'], { cwd: root, encoding: 'utf8' });
    const subjects = log.status === 0 ? log.stdout.split('\n').filter((subject) => subject !== '') : [];
    const refused = subjects.flatMap((subject) => {
      const why = refusalOf(subject);
      return why === null ? [] : [`"${subject}" ${why}`];
    });
    expect(refused).toEqual([]);
  });

  it.each([
    ['perf(clob): take the best order without a level lookup', null],
    ['fix(engine)!: read the log once', null],
    [`docs: ${'say '.repeat(16)}`.trimEnd(), null],
    [`docs: ${'say '.repeat(17)}it`, 'has 76 characters'],
    ['take the best order', 'is not `type(scope)'],
    ['feat(clob): take the best order.', 'is not `type(scope)'],
    ['chore: tidy things', 'is not `type(scope)'],
    ['fix(rpc): fixed a thing', 'begins with "fixed"'],
    ['fix(rpc): adding a thing', 'begins with "adding"'],
  ])('%s', (subject, why) => {
    if (why === null) expect(refusalOf(subject)).toBeNull();
    else expect(refusalOf(subject)).toContain(why);
  });
});
