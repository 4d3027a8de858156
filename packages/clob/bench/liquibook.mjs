/** A C++ engine beside ours, for whoever has built one: see docs/benchmarks.md, Order book. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const words = { gtc: 'N', ioc: 'I', fok: 'F', cancel: 'C', move: 'M' };

/**
 * Calls a program with a file that holds the stream: a line with the number of markets, of operations, and of those that only fill the
 * book; then an operation a line: kind N (gtc), I (ioc), F (fok), C (cancel) or M (move: another price, last in its queue), id, market,
 * side (0 buys), price, size, with blanks between. It answers with one line: seconds that the operations behind those of filling
 * took, trades, live orders at the end. Reading the file, and making what a line becomes, is not counted.
 */
export function runLiquibook({ operations, warm, markets }, program) {
  const lines = operations.map(
    ({ kind, id, market, side, price, size }) => `${words[kind]} ${id} ${market} ${side} ${price} ${size}`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'prime-bench-'));
  try {
    const file = join(folder, 'stream');
    writeFileSync(file, `${markets} ${operations.length} ${warm}\n${lines.join('\n')}\n`);
    const { stdout, stderr, error, status } = spawnSync(program, [file], { encoding: 'utf8', maxBuffer: 1 << 20 });
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    const [seconds, trades, live] = stdout.trim().split(/\s+/).map(Number);
    return { seconds, cpuSeconds: seconds, samples: [seconds], trades, live };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
