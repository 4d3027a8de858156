import type { ReadStream } from 'node:tty';
import type { Paint } from '../client/book/ladder.ts';
import { openScreen } from '../client/book/screenViewer.ts';
import { changeLines } from './changeLines.ts';
import { StatusPoll, type WatchedNode } from './poll.ts';
import { statusLines } from './render.ts';
import type { StatusView } from './view.ts';
import { untilViewEnds, writeLine } from '../terminal/liveOutput.ts';
import { jsonText } from '../terminal/output.ts';

/** Between two pictures, ms. */
const frameMs = 100;
/** Ages grow while nothing is heard, ms. */
const tickMs = 1_000;

/** Draws a network in place until q, Ctrl-C or a signal; the terminal is as it was afterwards. */
export async function watchOnScreen(nodes: readonly WatchedNode[], paint: Paint): Promise<void> {
  const screen = openScreen(process.stdout);
  const ending = untilViewEnds();
  const keys = process.stdin.isTTY === true ? openKeys(process.stdin, ending.end) : null;
  let timer: NodeJS.Timeout | null = null;
  const draw = (): void => {
    timer = null;
    const { columns, rows } = screen;
    const lines = statusLines(poll.view(), { width: columns, height: rows - 1, paint });
    const gap = Math.max(0, rows - 1 - lines.length);
    screen.draw([...lines, ...Array.from({ length: gap }, () => ''), paint.faint('q ends')]);
  };
  const redraw = (): void => {
    timer ??= setTimeout(draw, frameMs);
  };
  const poll = new StatusPoll(nodes, redraw);
  const ticks = setInterval(redraw, tickMs);
  process.stdout.on('resize', redraw);
  try {
    await Promise.race([ending.ended, poll.run()]);
  } finally {
    poll.end();
    clearInterval(ticks);
    if (timer !== null) clearTimeout(timer);
    process.stdout.off('resize', redraw);
    keys?.close();
    screen.close();
    ending.done();
  }
}

/** A line for each change, or with `json` an object for each look, until a signal or nobody reads any more. */
export async function watchAsLines(nodes: readonly WatchedNode[], json: boolean): Promise<void> {
  const ending = untilViewEnds();
  const poll = new StatusPoll(nodes, () => undefined);
  let before: StatusView | null = null;
  const tell = async (): Promise<void> => {
    const now = poll.view();
    const lines = json ? [jsonText(now)] : changeLines(before, now);
    before = now;
    for (const line of lines) await writeLine(line);
  };
  let isTelling = false;
  const ticks = setInterval(() => {
    // A reader that is slow is waited for.
    if (isTelling) return;
    isTelling = true;
    void tell().finally(() => (isTelling = false));
  }, tickMs);
  try {
    await Promise.race([ending.ended, poll.run()]);
  } finally {
    poll.end();
    clearInterval(ticks);
    ending.done();
  }
}

/** What ends a live view: q, Q, and Ctrl-C, which a terminal in raw mode gives as a key. */
const endKeys = ['q', 'Q', '\u0003'] as const;

/** Takes keys of a terminal one by one, until {@link Keys.close}, which gives it back as it was. */
interface Keys {
  close(): void;
}

/** @param onEnd at the first key that ends the view */
function openKeys(input: ReadStream, onEnd: () => void): Keys {
  const wasRaw = input.isRaw;
  const onData = (data: Buffer): void => {
    // Several may come at once.
    const keys = data.toString('latin1');
    if (endKeys.some((key) => keys.includes(key))) onEnd();
  };
  const restore = (): void => void input.setRawMode(wasRaw);
  input.setRawMode(true);
  input.on('data', onData);
  input.resume();
  // Whatever ends the process, a shell gets back the keys that it edits lines with.
  process.once('exit', restore);
  return {
    close() {
      process.removeListener('exit', restore);
      input.off('data', onData);
      restore();
      input.pause();
    },
  };
}
