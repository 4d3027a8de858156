import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freeBasePort, until } from '@prime/testkit';
import { root } from '../../repo/repository.ts';
import { type Commands, commandsOf, type Fence, fencesOf, missingLines } from './pages.ts';

/** What a page says to put something else for, and what that is. */
type Replacements = Readonly<Record<string, string>>;

interface Typing {
  /** Each has to stand in the block. */
  readonly put?: Replacements;
  /** Exit codes that the page says are fine. Default 0 alone. */
  readonly codes?: readonly number[];
  /** The page says to ask until it succeeds, and shows what it has shown. */
  readonly again?: boolean;
}

/** Commands of a page that a newcomer leaves out. */
export interface NotTyped {
  readonly page: string;
  readonly begins: string;
  readonly why: string;
}

/** All ports of the pages are 8540 to 8599; here others are free. */
const pagePort = 8_540;
const nodes = 6;
const portOfPages = /\b85[4-9]\d\b/g;
/** What is written into a terminal of its own, and where it runs. */
const starts = /^prime (?:node|signer) start --home (\S+)$/;

/** Without what npm told the tests about their own start. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|PRIME_)/i.test(name))),
  MALLOC_ARENA_MAX: '2',
};
/** Nodes refuse nothing because their machine is busy. */
const patient = { PRIME_LIMITS_BUSY_DELAY_MS: '180000', PRIME_LIMITS_OVERLOAD_DELAY_MS: '180000' };

/** Somebody who has an empty folder, a shell and the pages, and types what they say in their order. */
export class Newcomer {
  readonly folder: string;
  readonly #basePort: number;
  /** Of each page, what is still to be typed, and to be written into `config.toml`. */
  readonly #commands: ReadonlyMap<string, Commands[]>;
  readonly #settings: ReadonlyMap<string, Fence[]>;
  readonly #terminals = new Map<string, Terminal>();

  private constructor(folder: string, basePort: number, pages: readonly string[], leftOut: readonly NotTyped[]) {
    this.folder = folder;
    this.#basePort = basePort;
    const isTyped = ({ page, lines }: Commands): boolean =>
      !leftOut.some((each) => each.page === page && lines[0]!.startsWith(each.begins));
    this.#commands = new Map(pages.map((page) => [page, commandsOf(page).filter(isTyped)]));
    this.#settings = new Map(pages.map((page) => [page, fencesOf(page).filter(({ language }) => language === 'toml')]));
  }

  /** @param pages each is gone through once, block by block */
  static async begin(pages: readonly string[], leftOut: readonly NotTyped[]): Promise<Newcomer> {
    const folder = await mkdtemp(join(tmpdir(), 'prime-newcomer-'));
    const newcomer = new Newcomer(folder, await freeBasePort(nodes), pages, leftOut);
    await newcomer.install(null);
    return newcomer;
  }

  /**
   * Types the next block of a page.
   *
   * @param begins how it begins, so that a reader of the test knows what is typed, and a page that changed is noticed
   * @returns what was printed
   * @throws Error where it ends with another code, or prints otherwise than the page shows
   */
  async type(page: string, begins: string, { put = {}, codes = [0], again = false }: Typing = {}): Promise<string> {
    const block = take(this.#commands, page);
    if (block.lines[0]?.startsWith(begins) !== true)
      throw new Error(`${at(block)}: "${begins}" was expected here, and it is\n${block.lines.join('\n')}`);
    const text = this.#real(replaced(block, put));
    const lines = text.trimEnd().split('\n');
    if (lines.some((line) => starts.test(line))) {
      // Each in a terminal of its own, and none waits for another one.
      const others = lines.filter((line) => !starts.test(line));
      if (others.length > 0) throw new Error(`${at(block)} starts nodes, and has more: ${others.join('\n')}`);
      return (await Promise.all(lines.map((line) => this.#start(line)))).join('\n');
    }
    const picture = block.picture?.map((line) => this.#real(line)) ?? [];
    const ask = async (): Promise<string> => {
      const { code, output } = await shell(text, this.folder, this.#environment());
      const missing = missingLines(picture, output);
      if (codes.includes(code) && missing.length === 0) return output;
      throw new Error([`${at(block)} ended with ${code}`, text, 'lacks', ...missing, 'in', output].join('\n'));
    };
    return again ? until(`${at(block)} succeeds`, ask) : ask();
  }

  /** Writes what the next block of TOML of a page says into `config.toml` of homes. */
  async configure(page: string, homes: readonly string[], put: Replacements = {}): Promise<void> {
    const wanted = this.#real(replaced(take(this.#settings, page), put));
    for (const home of homes) {
      const file = join(this.folder, home, 'config.toml');
      await writeFile(file, configured(await readFile(file, 'utf8'), wanted));
    }
  }

  /** @param cli what `prime` is from now on: the program of another build, or null for the one that is tested */
  async install(cli: string | null): Promise<void> {
    const program = cli ?? join(root, 'apps', 'cli', 'dist', 'main.js');
    await mkdir(join(this.folder, bin), { recursive: true });
    const file = join(this.folder, bin, 'prime');
    await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    await chmod(file, 0o755);
  }

  /** Starts a node as the pages start each. */
  async restart(home: string): Promise<void> {
    await this.#start(`prime node start --home ${home}`);
  }

  /** Ctrl-C in the terminal of a node or signer. */
  async stop(home: string): Promise<void> {
    const code = await this.#terminals.get(home)!.end('SIGINT');
    if (code !== 0) throw new Error(`${home} ended with ${code} when it was stopped`);
  }

  /** The machine is gone: the process without a word, and its home. */
  async lose(home: string): Promise<void> {
    await this.#terminals.get(home)!.end('SIGKILL');
    await rm(join(this.folder, home), { recursive: true });
  }

  /** The JSON-RPC of a node whose ports begin at the named one of the pages. */
  url(port: number): string {
    return `http://127.0.0.1:${this.#real(`${port}`)}`;
  }

  /** Blocks of a page that nobody has typed or written yet, by their first lines. */
  left(page: string): string[] {
    return [...this.#commands.get(page)!, ...this.#settings.get(page)!].map(({ lines }) => lines[0]!);
  }

  async destroy(): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.end('SIGKILL')));
    await rm(this.folder, { recursive: true, force: true });
  }

  #real(text: string): string {
    return text.replace(portOfPages, (port) => `${Number(port) - pagePort + this.#basePort}`);
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...environment, PATH: `${join(this.folder, bin)}:${process.env['PATH']}` };
  }

  async #start(line: string): Promise<string> {
    const home = starts.exec(line)![1]!;
    if (this.#terminals.get(home)?.runs === true) throw new Error(`${home} runs already`);
    const terminal = new Terminal(line, this.folder, { ...this.#environment(), ...patient });
    this.#terminals.set(home, terminal);
    return terminal.ready();
  }
}

/** Where `prime` lies in the folder. */
const bin = '.bin';
const at = ({ page, line }: { readonly page: string; readonly line: number }): string => `${page}:${line}`;

function take<Block>(from: ReadonlyMap<string, Block[]>, page: string): Block {
  const next = from.get(page)?.shift();
  if (next === undefined) throw new Error(`${page} has nothing more to type`);
  return next;
}

/** The text of a block with what is put into it. @throws Error where it has no such place */
function replaced(block: Fence, put: Replacements): string {
  let text = `${block.lines.join('\n')}\n`;
  for (const [placeholder, value] of Object.entries(put)) {
    if (!text.includes(placeholder)) throw new Error(`${at(block)}: there is no ${placeholder} to replace`);
    text = text.replaceAll(placeholder, () => value);
  }
  return text;
}

/**
 * A `config.toml` with other values, as somebody edits it: in the line that has the key, or has it as a comment.
 *
 * @throws Error where the file has no line for a key
 */
function configured(config: string, wanted: string): string {
  const lines = config.split('\n');
  let section = '';
  for (const setting of wanted.trimEnd().split('\n')) {
    if (/^\[\w+\]$/.test(setting)) {
      section = setting;
      continue;
    }
    const key = /^(\w+) = /.exec(setting)![1]!;
    const from = lines.indexOf(section);
    const isKey = new RegExp(`^(?:# )?${key} = `);
    const line = lines.findIndex((text, index) => index > from && isKey.test(text));
    const isBetween = from >= 0 && line > from && !lines.slice(from + 1, line).some((text) => /^\[\w+\]$/.test(text));
    if (!isBetween) throw new Error(`config.toml has no line for ${key} in ${section}`);
    lines[line] = setting;
  }
  return lines.join('\n');
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** As a shell that stops at the first failure. */
const shell = (text: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((resolve) => {
    execFile('sh', ['-e', '-c', text], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: `${stdout}${stderr}` }),
    );
  });

/** One in which a node or signer runs in the foreground. */
class Terminal {
  readonly #child: ChildProcess;
  readonly #command: string;
  readonly #lines: string[] = [];

  constructor(command: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#command = command;
    // The channel tells it when this process is gone: whatever ends a test, its network ends with it.
    this.#child = spawn('sh', ['-c', `exec ${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Resolves when it says that it serves. @throws Error when it ends before */
  ready(): Promise<string> {
    return new Promise((resolve, reject) => {
      for (const stream of [this.#child.stdout!, this.#child.stderr!])
        createInterface({ input: stream }).on('line', (line) => {
          this.#lines.push(line);
          if (line.includes('"msg":"ready"')) resolve(this.#lines.join('\n'));
        });
      this.#child.once('exit', (code) =>
        reject(new Error(`${this.#command} ended with ${code}:\n${this.#lines.join('\n')}`)),
      );
    });
  }

  async end(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (!this.runs) return this.#child.exitCode;
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
    return this.#child.exitCode;
  }
}
