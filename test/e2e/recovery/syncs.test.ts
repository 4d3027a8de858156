import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';
import { cli } from '../operations/program.ts';

/**
 * What the system is asked to make durable before what leaves the process, as strace sees it. The simulation shows that nothing is lost when unsynced writes are;
 * this shows that the real files are really synced, in the order of docs/protocol/wal.md.
 */
let testnet: Testnet;
let scratch: string;
beforeAll(async () => {
  // Of two validators each is needed for every block, however slow it is while it is watched.
  testnet = await createTestnet({ validators: 2 });
  scratch = await mkdtemp(join(tmpdir(), 'prime-syncs-'));
  await testnet.start(0);
});
afterAll(async () => {
  await testnet.destroy();
  await rm(scratch, { recursive: true, force: true });
});

const { heightOf } = nodesOf(() => testnet);

/** A process may be forbidden to watch others. */
function canTrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-e', 'trace=fdatasync', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type What = 'log' | 'signState' | 'blocks' | 'peer';
interface Call {
  readonly thread: string;
  readonly kind: 'write' | 'sync';
  readonly what: What;
}

/** `123 fdatasync(4</home/wal/wal.0>) = 0`: calls that did what they were asked to, in the order of their ends. */
function callsIn(trace: string, home: string): Call[] {
  const begun = new Map<string, string>();
  const calls: Call[] = [];
  for (const line of trace.split('\n')) {
    const [, thread, text] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (thread === undefined || text === undefined) continue;
    const isRest = text.startsWith('<... ');
    const head = isRest ? (begun.get(thread) ?? '') : text;
    if (!isRest && text.includes('<unfinished')) begun.set(thread, text);
    else if (/= \d+$/.test(text)) calls.push(...callOf(thread, head, home));
  }
  return calls;
}

function callOf(thread: string, text: string, home: string): Call[] {
  const [, name, target] = /^(\w+)\(\d+<([^>]*)>/.exec(text) ?? [];
  if (name === undefined || target === undefined) return [];
  const what = whatIs(target, home);
  return what === null ? [] : [{ thread, what, kind: name.endsWith('sync') ? 'sync' : 'write' }];
}

function whatIs(target: string, home: string): What | null {
  if (target.startsWith('socket:') || target.startsWith('TCP')) return 'peer';
  if (target.startsWith(join(home, 'wal'))) return 'log';
  if (target === join(home, 'sign-state.bin')) return 'signState';
  return target.startsWith(join(home, 'blocks')) && target.endsWith('.log') ? 'blocks' : null;
}

describe('a validator, watched by strace', () => {
  it('log, then sign state, then the message; a block before the next signature', async () => {
    if (!canTrace()) return console.log('skipped: no strace, or no right to use it');
    const path = join(scratch, 'trace');
    const home = testnet.home(1);
    const calls = ['fdatasync', 'fsync', 'write', 'writev', 'pwrite64'];
    const flags = [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-s',
      '0',
      '-e',
      `trace=${calls.join()}`,
      '-e',
      'signal=none',
      '-o',
      path,
    ];
    const program = [process.execPath, cli, 'node', 'start', '--home', home, '--log-format', 'json'];
    const strace = spawn('strace', [...flags, ...program], { stdio: 'ignore' });
    const gone = once(strace, 'exit');
    await until('blocks are decided', async () => (await heightOf(0)) >= 6);
    process.kill(Number(await readFile(join(home, 'node.pid'), 'utf8')), 'SIGTERM');
    await gone;

    const seen = callsIn(await readFile(path, 'utf8'), home);
    const consensus = seen.find(({ what, kind }) => what === 'signState' && kind === 'write')!.thread;
    const dirty: Record<Exclude<What, 'peer'>, boolean> = { log: false, signState: false, blocks: false };
    let [records, sent, blocks] = [0, 0, 0];
    let isRecordSent = true;
    for (const [place, { thread, what, kind }] of seen.entries()) {
      const state = { place, ...dirty };
      if (what === 'peer') {
        if (thread !== consensus) continue;
        expect(state).toMatchObject({ signState: false });
        if (!isRecordSent) sent += 1;
        isRecordSent = true;
      } else if (kind === 'sync') {
        if (what === 'blocks' && dirty.blocks) blocks += 1;
        dirty[what] = false;
      } else {
        if (what === 'signState') {
          expect(state).toMatchObject({ log: false, blocks: false });
          records += 1;
          isRecordSent = false;
        }
        dirty[what] = true;
      }
    }
    // Signatures of one turn share a record, so each block has one at least; else nothing was looked at.
    expect(blocks).toBeGreaterThanOrEqual(4);
    expect(records).toBeGreaterThanOrEqual(blocks);
    expect(sent).toBeGreaterThanOrEqual(blocks);
    return undefined;
  });
});
