import { once } from 'node:events';
import { colored, colorless, type Paint } from '../client/book/ladder.ts';

/** Whether the output is a terminal that can move its cursor. */
export const canDraw = (): boolean => process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';

/** Colours where the output is a terminal, and its owner wants them. */
export const paint = (): Paint => (canDraw() && (process.env['NO_COLOR'] ?? '') === '' ? colored : colorless);

/** Writes a line; a reader that is slow is waited for. */
export async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

/** How a live view ends: a key, a signal, or nobody reads any more. */
export interface LiveEnd {
  /** Rejects when the output fails. */
  readonly ended: Promise<void>;
  readonly end: () => void;
  /** Lets go of the process. */
  readonly done: () => void;
}

/** Waits for the end of a live view: at SIGINT, SIGTERM and SIGHUP, and where the output is closed. */
export function untilViewEnds(): LiveEnd {
  let end = (): void => undefined;
  let done = (): void => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    const onError = (error: NodeJS.ErrnoException): void => (error.code === 'EPIPE' ? resolve() : reject(error));
    process.on('SIGINT', resolve).on('SIGTERM', resolve).on('SIGHUP', resolve);
    process.stdout.on('error', onError);
    done = () => {
      process.off('SIGINT', resolve).off('SIGTERM', resolve).off('SIGHUP', resolve);
      process.stdout.off('error', onError);
    };
  });
  return { ended, end: () => end(), done: () => done() };
}
