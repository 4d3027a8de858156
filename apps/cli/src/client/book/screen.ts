import type { WriteStream } from 'node:tty';

/** A terminal that is drawn over and over, and given back as it was. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** What is drawn stays until the next time; lines that do not fit are cut off. @returns whether the terminal can take more now */
  draw(lines: readonly string[]): boolean;
  close(): void;
}

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearBelow = '\u001b[J';

/** Takes a terminal: another page of it, without a cursor, so that what stood there comes back at the end. */
export function openScreen(terminal: WriteStream): Screen {
  terminal.write(enter);
  const onExit = (): void => void terminal.write(leave);
  // Whatever ends the process, the terminal gets its page and its cursor back.
  process.once('exit', onExit);
  return {
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    draw: (lines) =>
      terminal.write(
        `${home}${lines
          .slice(0, terminal.rows)
          .map((line) => line + clearLine)
          .join('\r\n')}${clearBelow}`,
      ),
    close() {
      process.removeListener('exit', onExit);
      terminal.write(leave);
    },
  };
}
