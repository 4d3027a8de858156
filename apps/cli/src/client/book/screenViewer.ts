import type { WriteStream } from 'node:tty';
import type { OrderBookState, StreamStatus } from '@prime/sdk';
import { ladderLines, type Paint, type ShownTrade } from './ladder.ts';
import type { BookViewer, ViewerParameters } from './viewer.ts';

/** Between two pictures, ms: more than an eye can tell apart, and the terminal may be far away. */
const frameMs = 50;
/** Lines besides levels and trades: name, titles, spread, the gap and the title of trades, and how to end. */
const otherLines = 7;

/** A ladder that is drawn in place. */
export class ScreenViewer implements BookViewer {
  readonly #parameters: ViewerParameters;
  readonly #screen: Screen;
  readonly #paint: Paint;
  #book: OrderBookState | null = null;
  /** Newest first. */
  #trades: readonly ShownTrade[];
  #status: StreamStatus = 'syncing';
  #why: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #drawn: (() => void)[] = [];

  constructor(parameters: ViewerParameters, screen: Screen, paint: Paint) {
    this.#parameters = parameters;
    this.#screen = screen;
    this.#paint = paint;
    this.#trades = parameters.past;
    this.redraw();
  }

  onBook(book: OrderBookState): Promise<void> {
    this.#book = book;
    return new Promise((resolve) => {
      this.#drawn.push(resolve);
      this.redraw();
    });
  }

  onTrades(trades: readonly ShownTrade[]): void {
    this.#trades = [...trades.toReversed(), ...this.#trades].slice(0, this.#parameters.trades);
    this.redraw();
  }

  onStatus(status: StreamStatus, why: string | null): void {
    this.#status = status;
    this.#why = status === 'live' ? null : (why ?? this.#why);
    this.redraw();
  }

  /** Soon; also after the terminal got another size. */
  redraw(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#draw();
      for (const resolve of this.#drawn.splice(0)) resolve();
    }, frameMs);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#screen.close();
  }

  #draw(): void {
    const { market, depth, trades } = this.#parameters;
    const { rows, columns } = this.#screen;
    const { bids = [], asks = [], blockNumber = null } = this.#book ?? {};
    const shownTrades = Math.min(trades, Math.max(0, rows - otherLines - 6));
    const layout = {
      depth: Math.max(1, Math.min(depth, Math.floor((rows - otherLines - shownTrades) / 2))),
      trades: shownTrades,
      width: columns,
      isSteady: true,
      paint: this.#paint,
    };
    const block = blockNumber === null ? '' : `block ${blockNumber}  `;
    const why = this.#why === null ? '' : `: ${this.#why}`;
    const standing = `${block}${this.#status}${why}`.slice(0, Math.max(0, columns - market.symbol.length - 4));
    const lines = ladderLines({ market, bids, asks, trades: this.#trades, standing }, layout);
    // The last line of a terminal is written without going on to a next one.
    const gap = Math.max(0, rows - 1 - lines.length);
    this.#screen.draw([...lines, ...Array.from({ length: gap }, () => ''), this.#paint.faint(' Ctrl-C ends')]);
  }
}

/** A terminal that is drawn over and over, and given back as it was. */
interface Screen {
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
