import { cryptoProvider } from '@prime/crypto';
import { LoadError } from '../errors.ts';
import { addressOf, type Call, listOf, numberOf, objectOf, quantityOf, textOf } from './answers.ts';
import { BlockRecorder, type EarlierOrder } from './blockRecorder.ts';
import type { FlowHeader, FlowOrder } from './flow/flow.ts';
import { FlowWriter } from './flow/flowWriter.ts';
import { type EventFacts, readBlock, readEvents } from './networkBlocks.ts';

/** Blocks that are asked for before they are needed. */
const blocksAhead = 8;

/** Blocks that are recorded, both ends included. */
export interface RecordRange {
  /** First height, at least 1. */
  readonly from: number;
  /** Last height. */
  readonly to: number;
}

/**
 * Reads what a network executed between two heights, over JSON-RPC, as the lines of a recorded flow. Where the record does not begin with the first block, the
 * blocks are read twice: first for the orders that rested before it.
 *
 * @param call may be called many times at once; what it throws ends the record
 * @throws LoadError `LOAD_FLOW_RANGE`, `LOAD_ANSWER_MALFORMED`
 */
export async function* recordFlow(call: Call, range: RecordRange): AsyncGenerator<string> {
  const { from, to } = range;
  const chainId = Number(quantityOf({ chainId: await call('eth_chainId', []) }, 'chainId'));
  await checkRange(call, range);
  const markets = await readMarkets(call);
  const lots = new Map(markets.map(({ market, lot }) => [market, BigInt(lot)]));
  const earlier = from === 1 ? [] : await (await findEarlier(call, range)).read(call, lots);
  const { timestampMs: beganMs } = await readEvents(call, from);
  const writer = new FlowWriter({ source: { of: 'network', chainId, from, to }, beganMs, markets });
  const recorder = new BlockRecorder(writer, beganMs, earlier);
  yield* writer.take();
  const provider = await cryptoProvider();
  for await (const block of inOrder(range, (height) => readBlock(call, provider, height))) {
    recorder.add(block);
    yield* writer.take();
  }
  writer.end();
  yield* writer.take();
}

async function checkRange(call: Call, { from, to }: RecordRange): Promise<void> {
  const refuse = (reason: string): never => {
    throw new LoadError(`heights ${from} to ${to}: ${reason}`, { code: 'LOAD_FLOW_RANGE', from, to, reason });
  };
  if (!Number.isSafeInteger(from) || from < 1) refuse('the first height is at least 1');
  if (!Number.isSafeInteger(to) || to < from) refuse('the last height is at least the first');
  const head = Number(quantityOf({ head: await call('eth_blockNumber', []) }, 'head'));
  if (to > head) refuse(`the network is at ${head}`);
}

async function readMarkets(call: Call): Promise<FlowHeader['markets']> {
  return listOf(await call('primeorders_getMarkets', []), 'markets').map((one) => {
    const market = objectOf(one, 'a market');
    return {
      market: numberOf(market, 'market_id'),
      symbol: textOf(market, 'symbol'),
      tick: `${quantityOf(market, 'tick_size')}`,
      lot: `${quantityOf(market, 'lot_size')}`,
    };
  });
}

async function findEarlier(call: Call, range: RecordRange): Promise<EarlierOrders> {
  const earlier = new EarlierOrders();
  for await (const { events } of inOrder(range, (height) => readEvents(call, height))) earlier.add(events);
  return earlier;
}

/** Reads some blocks ahead, and hands them out by height. */
async function* inOrder<Block>(
  { from, to }: RecordRange,
  read: (height: number) => Promise<Block>,
): AsyncGenerator<Block> {
  const ahead: Promise<Block>[] = [];
  for (let next = from; ahead.length > 0 || next <= to; ) {
    while (ahead.length < blocksAhead && next <= to) {
      const block = read(next++);
      // Whoever waits for it hears of a failure; a record that ended before does not need to.
      block.catch(() => undefined);
      ahead.push(block);
    }
    yield await ahead.shift()!;
  }
}

/** What a record's blocks did to an order that is older than they are. */
interface Touched {
  /** Base units that traded, or were taken off. */
  used: bigint;
  /** What was left when it was cancelled; null while it rests, or when it was filled. */
  left: bigint | null;
}

/**
 * Finds the orders that rested before a record begins and that its blocks trade with, shrink or cancel. Others change nothing that the blocks tell: what no
 * order reached was not in the way of any.
 */
class EarlierOrders {
  /** Ids come from one counter: this one and all above it are of these blocks. */
  #firstOwn = Number.POSITIVE_INFINITY;
  readonly #touched = new Map<number, Touched>();

  /** Takes the events of the next block. */
  add(events: readonly EventFacts[]): void {
    for (const { kind, data } of events)
      if (kind === 'order_accepted') this.#firstOwn = Math.min(this.#firstOwn, numberOf(data, 'order_id'));
      else if (kind === 'trade') this.#use(numberOf(data, 'maker_order_id'), quantityOf(data, 'size'));
      else if (kind === 'order_reduced') this.#use(numberOf(data, 'order_id'), quantityOf(data, 'amount'));
      else if (kind === 'order_cancelled') this.#use(numberOf(data, 'order_id'), 0n, quantityOf(data, 'remaining'));
  }

  /**
   * Asks for what the events do not tell: owner, side, price. By id, which is the order in which they came.
   *
   * An order that is not cancelled in the record has a lot more than was used of it: how much more makes no difference, for nobody reached it.
   */
  async read(call: Call, lots: ReadonlyMap<number, bigint>): Promise<readonly EarlierOrder[]> {
    const found: EarlierOrder[] = [];
    for (const [id, { used, left }] of [...this.#touched].sort(([a], [b]) => a - b)) {
      const order = objectOf(await call('primeorders_getOrder', [`0x${id.toString(16)}`]), `order ${id}`);
      const market = numberOf(order, 'market_id');
      const isFilled = order['status'] === 'filled';
      const size = used + (left ?? (isFilled ? 0n : (lots.get(market) ?? 1n)));
      const side = textOf(order, 'side') as FlowOrder['side'];
      if (size > 0n)
        found.push({
          id,
          owner: addressOf(order, 'owner'),
          order: { market, side, price: `${quantityOf(order, 'price')}`, size: `${size}` },
        });
    }
    return found;
  }

  #use(id: number, size: bigint, left: bigint | null = null): void {
    if (id >= this.#firstOwn) return;
    const touched = this.#touched.get(id) ?? { used: 0n, left: null };
    touched.used += size;
    touched.left = left ?? touched.left;
    this.#touched.set(id, touched);
  }
}
