import type { LogLevel } from '@prime/telemetry';
import { createWriteStream, existsSync, openSync, renameSync, statSync, type WriteStream } from 'node:fs';

/** One line of a node's log, as it writes them with `--log-format json`. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The entry in a line; null for a line that is none, for instance of a process that can not start. */
export function parseLogLine(line: string): LogEntry | null {
  try {
    const entry = JSON.parse(line) as Partial<LogEntry> | null;
    return isLevel(entry?.level) && typeof entry?.msg === 'string' ? (entry as LogEntry) : null;
  } catch {
    return null;
  }
}

/** What a node may write, the most urgent first. */
export const logLevels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug', 'trace'];
const isLevel = (value: unknown): value is LogLevel => logLevels.includes(value as LogLevel);

/** Whether an entry is at least as urgent as a level. */
export const isAtLeast = ({ level }: LogEntry, least: LogLevel): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(least);

/** An entry for eyes: `12:30:00.123 info consensus: committed {"height":3}`. */
export function describeEntry(entry: LogEntry): string {
  const { level, msg, time, module, pid: _pid, hostname: _hostname, ...fields } = entry;
  const at = typeof time === 'number' ? `${new Date(time).toISOString().slice(11, 23)} ` : '';
  const from = typeof module === 'string' ? `${module}: ` : '';
  const rest = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${at}${level} ${from}${msg}${rest}`;
}

/** A file of lines that does not grow for ever. */
export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are with the system. */
  close(): Promise<void>;
}

/** At this size a log becomes `node.log.1`, in place of the one before, bytes. */
const logBytesMax = 64 * 1024 * 1024;

/** Goes on with a file of lines, or makes it. @param bytesMax at which it is set aside and begun anew */
export function openLogFile(path: string, bytesMax: number = logBytesMax): LogFile {
  let size = existsSync(path) ? statSync(path).size : 0;
  let stream = append(path);
  return {
    write(line) {
      const text = `${line}\n`;
      const bytes = Buffer.byteLength(text);
      if (size > 0 && size + bytes > bytesMax) {
        // What is under way goes to the file that is renamed: the stream holds it, not its name.
        stream.end();
        if (existsSync(path)) renameSync(path, `${path}.1`);
        stream = append(path);
        size = 0;
      }
      size += bytes;
      stream.write(text);
    },
    close: () => new Promise((resolve) => stream.end(resolve)),
  };
}

function append(path: string): WriteStream {
  // Opened at once: a stream that opens when it gets to it would miss a file that was renamed meanwhile.
  const stream = createWriteStream(path, { fd: openSync(path, 'a', 0o600) });
  // A full disk costs the log and not the network: the nodes themselves say what a disk does to them.
  stream.on('error', () => undefined);
  return stream;
}
