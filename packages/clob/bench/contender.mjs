/**
 * One contender of the benchmark on one stream, in a process of its own: what the compiler learnt of another one's code, and another
 * one's garbage, are not its business. Runs when it is told to, and tells what it took.
 */
import { createNarrowBook, createWideBook } from '../dist/book/book.js';
import { runBook, runPeer } from './bare.mjs';
import { humanGrids, options, runEngine } from './engine.mjs';
import { guards } from './guards.mjs';
import { runLadder } from './ladder.mjs';
import { runLiquibook } from './liquibook.mjs';
import { collected } from './collected.mjs';
import { streams } from './streams.mjs';

const [kind, streamName, operations, blockActions, program] = process.argv.slice(2);
const { make } = streams.find(({ name }) => name === streamName);
const counted = make(Number(operations));

/** Of one answer: making an instance takes longer than a bare ladder needs for its pass. */
const passesMax = 20;
/** Of uncounted passes before the first that counts. */
const leadSeconds = 0.03;

const runs = {
  numbers: (stream) => runBook(stream, createNarrowBook),
  bigints: (stream) => runBook(stream, createWideBook),
  peer: (stream) => runPeer(stream),
  ladder: (stream) => runLadder(stream),
  engine: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck }),
  told: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, told: true }),
  charged: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, params: options }),
  fine: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, grid: humanGrids.fine }),
  coarse: (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, grid: humanGrids.coarse }),
  ...Object.fromEntries(
    Object.entries(guards).map(([name, guard]) => [
      `guarded-${name}`,
      (stream, isCheck) => runEngine(stream, Number(blockActions), { isCheck, ...guard }),
    ]),
  ),
  liquibook: (stream) => runLiquibook(stream, program),
};

/**
 * Passes over one stream, each on a new instance, until they took long enough together: a pass of matching alone is over before the
 * compiler is done with it.
 *
 * @param shift of the seed: another stream of the same kind, which is not counted; 0 for the one that is
 * @param isCheck whether answers are looked at @param seconds that the passes take together, at least
 */
async function takeTurn({ shift, isCheck, seconds: least }) {
  const stream = shift === 0 ? counted : make(Number(operations), shift);
  const { trades, live } = stream;
  const total = { seconds: 0, cpuSeconds: 0, samples: [], counted: 0 };
  const pass = async () => {
    await collected();
    return runs[kind](stream, isCheck);
  };
  // While others had their turns this process gave memory back, and the processor forgot it: an exchange never waits for that long.
  if (kind !== 'liquibook') for (let seconds = 0; seconds < leadSeconds; ) seconds += (await pass()).seconds;
  let result;
  let passes = 0;
  do {
    result = await pass();
    total.seconds += result.seconds;
    total.cpuSeconds += result.cpuSeconds;
    total.samples.push(...result.samples);
    total.counted += stream.operations.length - stream.warm;
    passes++;
  } while (kind !== 'liquibook' && total.seconds < least && passes < passesMax);
  process.send({ ...result, ...total, expected: { trades, live } });
}
process.on('message', (turn) => void takeTurn(turn));
