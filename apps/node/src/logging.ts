import type { EngineLog } from '@prime/engine';
import { createLogger, type Logger } from '@prime/telemetry';
import type { ThreadData } from './threadData.ts';

/** The logger of a thread, with the thread's name in each line. */
export const threadLogger = ({ config }: ThreadData, module: string): Logger =>
  createLogger({ level: config.log.level, format: config.log.format, fields: { module } });

/** The engine's log lines through a logger. */
export const engineLog = (logger: Logger): EngineLog => ({
  debug: (message, fields) => logger.debug(fields, message),
  info: (message, fields) => logger.info(fields, message),
  warn: (message, fields) => logger.warn(fields, message),
});
