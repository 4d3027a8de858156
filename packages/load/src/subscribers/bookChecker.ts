import { crc32 } from 'node:zlib';
import { BookSide, compareQuantities, type Quantity } from './bookSide.ts';
import { isQuantity, type StreamChecker, type StreamResult } from './streamChecker.ts';

interface Level {
  readonly price: Quantity;
  readonly size: Quantity;
}

const sideNames = ['bids', 'asks'] as const;

/** Levels of each side that the checksum covers. */
const checksumLevels = 25;
/** Removes a level. */
const nothing = '0x0';

/**
 * Keeps an order book as docs/protocol/streams.md tells to, and checks each message against the ones before: sequence, heights, form, checksum, and that no bid
 * meets an ask. It knows nothing of the market but what it is told.
 */
export class BookChecker implements StreamChecker {
  readonly #market: number;
  readonly #bids = new BookSide();
  readonly #asks = new BookSide();
  /** Null before the first snapshot, and behind a gap. */
  #sequence: number | null = null;
  #height = -1;
  /** Parts that a snapshot came in so far; 0 when it is whole. */
  #parts = 0;

  constructor(market: number) {
    this.#market = market;
  }

  /** A gap, or a book that is not the one that is told: the reader has to subscribe again. */
  get isLost(): boolean {
    return this.#sequence === null && this.#height >= 0;
  }

  take(message: StreamResult): string[] {
    const faults: string[] = [];
    const type = message['type'];
    const height = Number(message['block_number']);
    const sequence = message['sequence'];
    const where = `book ${this.#market} at block ${height}`;
    if (type !== 'snapshot' && type !== 'update') return [`${where}: a message of type ${String(type)}`];
    if (this.isLost && (type === 'update' || message['part'] !== 1)) return [];
    const partFaults = this.#partFaults(message, where);
    if (partFaults.length > 0) return partFaults;
    if (message['market_id'] !== this.#market) faults.push(`${where}: is of market ${String(message['market_id'])}`);
    faults.push(...this.#orderFaults(message, { where, height }));
    if (this.#sequence !== null || type === 'snapshot') {
      this.#sequence = Number(sequence);
      this.#height = Math.max(height, this.#height);
      const formFaults = sideNames.flatMap((name) => this.#apply(name, message, where));
      faults.push(...formFaults);
      // A wrong book stays wrong: one fault, and then it begins anew.
      if (formFaults.length > 0) this.#lose();
      else if (this.#parts === 0) faults.push(...this.#stateFaults(message, where));
    }
    return faults;
  }

  /** Both sides ascending: for whoever compares it with what the node answers. */
  book(): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
    return { bids: levelsOf(this.#bids), asks: levelsOf(this.#asks) };
  }

  /** A snapshot comes in parts from 1 on, with one sequence, and nothing in between. */
  #partFaults(message: StreamResult, where: string): string[] {
    const { type, part, parts, sequence } = message;
    const isUpdate = type === 'update';
    if (isUpdate && this.#parts === 0) return [];
    const isNext = part === 1 || (part === this.#parts + 1 && sequence === this.#sequence);
    if (isUpdate || !Number.isSafeInteger(parts) || !isNext || part > (parts as number)) {
      const faults = [`${where}: part ${String(part)} of ${String(parts)} after ${this.#parts}`];
      this.#parts = 0;
      this.#lose();
      return faults;
    }
    this.#parts = part === parts ? 0 : part;
    return [];
  }

  /** Sequence and heights. */
  #orderFaults(
    message: StreamResult,
    { where, height }: { readonly where: string; readonly height: number },
  ): string[] {
    const faults: string[] = [];
    const sequence = message['sequence'];
    if (!Number.isSafeInteger(sequence) || !Number.isSafeInteger(height)) {
      this.#lose();
      return [`${where}: sequence ${String(sequence)} at block ${String(message['block_number'])}`];
    }
    if ((sequence as number) > height) faults.push(`${where}: sequence ${String(sequence)} is higher than the block`);
    if (message['type'] === 'snapshot') {
      if (height < this.#height) faults.push(`${where}: came after block ${this.#height}`);
      return faults;
    }
    if (this.#sequence === null) {
      this.#height = Math.max(height, 0);
      return [...faults, `${where}: an update before the first snapshot`];
    }
    if (height <= this.#height) faults.push(`${where}: came after block ${this.#height}`);
    const previous = message['previous_sequence'];
    if (previous !== this.#sequence) {
      faults.push(`${where}: follows sequence ${String(previous)}, the last one was ${this.#sequence}`);
      this.#height = Math.max(height, this.#height);
      this.#lose();
    } else if ((sequence as number) <= this.#sequence)
      faults.push(`${where}: sequence ${String(sequence)} after ${this.#sequence}`);
    return faults;
  }

  #apply(name: (typeof sideNames)[number], message: StreamResult, where: string): string[] {
    const side = name === 'bids' ? this.#bids : this.#asks;
    const levels = message[name];
    if (!Array.isArray(levels)) return [`${where}: ${name} is no list`];
    const isSnapshot = message['type'] === 'snapshot';
    if (message['part'] === 1) side.clear();
    let before: Quantity | null = null;
    for (const { price, size } of levels as readonly Level[]) {
      if (!isQuantity(price) || !isQuantity(size) || price === nothing)
        return [`${where}: a level ${price} of ${size}`];
      if (before !== null && compareQuantities(before, price) >= 0)
        return [`${where}: ${name} do not ascend at ${price}`];
      before = price;
      if (size !== nothing) side.set(price, size);
      else if (isSnapshot || !side.delete(price)) return [`${where}: ${name} take away ${price}, which is not there`];
    }
    return [];
  }

  #stateFaults(message: StreamResult, where: string): string[] {
    const [bid, ask] = [this.#bids.prices.at(-1), this.#asks.prices[0]];
    const faults: string[] = [];
    if (bid !== undefined && ask !== undefined && compareQuantities(bid, ask) >= 0)
      faults.push(`${where}: is crossed, the best bid ${bid} meets the best ask ${ask}`);
    const checksum = this.checksum();
    if (message['checksum'] !== checksum) {
      faults.push(`${where}: has checksum ${String(message['checksum'])}, its levels have ${checksum}`);
      this.#lose();
    }
    return faults;
  }

  /** docs/protocol/streams.md, Checksum. */
  checksum(): string {
    const [bids, asks] = [this.#bids, this.#asks];
    const [bidCount, askCount] = [bids.prices.length, asks.prices.length];
    let text = '';
    for (let place = 0; place < checksumLevels; place++) {
      if (place < bidCount) text += `:${bids.prices[bidCount - 1 - place]!}:${bids.sizes[bidCount - 1 - place]!}`;
      if (place < askCount) text += `:${asks.prices[place]!}:${asks.sizes[place]!}`;
      else if (place >= bidCount) break;
    }
    return `0x${crc32(text.slice(1)).toString(16)}`;
  }

  #lose(): void {
    this.#sequence = null;
    this.#height = Math.max(this.#height, 0);
  }
}

const levelsOf = ({ prices, sizes }: BookSide): Level[] =>
  prices.map((price, index) => ({ price, size: sizes[index]! }));
