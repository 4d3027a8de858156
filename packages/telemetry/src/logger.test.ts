import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const outputOf = async (program: string, args: readonly string[]): Promise<string> => {
  const file = fileURLToPath(new URL(`./testing/${program}.worker.js`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { maxBuffer: 16 * 1024 * 1024 });
  return stdout;
};
const run = (format: 'json' | 'pretty', level: 'info' | 'debug', lines: number): Promise<string> =>
  outputOf('logging', [format, level, String(lines)]);

describe('log lines of a worker thread', () => {
  it('are all there, whole and in order, when the process ends right after the last one', async () => {
    const lines = (await run('json', 'info', 5000))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toHaveLength(5002);
    expect(lines[0]).toMatchObject({
      module: 'main',
      height: 1,
      msg: 'from main',
      pid: expect.any(Number),
      time: expect.any(Number),
    });
    const counted = lines.filter(({ msg }) => msg === 'line');
    expect(counted.map(({ index }) => index)).toEqual(Array.from({ length: 5000 }, (_, index) => index));
    expect(counted[0]).toMatchObject({ module: 'worker', node: 'n0', level: 'info' });
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      err: { type: 'Error', message: 'broken', stack: expect.stringContaining('logging.worker') },
    });
  });

  it('the level decides what is written', async () => {
    const messages = async (level: 'info' | 'debug') =>
      (await run('json', level, 0))
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(await messages('info')).toEqual(['from main', 'failed']);
    expect(await messages('debug')).toEqual(['from main', 'detail', 'failed']);
  });

  it('pretty lines hold level, message and fields as text', async () => {
    const text = await run('pretty', 'info', 1);
    // oxlint-disable-next-line no-control-regex
    const plain = text.replace(/\u001b\[\d+m/g, '');
    expect(plain).toMatch(/INFO.*line/);
    expect(plain).toContain('module: "worker"');
    expect(plain).toMatch(/ERROR.*failed/);
  });
});

describe('who is told of errors and warnings', () => {
  /** What was written, and what was told of. */
  const logged = async (...levels: readonly string[]) => {
    const lines = (await outputOf('alarms', levels)).trimEnd().split('\n');
    const told = JSON.parse(lines.pop()!) as string[];
    return { written: lines.map((line) => (JSON.parse(line) as { msg: string }).msg), told };
  };

  it('hears of each of them once, and of nothing else; they are written as ever', async () => {
    const { written, told } = await logged('trace');
    expect(written).toEqual(['at trace', 'at debug', 'at info', 'at warn', 'at error']);
    expect(told).toEqual(['warn', 'error']);
  });

  it('hears of those too that the level hides, and goes on hearing when the level changes', async () => {
    const { written, told } = await logged('error', 'warn', 'warn', 'error');
    expect(written).toEqual(['at error', 'at warn', 'at error', 'at warn', 'at error', 'at error']);
    expect(told).toEqual(['warn', 'error', 'warn', 'error', 'warn', 'error', 'warn', 'error']);
  });
});
