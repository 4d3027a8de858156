/**
 * What price reports cost: blocks in each of which every validator reports a new price of every market.
 *
 *   npm run bench:clob -- --oracle 256 [--validators 100] [--rounds 30]
 *
 * Told is the processor time of such a block beside that of an empty one, after blocks that are not counted.
 */
import { createInspectableEngine } from '../dist/engine.js';
import { defaultClobParams, defaultOracle, factsOf } from '@prime/codec';
import { cpuSecondsSince } from './bare.mjs';

const startMs = 1_700_000_000_000;
const blockMs = 1_000;
const warmBlocks = 20;
const price = 300_000n;

const addressOf = (index) => `0x${(index + 1).toString(16).padStart(40, '0')}`;

/** A block of reports, prices of which differ from validator to validator and from block to block. */
const reportsOf = (validators, markets, height, observedAtMs) =>
  validators.map((account, place) => {
    const prices = Array.from({ length: markets }, (_, index) => ({
      marketId: index + 1,
      price: price + BigInt(((place * 7919 + index * 104_729 + height * 31) % 600) - 300),
    }));
    const payload = { type: 'oracleReport', observedAtMs, prices };
    return {
      raw: new Uint8Array(0),
      hash: `0x${(height * 1000 + place).toString(16).padStart(64, '0')}`,
      signer: account,
      facts: factsOf(payload),
      transaction: {
        chainId: 1,
        nonce: startMs + height * 1000 + place,
        expiresAt: 0,
        account,
        payload,
        signatureKind: 'raw',
        signature: new Uint8Array(65),
      },
    };
  });

/** Prints what a block costs. */
export function tellReports({ markets, validators: count, rounds }) {
  const { engine } = createInspectableEngine({
    params: { ...defaultClobParams, oracle: defaultOracle },
    actionsMode: 'open',
  });
  const grid = { tickSize: 1n, lotSize: 1n, baseDecimals: 0, quoteDecimals: 18, oracle: true };
  engine.genesis(Array.from({ length: markets }, (_, index) => ({ symbol: `M${index + 1}/USD`, ...grid })));
  engine.commit();
  const validators = Array.from({ length: count }, (_, index) => addressOf(index));
  const reporters = validators.map((validator) => ({ validator, keys: [validator], power: 1_000n }));
  let height = 0;
  const run = (hasReports) => {
    height++;
    const timestampMs = startMs + height * blockMs;
    const actions = hasReports ? reportsOf(validators, markets, height, timestampMs) : [];
    const block = { height, timestampMs, actions, deposits: [], oracle: { reporters, precisionMs: 500 } };
    const before = process.cpuUsage();
    const { writes } = engine.execute(block);
    engine.commit();
    return {
      seconds: cpuSecondsSince(before),
      bytes: writes.reduce((sum, { value }) => sum + (value?.length ?? 0), 0),
    };
  };
  for (let index = 0; index < warmBlocks; index++) run(index % 2 === 0);
  const full = [];
  const empty = [];
  for (let index = 0; index < rounds; index++) {
    full.push(run(true));
    empty.push(run(false));
  }
  const median = (runs) => runs.map(({ seconds }) => seconds).sort((a, b) => a - b)[runs.length >> 1] * 1_000;
  console.log(
    `${count} validators, ${markets} markets: ${median(full).toFixed(1)} ms with reports, ` +
      `${median(empty).toFixed(1)} ms in the block after, ${full.at(-1).bytes} bytes of records`,
  );
}
