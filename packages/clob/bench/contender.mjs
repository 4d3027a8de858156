/**
 * One contender of the benchmark on one stream, in a process of its own: what the compiler learnt of another one's code, and another
 * one's garbage, are not its business. Runs when it is told to, and tells what it took.
 */
import { createNarrowBook, createWideBook } from '../dist/book.js';
import { runBook, runPeer } from './bare.mjs';
import { options, runEngine } from './engine.mjs';
import { runLiquibook } from './liquibook.mjs';
import { streams } from './streams.mjs';

const [kind, streamName, operations, blockActions, program] = process.argv.slice(2);
const { make } = streams.find(({ name }) => name === streamName);
const counted = make(Number(operations));

const runs = {
  numbers: (stream) => runBook(stream, createNarrowBook),
  bigints: (stream) => runBook(stream, createWideBook),
  peer: (stream) => runPeer(stream),
  engine: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck }),
  told: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, told: true }),
  charged: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, params: options }),
  liquibook: (stream) => runLiquibook(stream, program),
};

/** @param shift of the seed: another stream of the same kind, which is not counted; 0 for the one that is @param isCheck whether answers are looked at */
process.on('message', ({ shift, isCheck }) => {
  const stream = shift === 0 ? counted : make(Number(operations), shift);
  globalThis.gc();
  const { trades, live } = stream;
  const records = stream.operations.length - stream.warm;
  process.send({ ...runs[kind](stream, isCheck), counted: records, expected: { trades, live } });
});
