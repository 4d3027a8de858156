import { rpc } from '@prime/load/rpc';
import { report, round } from '@prime/loadtest';
import { createTestnet, until } from '@prime/testkit';
import { benchArguments } from '@prime/testkit/arguments';
import { addressOf, Desk, hex, mainMarket } from '../e2e/trading/trading.ts';
import { limitProcess, type ProcessorShare } from './processorShare.ts';

/**
 * Reads that two followers answer beside those that one answers, asked in turns, round-robin as a Service does it, while the chain goes on. A machine of two cores
 * can not give two followers twice what one takes, so each has the limit of a small container; whoever asks and the validator have the rest. Needs root on Linux.
 *
 *   npm run bench:followers [-- --share 6 --rounds 7]
 */
const given = benchArguments('bench:followers', {
  share: { meaning: 'processor time that a follower may take, percent of one core', usual: 6 },
  rounds: { meaning: 'rounds of both', usual: 7 },
  seconds: { meaning: 'length of each half of a round', usual: 10 },
  asking: { meaning: 'questions that are open at one time, for each follower', usual: 16 },
});

const questions: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ['primeorders_getOrderBook', [hex(mainMarket)]],
  ['eth_getBalance', [addressOf('maker'), 'latest']],
  ['primeorders_getAccount', [addressOf('maker')]],
  ['eth_getBlockByNumber', ['latest', false]],
];

/** Answers in a second, from some nodes that are asked one after the other. */
async function readsPerSecond(urls: readonly string[]): Promise<number> {
  const begun = performance.now();
  const end = begun + given.seconds * 1_000;
  let [asked, answered] = [0, 0];
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const at = asked++;
      const [method, params] = questions[at % questions.length]!;
      await rpc(urls[Math.floor(at / questions.length) % urls.length]!, method, params);
      answered++;
    }
  };
  await Promise.all(Array.from({ length: given.asking * urls.length }, ask));
  return (answered / (performance.now() - begun)) * 1_000;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const testnet = await createTestnet({ validators: 1, followers: 2 });
const shares: ProcessorShare[] = [];
try {
  await testnet.startAll();
  const desk = new Desk(testnet);
  await desk.deposit(addressOf('maker'), 10_000_000);
  for (let level = 1; level <= 20; level++) await desk.place(addressOf('maker'), 'sell', 100 + level, 5);
  const head = await desk.height();
  const followers = [1, 2].map((index) => testnet.url(index));
  for (const url of followers)
    await until('a follower is there', async () => Number(await rpc<string>(url, 'eth_blockNumber')) >= head);
  // Code that is still being compiled would make the later rounds faster than the first.
  await readsPerSecond(followers);
  for (const index of [1, 2]) shares.push(limitProcess(testnet.pid(index)!, given.share));
  const rounds: { readonly one: number; readonly two: number }[] = [];
  for (let at = 0; at < given.rounds; at++) {
    // In turns, too, which of both comes first.
    const alone = () => readsPerSecond([followers[at % 2]!]);
    const together = () => readsPerSecond(followers);
    if (at % 2 === 0) rounds.push({ one: await alone(), two: await together() });
    else {
      const two = await together();
      rounds.push({ one: await alone(), two });
    }
  }
  report('followers', {
    ...Object.fromEntries(
      rounds.map(({ one, two }, at) => [
        `round ${at + 1}`,
        { 'one, reads/s': round(one), 'two, reads/s': round(two), ratio: round(two / one) },
      ]),
    ),
    median: {
      'one, reads/s': round(median(rounds.map(({ one }) => one))),
      'two, reads/s': round(median(rounds.map(({ two }) => two))),
      ratio: round(median(rounds.map(({ one, two }) => two / one))),
    },
  });
} finally {
  await testnet.destroy();
  for (const share of shares) share.release();
}
