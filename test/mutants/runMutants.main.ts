import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allMutants } from './allMutants.ts';
import { BuildCopy } from './buildCopy.ts';
import { type Mutant, problemOf } from './mutant.ts';
import { pass } from './runTests.ts';

/**
 * Plants each error of the list in a copy of the built packages, and runs the tests that are to notice it.
 *
 *   npm run mutants -- [words of names]
 *
 * Exit code 1 when one lives, 2 when the list does not fit the code or the tests fail without any error in it.
 */
const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
/** As many as the tests' own workers. */
const atOnce = 2;

interface Found {
  readonly alive: Mutant[];
  caught: number;
  /** Tests that fail without any error planted, which show nothing. */
  readonly unsound: Set<string>;
}

async function runAll(mutants: readonly Mutant[], copies: readonly BuildCopy[]): Promise<Found> {
  const found: Found = { alive: [], caught: 0, unsound: new Set() };
  const waiting = [...mutants];
  const sound = new Map<string, Promise<boolean>>();
  const passesPlain = (root: string, tests: readonly string[]): Promise<boolean> => {
    const name = tests.join(' ');
    const known = sound.get(name) ?? pass(root, tests);
    sound.set(name, known);
    return known;
  };
  const work = async (copy: BuildCopy): Promise<void> => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const { name, tests, file } = mutant;
      if (!(await passesPlain(copy.root, tests))) {
        found.unsound.add(tests.join(' '));
        continue;
      }
      const isAlive = await copy.with(mutant, () => pass(copy.root, tests));
      if (isAlive) found.alive.push(mutant);
      else found.caught += 1;
      console.log(`${isAlive ? 'ALIVE ' : 'caught'} ${name} (${file})`);
    }
  };
  await Promise.all(copies.map(work));
  return found;
}

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const mutants = allMutants.filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)));
  const problems = mutants.map((mutant) => problemOf(repository, mutant)).filter((problem) => problem !== null);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0 || mutants.length === 0) return 2;
  const copies = Array.from({ length: atOnce }, () => new BuildCopy(repository));
  try {
    const { alive, caught, unsound } = await runAll(mutants, copies);
    for (const { name, file } of alive) console.error(`ALIVE ${name} (${file})`);
    for (const tests of unsound) console.error(`fails without any error planted: ${tests}`);
    console.log(`${caught} caught, ${alive.length} alive`);
    if (unsound.size > 0) return 2;
    return alive.length === 0 ? 0 : 1;
  } finally {
    for (const copy of copies) copy.remove();
  }
}

process.exitCode = await main();
