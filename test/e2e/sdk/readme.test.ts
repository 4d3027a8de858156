/** The README, read as a newcomer reads it: what it says to type is typed, and what it shows is compared with what is there. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readText, root } from '../../repo/repository.ts';

const readme = readText('README.md');
const fences = [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, text]) => ({
  language: language!,
  text: text!,
}));
const fence = (language: string, part: string): string => {
  const found = fences.find((each) => each.language === language && each.text.includes(part));
  if (found === undefined) throw new Error(`README.md has no ${language} with ${part}`);
  return found.text;
};

/** Without what npm told the tests about their own start. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
/** Stands for the folder of a clone: its files are there, and its networks are this test's own. */
let folder: string;
/** What `npm start` printed. */
const printed: string[] = [];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
const type = (command: string): Promise<Ended> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: folder, env: environment }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-readme-'));
  for (const name of ['package.json', 'node_modules', 'scripts', 'apps', 'packages', 'deploy'])
    await symlink(join(root, name), join(folder, name));
  for (const { language, text } of fences)
    if (language === 'js') await writeFile(join(folder, /^\/\/ (\S+\.mjs)\n/.exec(text)![1]!), text);
  await writeFile(join(folder, 'Bidder.sol'), fence('solidity', 'contract Bidder'));
  const [start] = fence('', 'npm start').split('\n');
  const child = spawn('sh', ['-c', start!], { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        printed.push(line);
        if (line.includes('Ctrl-C stops')) resolve();
      });
    child.once('exit', () => reject(new Error(printed.join('\n'))));
  });
  stop = async () => {
    const { pid } = JSON.parse(await readFile(join(folder, '.prime/testnet/up.lock'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    await once(child, 'close');
  };
});
let stop = async (): Promise<void> => undefined;
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

/** A line with everything in it that is another one each time. */
const shape = (line: string): string =>
  line
    .replace(/\d+(\.\d+)?/g, '#')
    .replace(/ +/g, ' ')
    .trim();

describe('the README', () => {
  it('shows what npm start prints', () => {
    const real = new Set(printed.map(shape));
    const [command, ...picture] = fence('console', 'npm start').trimEnd().split('\n');
    expect(command).toBe('$ npm start');
    expect(picture.length).toBeGreaterThan(20);
    expect(picture.filter((line) => line.trim() !== '…' && !real.has(shape(line)))).toEqual([]);
  });

  it('has no code that this test does not run', () => {
    expect(fences.map(({ language }) => language).sort()).toEqual(['', 'console', 'js', 'js', 'js', 'js', 'solidity']);
  });

  it('first stream and first order: a quote, a fill, and the trade in the stream', async () => {
    const stream = spawn(process.execPath, ['stream.mjs'], { cwd: folder, env: environment });
    const lines: string[] = [];
    const seen = (part: string): Promise<void> =>
      new Promise((resolve, reject) => {
        createInterface({ input: stream.stdout }).on('line', (line) => {
          lines.push(line);
          if (line.includes(part)) resolve();
        });
        stream.once('exit', () => reject(new Error(lines.join('\n'))));
      });
    try {
      const trade = seen("price: '0x64'");
      await seen('subscribed: 0x');
      const { code, stdout, stderr } = await type('node order.mjs');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/quote: \{[^]*filled: '0x0'[^]*remaining: '0x5'[^]*fill: \{[^]*filled: '0x2'/);
      await trade;
      expect(lines.join('\n')).toContain("size: '0x2'");
    } finally {
      stream.kill();
    }
  });

  it('first order with the SDK: it rests, as it was written', async () => {
    const { code, stdout, stderr } = await type('node sdk.mjs');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'open 0.25\n', stderr: '' });
  });

  it('first contract: it has collateral, and its order is in the book', async () => {
    const { code, stdout, stderr } = await type('node contract.mjs');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^the contract at 0x[0-9a-f]{40} has \[[^]*price: '0x5a'/);
  });

  it('the demo, and the command of everybody whom it is for', async () => {
    const table = readme.slice(readme.indexOf('## Who it is for'), readme.indexOf('## Limits'));
    const commands = [...table.matchAll(/^\| [^|]+\| `([^`]+)` \|/gm)].map(([, command]) => command!);
    expect(commands.length).toBeGreaterThan(4);
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    for (const command of commands) {
      // The unit tests are what CI runs; in here they would run inside of themselves.
      if (command === 'npm run test:unit') expect(scripts['test:unit']).toBeDefined();
      else {
        // A machine that is busy with other tests may be slow; what the load finds besides is judged.
        const patience = command.startsWith('npx prime load run') ? ' --gap 120s' : '';
        const { code, stdout, stderr } = await type(`${command}${patience}`);
        if (code !== 0) throw new Error(`${command} ended with ${code}\n${stdout}\n${stderr}`);
      }
    }
  });

  it('the commands that it lists are scripts', () => {
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> };
    const names = [...readme.matchAll(/`npm run ([\w:]+)/g)].map(([, name]) => name!);
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
