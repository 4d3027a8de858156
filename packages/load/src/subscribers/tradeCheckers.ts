import { isQuantity, type StreamChecker, type StreamResult } from './streamChecker.ts';

/** Heights of a stream that tells at most one message of a block. */
class Heights {
  #height = -1;

  /** @returns what is wrong with the height of a message */
  take(message: StreamResult, what: string): string[] {
    const height = message['block_number'];
    if (!isQuantity(height)) return [`${what}: block ${String(height)} is no height`];
    const before = this.#height;
    this.#height = Math.max(Number(height), before);
    return Number(height) > before ? [] : [`${what} at block ${Number(height)}: came after block ${before}`];
  }
}

/** Ids of trades, which one counter of the network gives: they rise, and no id comes twice. */
class TradeIds {
  #id = 0;

  take(id: unknown, where: string): string[] {
    const number = Number(id);
    if (!isQuantity(id) || !Number.isSafeInteger(number)) return [`${where}: trade id ${String(id)}`];
    const before = this.#id;
    this.#id = Math.max(number, before);
    return number > before ? [] : [`${where}: trade ${number} came after trade ${before}`];
  }
}

const isAmount = (value: unknown): value is string => isQuantity(value) && value !== '0x0';

/** Trades of a market. */
export class TradesChecker implements StreamChecker {
  readonly isLost = false;
  readonly #market: number;
  readonly #heights = new Heights();
  readonly #ids = new TradeIds();

  constructor(market: number) {
    this.#market = market;
  }

  take(message: StreamResult): string[] {
    const faults = this.#heights.take(message, `trades ${this.#market}`);
    const where = `trades ${this.#market} at block ${Number(message['block_number'])}`;
    if (message['market_id'] !== this.#market) faults.push(`${where}: are of market ${String(message['market_id'])}`);
    const trades = message['trades'];
    if (!Array.isArray(trades) || trades.length === 0) return [...faults, `${where}: has none`];
    for (const trade of trades as readonly StreamResult[]) {
      faults.push(...this.#ids.take(trade['trade_id'], where));
      if (!isAmount(trade['price']) || !isAmount(trade['size']))
        faults.push(`${where}: ${String(trade['size'])} at ${String(trade['price'])}`);
      // A maker rested before its taker came, and ids of orders rise.
      if (Number(trade['maker_order_id']) >= Number(trade['taker_order_id']))
        faults.push(
          `${where}: maker ${String(trade['maker_order_id'])} is not older than taker ${String(trade['taker_order_id'])}`,
        );
    }
    return faults;
  }
}

/** Fills of an account: what changed its positions. */
export class FillsChecker implements StreamChecker {
  readonly isLost = false;
  readonly #account: string;
  readonly #heights = new Heights();
  readonly #ids = new TradeIds();

  constructor(account: string) {
    this.#account = account;
  }

  take(message: StreamResult): string[] {
    const faults = this.#heights.take(message, `fills of ${this.#account}`);
    const where = `fills of ${this.#account} at block ${Number(message['block_number'])}`;
    if (message['address'] !== this.#account) faults.push(`${where}: are of ${String(message['address'])}`);
    const fills = message['fills'];
    if (!Array.isArray(fills) || fills.length === 0) return [...faults, `${where}: has none`];
    for (const fill of fills as readonly StreamResult[]) faults.push(...this.#fillFaults(fill, where));
    return faults;
  }

  #fillFaults(fill: StreamResult, where: string): string[] {
    const { price, size, value } = fill as { readonly price: unknown; readonly size: unknown; readonly value: unknown };
    // Closed against another account by the protocol: no trade, and so without price and id.
    if (fill['kind'] === 'deleveraging')
      return price === null && fill['trade_id'] === null && isAmount(size)
        ? []
        : [`${where}: deleveraging with a price, or without a size`];
    const faults = this.#ids.take(fill['trade_id'], where);
    if (!isAmount(price) || !isAmount(size)) faults.push(`${where}: ${String(size)} at ${String(price)}`);
    else if (!isQuantity(value) || BigInt(value) !== BigInt(price) * BigInt(size))
      faults.push(`${where}: ${size} at ${price} is not ${String(value)}`);
    return faults;
  }
}

/** Heads: each block once and in order. */
export class CommitsChecker implements StreamChecker {
  readonly isLost = false;
  #height: number | null = null;
  #hash: unknown = null;

  take(message: StreamResult): string[] {
    const height = Number(message['block_number']);
    const [before, hash] = [this.#height, this.#hash];
    this.#height = height;
    this.#hash = message['block_hash'];
    if (before === null) return [];
    if (height !== before + 1) return [`commits: block ${height} came after block ${before}`];
    return message['parent_hash'] === hash ? [] : [`commits: block ${height} is not on top of the block before it`];
  }
}
