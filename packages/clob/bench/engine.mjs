/** The whole engine on the same operations: margin, positions, events, results, records and root, in blocks. */
import { defaultClobParams, frameCount } from '@prime/codec';
import { createInspectableEngine } from '../dist/engine.js';
import { cpuSecondsSince, keep } from './bare.mjs';
import { collected } from './collected.mjs';
import { oracleSet, Reports, triggersOf } from './guards.mjs';
import { middle as streamMiddle, traders } from './streams.mjs';

/** Tick and lot of the markets, what a stream's sizes are counted in, in lots, and what each trader has. */
const usualGrid = { tick: 5n, lot: 10n, step: 1n, collateral: 10n ** 24n };
/** Sizes of whole 10^16 base units, as people trade in the markets of the presets: with their lot of 1, and with one of a thousandth. */
export const humanGrids = {
  fine: { tick: 1n, lot: 1n, step: 10n ** 16n, collateral: 10n ** 30n },
  coarse: { tick: 1n, lot: 10n ** 13n, step: 1000n, collateral: 10n ** 30n },
};
const addressOf = (index) => `0x${(index + 1).toString(16).padStart(40, '0')}`;
const addresses = Array.from({ length: traders }, (_, index) => addressOf(index));
const gateway = addressOf(9999);

/**
 * Operations as payloads. A moved order gets a new id, and the counter of ids moves with every order: that is known beforehand.
 *
 * @param firstId of the first order
 */
export function payloadsOf({ operations }, { tick, lot, step } = usualGrid, firstId = 1) {
  const idOf = new Map();
  let nextId = firstId;
  return operations.map(({ kind, id, market, side, price, size, owner }) => {
    const account = addresses[owner];
    const orderId = idOf.get(id);
    if (kind === 'cancel') return { account, payload: { type: 'cancel', orderId } };
    idOf.set(id, nextId++);
    const terms = { price: BigInt(price) * tick, size: BigInt(size) * lot * step };
    if (kind === 'move') return { account, payload: { type: 'modify', orderId, ...terms } };
    const payload = {
      type: 'order',
      marketId: market + 1,
      side: side === 0 ? 'buy' : 'sell',
      ...terms,
      tif: kind,
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
      expiresAt: 0,
    };
    return { account, payload };
  });
}

/** Has everything made that is made when it is asked for. */
const touch = ({ results, events, writes }) => results.length + frameCount(events) + writes.length;

/** Makes the blocks of an engine: actions with consecutive nonces, in consecutive heights. */
export class Blocks {
  #nonce = 1;
  #height = 0;
  #reports = new Reports();
  #reported;

  /** @param reported markets and the price around which validators report theirs; null where nobody does */
  constructor(reported = null) {
    this.#reported = reported;
  }

  make(payloads, deposits = []) {
    const actions = payloads.map(({ account, payload }) => ({
      raw: new Uint8Array(0),
      hash: `0x${this.#nonce.toString(16).padStart(64, '0')}`,
      signer: gateway,
      transaction: {
        chainId: 1,
        nonce: this.#nonce++,
        expiresAt: 0,
        account,
        payload,
        signatureKind: 'gateway',
        signature: new Uint8Array(65),
      },
    }));
    const height = ++this.#height;
    const timestampMs = 1_700_000_000_000 + height * 100;
    if (this.#reported === null) return { height, timestampMs, actions, deposits };
    const { markets, middle: price } = this.#reported;
    actions.push(...this.#reports.at(timestampMs, price, markets));
    return { height, timestampMs, actions, deposits, oracle: oracleSet };
  }
}

/** What a network may switch on: fees with a rebate, risk tiers, funding each minute. */
export const options = {
  fees: { takerPpm: 350, makerPpm: -50, treasury: null, treasuryShareBps: 0 },
  riskTiers: [{ aboveNotional: 10n ** 8n, initialMarginBps: 2000, maintenanceMarginBps: 1000 }],
  funding: { intervalSeconds: 60, maxRateBps: 100, premiumIntervals: 8, referenceWeight: 16 },
};

/**
 * An engine with the traders' money in it.
 *
 * @param more params of genesis beside the defaults
 */
export function fundedEngine(markets, blocks, more, { tick, lot, collateral } = usualGrid) {
  // Cancels stay in their places, so that the work is the same as that of matching alone.
  const params = { ...defaultClobParams, maxOpenOrders: 1_000_000, cancelFirst: false, ...more };
  const { engine, state } = createInspectableEngine({ params, actionsMode: 'open' });
  const oracle = params.oracle === undefined ? {} : { oracle: true };
  const grid = { tickSize: tick, lotSize: lot, baseDecimals: 0, quoteDecimals: 18, ...oracle };
  engine.genesis(Array.from({ length: markets }, (_, index) => ({ symbol: `M${index + 1}/USD`, ...grid })));
  engine.commit();
  const deposits = addresses.map((account) => ({ account, payload: { type: 'deposit', amount: collateral } }));
  engine.execute(
    blocks.make(
      deposits,
      deposits.map((_, actionIndex) => ({ actionIndex, funded: true, faucetAmount: 0n })),
    ),
  );
  engine.commit();
  return { engine, state };
}

/**
 * @param blockActions records in a block; each block has its events, its record writes and its root
 * @param told whether results, events and records are made into objects within the time, as the node's thread does for its
 *   neighbours; else they stay in the block's log
 * @param isCheck looks at all of them, and counts; for a run whose time is not
 * @param params of genesis beside the defaults @param hasOracle whether validators report prices once a second
 * @param triggers that wait in each market
 * @param grid of the markets
 */
export async function runEngine(
  stream,
  blockActions,
  { told = false, isCheck = false, params = {}, hasOracle = false, triggers = 0, grid = usualGrid } = {},
) {
  const middle = BigInt(streamMiddle) * grid.tick;
  const waiting = triggersOf(stream.markets, middle, grid.lot, triggers, addresses);
  const payloads = payloadsOf(stream, grid, 1 + waiting.length);
  const blocks = new Blocks(hasOracle ? { markets: stream.markets, middle } : null);
  const { engine, state } = fundedEngine(stream.markets, blocks, params, grid);
  const prepared = waiting.length === 0 ? [] : [{ isWarm: false, block: blocks.make(waiting) }];
  for (let index = 0; index < payloads.length; ) {
    const isWarm = index >= stream.warm;
    const end = Math.min(isWarm ? payloads.length : stream.warm, index + (isWarm ? blockActions : 1000));
    prepared.push({ isWarm, block: blocks.make(payloads.slice(index, end)) });
    index = end;
  }
  const total = { refused: 0, writes: 0, events: 0 };
  const run = ({ block, isWarm }) => {
    const outcome = engine.execute(block);
    if (told) touch(outcome);
    engine.commit();
    if (!isCheck) return;
    total.refused += outcome.results.filter(({ ok }) => !ok).length;
    if (!isWarm) return;
    total.writes += outcome.writes.length;
    total.events += frameCount(outcome.events);
  };
  const first = prepared.findIndex(({ isWarm }) => isWarm);
  for (const one of prepared.slice(0, first)) run(one);
  const samples = [];
  // Making the blocks is whoever sends them's work, and so is its garbage.
  await collected();
  const cpu = process.cpuUsage();
  for (let index = first; index < prepared.length; index++) {
    const start = performance.now();
    run(prepared[index]);
    samples.push((performance.now() - start) / 1e3);
  }
  const cpuSeconds = cpuSecondsSince(cpu);
  // Not all blocks: with them every collection would walk hundreds of megabytes. The first and the last have actions of all kinds.
  keep([engine, prepared[0], prepared.at(-1)]);
  return {
    samples,
    seconds: samples.reduce((sum, sample) => sum + sample, 0),
    cpuSeconds,
    live: state.orders.byId.size,
    trades: state.globals.nextTradeId - 1,
    refused: total.refused,
    writesPerBlock: Math.round(total.writes / samples.length),
    eventsPerBlock: Math.round(total.events / samples.length),
  };
}
