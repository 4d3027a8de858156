/**
 * One contender of the benchmark on one stream, in a process of its own: what the compiler learnt of another one's code, and another
 * one's garbage, are not its business. Runs when it is told to, and tells what it took.
 */
import { createNarrowBook, createWideBook } from '../dist/book.js';
import { runBook, runPeer } from './bare.mjs';
import { runEngine } from './engine.mjs';
import { runLiquibook } from './liquibook.mjs';
import { streams } from './streams.mjs';

const [kind, streamName, operations, blockActions, program] = process.argv.slice(2);
const stream = streams.find(({ name }) => name === streamName).make(Number(operations));

const runs = {
  numbers: () => runBook(stream, createNarrowBook),
  bigints: () => runBook(stream, createWideBook),
  peer: () => runPeer(stream),
  engine: (isCheck) => runEngine(stream, Number(blockActions), { isCheck }),
  told: (isCheck) => runEngine(stream, Number(blockActions), { isCheck, told: true }),
  liquibook: () => runLiquibook(stream, program),
};

process.on('message', ({ isCheck }) => {
  globalThis.gc();
  const { trades, live } = stream;
  const counted = stream.operations.length - stream.warm;
  process.send({ ...runs[kind](isCheck), counted, expected: { trades, live } });
});
