import { createLogger, type LogLevel } from '../logger.ts';

/** A process that logs at all levels, with the levels of its arguments one after the other; its last line is what the logger told of. */
const told: string[] = [];
const [first, ...others] = process.argv.slice(2) as LogLevel[];
const logger = createLogger({ level: first!, format: 'json', fields: {}, onLine: (level) => told.push(level) });
const logAll = (): void => {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) logger[level]({ level }, `at ${level}`);
};
logAll();
for (const level of others) {
  logger.level = level;
  logAll();
}
process.stdout.write(`${JSON.stringify(told)}\n`);
