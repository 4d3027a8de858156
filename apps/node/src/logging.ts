import type { EngineLog } from '@prime/engine';
import type { GatewayRequestLog, TurnedAway } from '@prime/gateway';
import type { AnsweredRequest } from '@prime/rpc';
import {
  alarmLevels,
  allocateMetrics,
  define,
  createLogger,
  type LevelledLogger,
  type Logger,
  type LogLevel,
  type Metrics,
  openMetrics,
} from '@prime/telemetry';
import type { ThreadData } from './threads/threadData.ts';

/** Module to level. */
export type LogLevels = Readonly<Record<string, LogLevel>>;

/** Apart from the other metrics: threads that do nothing but log do not load what those are about. */
export const logMetrics = {
  prime_log_lines_total: define.counters(
    'Lines that the node logged at these levels since it started, in all threads; those too that its log level hides.',
    { label: 'level', values: alarmLevels },
  ),
};

interface LogLines {
  readonly memory: SharedArrayBuffer;
  readonly metrics: Metrics<typeof logMetrics>;
}

/** Where this thread counts its lines; null before it has any. */
let lines: LogLines | null = null;
const linesIn = (memory: SharedArrayBuffer): LogLines => ({ memory, metrics: openMetrics(logMetrics, memory) });
const ownLines = (): LogLines => (lines ??= linesIn(allocateMetrics(logMetrics)));

/** Where the lines of the process are counted: made by its main thread, to be handed to all others. */
export const logLinesMemory = (): SharedArrayBuffer => ownLines().memory;

/** Counts the lines of this thread with those of the others; called before its first logger is made. */
export function countLogLinesIn(memory: SharedArrayBuffer): void {
  lines = linesIn(memory);
}

/** The loggers of this thread; a module may have several. */
const loggers: { readonly module: string; readonly logger: LevelledLogger }[] = [];
/** What the operator said since the start, the newest last; null is every module. */
const changes: { readonly module: string | null; readonly level: LogLevel }[] = [];

/** A logger of a part of the node, with its name in each line. It follows {@link setLogLevel}. */
export function threadLogger({ config }: Pick<ThreadData, 'config'>, module: string): LevelledLogger {
  const said = changes.findLast((change) => change.module === null || change.module === module);
  const { level, format } = config.log;
  const { metrics } = ownLines();
  const logger = createLogger({
    level: said?.level ?? level,
    format,
    fields: { module },
    onLine: (alarm) => metrics.count('prime_log_lines_total', alarm),
  });
  loggers.push({ module, logger });
  return logger;
}

/**
 * Changes how much the modules of this thread write, those too that begin to later.
 *
 * @param module null is all of them
 * @returns those that were changed
 */
export function setLogLevel(module: string | null, level: LogLevel): LogLevels {
  changes.push({ module, level });
  const concerned = loggers.filter((each) => module === null || each.module === module);
  for (const { logger } of concerned) logger.level = level;
  return Object.fromEntries(concerned.map((each) => [each.module, level]));
}

/** How much the modules of this thread write. */
export const logLevels = (): LogLevels =>
  Object.fromEntries(loggers.map(({ module, logger }) => [module, logger.level]));

/** A line for each request of a caller, at debug; its clock is the one of the event loop. */
export function requestLog(logger: LevelledLogger): GatewayRequestLog {
  const log = {
    // Looked at for each request, so it is found out once for each change and not once for each look.
    isOn: logger.isLevelEnabled('debug'),
    nowMs: () => performance.now(),
    answered: (line: AnsweredRequest) => logger.debug(line, 'request'),
    turnedAway: (line: TurnedAway) => logger.debug(line, 'turned away'),
  };
  logger.on('level-change', () => {
    log.isOn = logger.isLevelEnabled('debug');
  });
  return log;
}

/** The engine's log lines through a logger. */
export const engineLog = (logger: Logger): EngineLog => ({
  debug: (message, fields) => logger.debug(fields, message),
  info: (message, fields) => logger.info(fields, message),
  warn: (message, fields) => logger.warn(fields, message),
});
