import { createRequire } from 'node:module';
import pino from 'pino';
import type pinoPretty from 'pino-pretty';

const require = createRequire(import.meta.url);
/** Only where text for eyes is asked for: each thread of a node that starts would load it. */
const loadPretty = (): typeof pinoPretty => require('pino-pretty') as typeof pinoPretty;

/** Most urgent first; a logger writes its own level and those before it. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Levels of lines that somebody has to look at. */
export const alarmLevels = ['error', 'warn'] as const satisfies readonly LogLevel[];
/** One of {@link alarmLevels}, which are also counted as metrics. */
export type AlarmLevel = (typeof alarmLevels)[number];

/** Structured lines: fields first, then the message. */
export type Logger = Pick<pino.Logger, LogLevel>;

/** A logger whose level may be changed while it is in use. */
export interface LevelledLogger extends Logger {
  level: LogLevel;
  /** Whether lines of a level are written now. */
  isLevelEnabled(level: LogLevel): boolean;
  /** Calls back after each change of the level. */
  on(event: 'level-change', listener: () => void): unknown;
}

/** What the lines of one thread have in common. */
export interface LoggerOptions {
  readonly level: LogLevel;
  /** One JSON object per line, or text for eyes. */
  readonly format: 'json' | 'pretty';
  /** In every line; `module` by convention. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** Told of each line at these levels, also while the level hides it: what is counted does not change with what is shown. */
  readonly onLine?: (level: AlarmLevel) => void;
}

/**
 * A logger that writes to standard output at once, from whichever thread it is in: no line is lost when the process ends, and no
 * helper thread has to be shut down.
 */
export function createLogger({ level, format, fields, onLine }: LoggerOptions): LevelledLogger {
  const destination =
    format === 'json'
      ? pino.destination({ fd: 1, sync: true })
      : loadPretty()({ destination: 1, sync: true, translateTime: 'SYS:HH:MM:ss.l', ignore: 'pid,hostname' });
  const logger = pino(
    {
      level,
      base: { pid: process.pid, ...fields },
      timestamp: pino.stdTimeFunctions.epochTime,
      // In words, as collectors of logs look for it.
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  // Its type allows names of levels that others make up.
  const levelled = logger as LevelledLogger;
  if (onLine !== undefined) tellLines(levelled, onLine);
  return levelled;
}

/** Around the two methods alone: a hook of the library stands before the lines of all levels, and sees none that is hidden. */
function tellLines(logger: LevelledLogger, onLine: (level: AlarmLevel) => void): void {
  const wrap = (): void => {
    for (const level of alarmLevels) {
      const write = logger[level] as (...line: unknown[]) => void;
      logger[level] = (...line: unknown[]) => {
        onLine(level);
        write.apply(logger, line);
      };
    }
  };
  wrap();
  // A change of the level makes all methods anew.
  logger.on('level-change', wrap);
}
