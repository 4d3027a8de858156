/** What commits must keep to (CONTRIBUTING.md). */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readText, root } from './repository.ts';

const subjectMax = 72;
/** Commits that are looked at; a shallow copy has fewer, one without git has none. */
const newest = 40;
const types = ['feat', 'fix', 'perf', 'refactor', 'test', 'docs', 'style', 'build', 'ci', 'revert'];
const form = new RegExp(`^(?:${types.join('|')})(?:\\([a-zA-Z0-9,-]+\\))?!?: (\\S+) .*[^.]$`);
/** Words of what was done, not of what the commit does. */
const told = /^(?:.*(?:ed|ing)|adds|fixes|makes|removes|uses)$/;
const imperative = new Set(['bring', 'embed', 'feed', 'need', 'read', 'seed', 'shed', 'shred', 'speed', 'string']);

/** What changes behaviour says why; of a test, a document or a move the subject may be enough. */
const explained = /^(?:feat|fix|perf)\b/;

/** @returns why a commit is refused; null where it is not */
const refusalOf = (subject: string, body: string): string | null =>
  refusalOfSubject(subject) ?? (explained.test(subject) && body.trim() === '' ? 'has no body that says why' : null);

function refusalOfSubject(subject: string): string | null {
  if (subject.length > subjectMax) return `has ${subject.length} characters, and ${subjectMax} are allowed`;
  const verb = form.exec(subject)?.[1];
  if (verb === undefined) return `is not \`type(scope): do something\` without a full stop, of ${types.join(', ')}`;
  return told.test(verb) && !imperative.has(verb) ? `begins with "${verb}": say what the commit does` : null;
}

describe('commits', () => {
  it('have a subject that is short, of the usual form and imperative, and say why', () => {
    const wanted = ['log', '--no-merges', `-${newest}`, '-z', '--format=%s%n%b'];
    const log = spawnSync('git', wanted, { cwd: root, encoding: 'utf8' });
    const commits = log.status === 0 ? log.stdout.split('\0').filter((commit) => commit !== '') : [];
    const refused = commits.flatMap((commit) => {
      const [subject = '', ...body] = commit.split('\n');
      const why = refusalOf(subject, body.join('\n'));
      return why === null ? [] : [`"${subject}" ${why}`];
    });
    expect(refused).toEqual([]);
  });

  it('are as many in CI as are looked at', () => {
    expect(readText('.github/workflows/ci.yml')).toContain(`fetch-depth: ${newest}`);
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
    if (why === null) expect(refusalOf(subject, 'It was slow.')).toBeNull();
    else expect(refusalOf(subject, 'It was slow.')).toContain(why);
  });

  it.each([
    ['feat(rpc): answer tickers', 'has no body'],
    ['fix: read the log once', 'has no body'],
    ['perf(clob)!: take the best order', 'has no body'],
    ['test(engine): count blocks that were fetched', null],
    ['docs: say how far the steps can be trusted', null],
  ])('%s, without a body', (subject, why) => {
    if (why === null) expect(refusalOf(subject, '\n')).toBeNull();
    else expect(refusalOf(subject, '\n')).toContain(why);
  });
});
