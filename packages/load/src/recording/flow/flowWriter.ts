import { countLine, type FlowHeader, type FlowLine, noCounts } from './flow.ts';

type Unnumbered<Line> = Line extends FlowLine ? Omit<Line, 'line'> : never;
/** A line that has no number yet. */
export type NewLine = Unnumbered<Exclude<FlowLine, { readonly kind: 'flow' | 'account' | 'end' }>>;

/**
 * Makes the text of a flow: numbers the lines, introduces accounts before they are named, and counts what the last line tells. What it made is handed
 * out with {@link take}, so that a flow of any length passes through.
 */
export class FlowWriter {
  readonly #counts = noCounts();
  readonly #accounts = new Map<string, number>();
  readonly #lost = new Map<string, number>();
  #made: string[] = [];

  constructor(header: Omit<FlowHeader, 'line' | 'kind' | 'format'>) {
    this.#write({ line: 1, kind: 'flow', format: 'prime-flow-1', ...header });
  }

  /** Number of the line that {@link add} makes next, when no account is new by then. */
  get nextLine(): number {
    return this.#counts.lines + 1;
  }

  /** Index of an account; a line introduces it when it is new. @param name address, or what the source calls it */
  account(name: string): number {
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account = this.#accounts.size;
    this.#accounts.set(name, account);
    this.#write({ line: this.nextLine, kind: 'account', account, name });
    return account;
  }

  /** @returns the number of the line */
  add(line: NewLine): number {
    const number = this.nextLine;
    this.#write({ line: number, ...line } as FlowLine);
    return number;
  }

  /** Notes that something of the source is not in the file, or can not be done again. */
  lose(what: string, count = 1): void {
    this.#lost.set(what, (this.#lost.get(what) ?? 0) + count);
  }

  /** The last line. */
  end(): void {
    const totals = { ...this.#counts, lines: this.nextLine };
    const lost = [...this.#lost].map(([what, count]) => ({ what, count }));
    this.#write({ line: this.nextLine, kind: 'end', totals, lost });
  }

  /** What was made since the last call, without line ends. */
  take(): string[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  #write(line: FlowLine): void {
    countLine(this.#counts, line);
    this.#made.push(JSON.stringify(line));
  }
}
