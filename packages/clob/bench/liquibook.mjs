/** A C++ engine beside ours, for whoever has built one: see docs/benchmarks.md, Order book. */
import { spawnSync } from 'node:child_process';

const words = { gtc: 'N', ioc: 'I', fok: 'F', cancel: 'C', move: 'M' };

/**
 * Hands the stream to a program on its standard input, an operation a line (kind N, I, F, C or M; id; market; side 0 or 1; price; size)
 * behind a line with the number of operations and of those that only fill the book. It answers with one line: seconds of the
 * counted operations, trades, live orders.
 */
export function runLiquibook({ operations, warm }, program) {
  const lines = operations.map(
    ({ kind, id, market, side, price, size }) => `${words[kind]} ${id} ${market} ${side} ${price} ${size}`,
  );
  const input = `${operations.length} ${warm}\n${lines.join('\n')}\n`;
  const { stdout, error, status } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 20 });
  if (error !== undefined || status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
  const [seconds, trades, live] = stdout.trim().split(/\s+/).map(Number);
  return { seconds, cpuSeconds: seconds, samples: [seconds], trades, live };
}
