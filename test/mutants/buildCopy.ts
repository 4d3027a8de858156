import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { builtOf, type Mutant, planted } from './mutant.ts';

/** Not needed to run the built tests of packages. */
const left = new Set(['src', 'bench', 'node_modules', '.prime']);

/**
 * A copy of the built packages in which something may be broken: the working tree is never touched.
 *
 * Packages find each other in the copy; everything else is that of the repository.
 */
export class BuildCopy {
  readonly root: string;

  /** @param repository its root, built */
  constructor(repository: string) {
    this.root = mkdtempSync(join(tmpdir(), 'prime-mutants-'));
    for (const name of ['packages', 'scripts'])
      cpSync(join(repository, name), join(this.root, name), {
        recursive: true,
        filter: (path) =>
          !relative(repository, path)
            .split(sep)
            .some((part) => left.has(part)),
      });
    for (const name of ['apps', 'test']) mkdirSync(join(this.root, name));
    for (const name of ['package.json', 'jest.config.mjs']) cpSync(join(repository, name), join(this.root, name));
    this.#linkModules(join(repository, 'node_modules'));
  }

  /** Runs something while a mutant is in the copy. @throws Error when its text is not there exactly once */
  async with<T>(mutant: Mutant, run: () => Promise<T>): Promise<T> {
    const path = join(this.root, builtOf(mutant.file));
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, planted(mutant, before, builtOf(mutant.file)));
    try {
      return await run();
    } finally {
      writeFileSync(path, before);
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #linkModules(modules: string): void {
    const own = join(this.root, 'node_modules');
    mkdirSync(join(own, '@prime'), { recursive: true });
    for (const name of readdirSync(modules)) if (name !== '@prime') symlinkSync(join(modules, name), join(own, name));
    for (const name of readdirSync(join(this.root, 'packages')))
      symlinkSync(join(this.root, 'packages', basename(name)), join(own, '@prime', name));
  }
}
