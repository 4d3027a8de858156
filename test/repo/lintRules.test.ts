/** The lint rules of this repository, on code that breaks them and on code that does not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

const classWith = (body: string): string => `export class Table {
  #ids = new Float64Array(64);
  #fixed = new Float64Array(64);
  lengths = new Int32Array(64);
  #count = 0;
  take() {
    if (this.#count === this.#ids.length) this.#grow();
    return this.#count++;
  }
  #grow() {
    const larger = new Float64Array(this.#count * 2);
    larger.set(this.#ids);
    this.#ids = larger;
    this.lengths = new Int32Array(this.#count * 2);
  }
  looks() { return this.#count + this.#fixed[0]; }
  write(at, value) {
    ${body}
  }
}
`;

const refused: readonly (readonly [name: string, body: string])[] = [
  ['the index grows it', 'this.#ids[this.take()] = value;'],
  ['the index grows it, in a sum', 'this.lengths[this.take() * 2 + 1] = value;'],
  ['the value grows it', 'this.#ids[at] = this.take();'],
  ['a compound assignment', 'this.#ids[this.take()] += value;'],
  ['counting up', 'this.#ids[this.take()]++;'],
  ['an old name of it', 'const ids = this.#ids; const place = this.take(); ids[place] = value;'],
  ['an old name of it, taken apart', 'const { lengths } = this; const place = this.take(); lengths[place] = value;'],
  ['an old name, value that grows', 'const ids = this.#ids; ids[at] = this.take();'],
];

const taken: readonly (readonly [name: string, body: string])[] = [
  ['the place is taken first', 'const place = this.take(); this.#ids[place] = value;'],
  ['the name comes after the call', 'const place = this.take(); const ids = this.#ids; ids[place] = value;'],
  ['nothing replaces the array', 'this.#fixed[this.take()] = value;'],
  ['a call that replaces nothing', 'const ids = this.#ids; const place = this.looks(); ids[place] = value;'],
  ['a function of no class', 'this.#ids[Math.floor(at / 2)] = value;'],
];

/** What the rule says, by the name of the case: one run of the linter over a file for each. */
function lintAll(cases: readonly (readonly [name: string, body: string])[]): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'prime-lint-'));
  try {
    const plugin = join(root, 'scripts', 'lint', 'staleElementWrite.mjs');
    const rules = { 'prime/no-stale-element-write': 'error' };
    writeFileSync(
      join(folder, 'lint.json'),
      JSON.stringify({ plugins: [], jsPlugins: [plugin], categories: { correctness: 'off' }, rules }),
    );
    const files = cases.map((_, index) => `case${index}.mjs`);
    cases.forEach(([, body], index) => {
      writeFileSync(join(folder, files[index]!), classWith(body));
    });
    const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '-c', 'lint.json', '-f', 'json', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; message: string }[] };
    const messagesOf = (file: string): string[] =>
      diagnostics.filter(({ filename }) => filename.endsWith(file)).map(({ message }) => message);
    return new Map(cases.map(([name], index) => [name, messagesOf(files[index]!)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('an array is not written through a place that may replace it', () => {
  let found = new Map<string, string[]>();
  beforeAll(() => {
    found = lintAll([...refused, ...taken]);
  });

  it.each(refused)('refused: %s', (name) => {
    expect(found.get(name)).toEqual([expect.stringMatching(/may replace|may be replaced/)]);
  });

  it.each(taken)('taken: %s', (name) => {
    expect(found.get(name)).toEqual([]);
  });
});
