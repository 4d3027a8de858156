import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { createLogger } from '../logger.ts';

/**
 * A process whose worker logs and then ends the process at once: what a test reads from its output is what survives. Arguments: format,
 * level, number of lines.
 */
const [format, level, lines] = process.argv.slice(2) as ['json' | 'pretty', 'info' | 'debug', string];

if (isMainThread) {
  createLogger({ level, format, fields: { module: 'main' } }).info({ height: 1 }, 'from main');
  // oxlint-disable-next-line no-new
  new Worker(new URL(import.meta.url), { argv: [format, level, lines], workerData: 'child' });
} else if (workerData === 'child') {
  const logger = createLogger({ level, format, fields: { module: 'worker', node: 'n0' } });
  logger.debug({ hidden: true }, 'detail');
  for (let index = 0; index < Number(lines); index++) logger.info({ index }, 'line');
  logger.error({ err: new Error('broken'), big: 2n ** 70n }, 'failed');
  process.exit(0);
}
