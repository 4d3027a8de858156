import type { EngineLog } from '@prime/engine';
import type { GatewayRequestLog, TurnedAway } from '@prime/gateway';
import type { AnsweredRequest } from '@prime/rpc';
import { createLogger, type LevelledLogger, type Logger, type LogLevel } from '@prime/telemetry';
import type { ThreadData } from './threadData.ts';

/** Module to level. */
export type LogLevels = Readonly<Record<string, LogLevel>>;

/** The loggers of this thread; a module may have several. */
const loggers: { readonly module: string; readonly logger: LevelledLogger }[] = [];
/** What the operator said since the start, the newest last; null is every module. */
const changes: { readonly module: string | null; readonly level: LogLevel }[] = [];

/** A logger of a part of the node, with its name in each line. It follows {@link setLogLevel}. */
export function threadLogger({ config }: Pick<ThreadData, 'config'>, module: string): LevelledLogger {
  const said = changes.findLast((change) => change.module === null || change.module === module);
  const { level, format } = config.log;
  const logger = createLogger({ level: said?.level ?? level, format, fields: { module } });
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
