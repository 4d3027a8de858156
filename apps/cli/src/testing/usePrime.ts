import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, jest } from '@jest/globals';
import { createProgram } from '../program.ts';

export interface PrimeInTest {
  /** A folder of each test, which is gone after it. */
  folder(): string;
  /** What the commands of the test printed, by calls. */
  readonly printed: string[];
  /** Runs `prime …` in this process. */
  prime(...args: readonly string[]): Promise<void>;
  /** Of a validator of the network in the folder. */
  home(index: number): string;
}

/** The `prime` command for the tests of a file. @param validators of a network that is in the folder of each test; 0 for none */
export function usePrime(validators: number): PrimeInTest {
  let folder = '';
  /** The network as it was made: keys and certificates cost more than most tests. Each test has a copy. */
  let made = '';
  const printed: string[] = [];
  const prime = async (...args: readonly string[]): Promise<void> => {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: 'user' });
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prime-cli-'));
    jest.spyOn(console, 'log').mockImplementation((line: unknown) => void printed.push(String(line)));
    if (validators > 0 && made === '') {
      made = await mkdtemp(join(tmpdir(), 'prime-cli-made-'));
      await prime('testnet', 'init', '--validators', String(validators), '--out', made);
    }
    if (made !== '') await cp(made, folder, { recursive: true });
    printed.length = 0;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true, force: true });
  });
  afterAll(async () => {
    if (made !== '') await rm(made, { recursive: true, force: true });
  });
  return { folder: () => folder, printed, prime, home: (index) => join(folder, `validator${index}`) };
}
