import { cryptoProvider } from '@prime/crypto';
import { LoadError } from '../errors.ts';
import { type Call, listOf, numberOf, objectOf, quantityOf, textOf } from './answers.ts';
import { BlockRecorder } from './blockRecorder.ts';
import { EarlierOrders } from './earlierOrders.ts';
import type { FlowHeader } from './flow/flow.ts';
import { FlowWriter } from './flow/flowWriter.ts';
import { readBlock, readEvents } from './networkBlocks.ts';

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
