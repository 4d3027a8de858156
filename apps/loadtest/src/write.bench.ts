import { cryptoProvider } from '@prime/crypto';
import { benchArguments } from '@prime/testkit/arguments';
import { threadTimes, usedBetween, whyNoThreadTimes } from './profile/processTime.ts';
import { type Anvil, startAnvil } from './rpcBench/anvil.ts';
import { withNetwork } from './scenario.ts';
import { type LoadName, prepareLoad, type WriteLoad } from './writeLoad/loads.ts';
import { type SentLoad, sendLoad } from './writeLoad/sendLoad.ts';
import { machineWords, median, printJson } from './figures.ts';

/**
 * The write path beside anvil with blocks of one second, in one run and in turns: the same signed transactions, sent by the same client, and orders, which anvil
 * has not. Outcomes of every round are verified; one that fails ends the run without a figure. Goals are printed, not asserted. How long a lone order takes is
 * told by `npm run bench:latency`.
 *
 *   npm run bench:write [-- --rounds 3 --transfers 12000 --tokens 6000 --orders 6000 --batches 300 --validators 1,4 --anvil PATH]
 */
const options = benchArguments('bench:write', {
  rounds: { meaning: 'rounds of each side, in turn', usual: 3 },
  transfers: { meaning: 'transfers of a round', usual: 12_000, least: 640 },
  tokens: { meaning: 'ERC-20 transfers of a round', usual: 6_000, least: 640 },
  orders: { meaning: 'orders of a round, one by one', usual: 6_000, least: 640 },
  batches: { meaning: 'batches of 100 orders of a round', usual: 300, least: 64 },
  validators: { meaning: 'sizes of the networks', usual: [1, 4] },
  anvil: { meaning: 'path of anvil; without it, the one that the test clients bring', usual: '' },
});
const messages: Readonly<Record<LoadName, number>> = {
  transfers: options.transfers,
  erc20: options.tokens,
  orders: options.orders,
  batches: options.batches,
};

/** Goals by load and validators: of a ratio to anvil, or of items a second; and of µs of processor time of a validator. */
const goals: Readonly<Record<string, { readonly rate: number; readonly micros?: number }>> = {
  'transfers 1': { rate: 0.85, micros: 180 },
  'erc20 1': { rate: 0.5, micros: 320 },
  'transfers 4': { rate: 0.3, micros: 180 },
  'erc20 4': { rate: 0.17, micros: 320 },
  'orders 4': { rate: 2_800 },
  'batches 4': { rate: 11_000, micros: 45 },
};
/** Messages that wait for a block of Prime: what a pool takes beside what others send. */
const outstandingMax = 6_000;
/** What a block of anvil holds is up to its processor, not to gas. */
const anvilArguments = ['--block-time', '1', '--gas-limit', '1000000000'];

interface Round extends SentLoad {
  /** Of each server process, by item; NaN where the system does not tell. */
  readonly micros: number;
}

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));
const provider = await cryptoProvider();
const hasTimes = whyNoThreadTimes() === null;

async function round(load: WriteLoad, url: string, pids: readonly number[], waiting: number): Promise<Round> {
  const before = hasTimes ? pids.map(threadTimes) : [];
  let micros = Number.NaN;
  const sent = await sendLoad(load, {
    url,
    messages: messages[load.name],
    outstandingMax: waiting,
    onIncluded: () => {
      if (!hasTimes) return;
      const used = pids.map((pid, index) => [...usedBetween(before[index]!, threadTimes(pid)).values()]);
      micros = used.flat().reduce((sum, each) => sum + each, 0) / pids.length;
    },
  });
  return { ...sent, micros: micros / sent.items };
}

async function compare(
  name: LoadName,
  validators: number,
  prime: { url: string; pids: number[] },
  anvil: Anvil | null,
) {
  const own = await prepareLoad(name, { url: prime.url, provider });
  const other = anvil === null ? null : await prepareLoad(name, { url: anvil.url, provider });
  const rounds: { readonly prime: Round; readonly anvil: Round | null }[] = [];
  // The first round warms up both.
  for (let index = 0; index <= options.rounds; index++) {
    const peer = (): Promise<Round> | null =>
      other === null ? null : round(other, anvil!.url, [anvil!.pid], Number.POSITIVE_INFINITY);
    const first = index % 2 === 0 ? await peer() : null;
    const made = await round(own, prime.url, prime.pids, outstandingMax);
    const both = { prime: made, anvil: first ?? (await peer()) };
    if (index > 0) rounds.push(both);
  }
  const ofPrime = (key: keyof Round): number => median(rounds.map((each) => each.prime[key]));
  const ratio = median(rounds.map((each) => each.prime.perSecond / (each.anvil?.perSecond ?? Number.NaN)));
  const goal = goals[`${name} ${validators}`];
  const reached = anvil === null ? ofPrime('perSecond') : ratio;
  return {
    load: name,
    validators,
    'prime /s': Math.round(ofPrime('perSecond')),
    'anvil /s': anvil === null ? '–' : Math.round(median(rounds.map((each) => each.anvil!.perSecond))),
    ratio: anvil === null ? '–' : rounded(ratio),
    goal: goal?.rate ?? '–',
    met: goal === undefined ? '–' : reached >= goal.rate ? 'met' : 'NOT MET',
    'µs a validator': rounded(ofPrime('micros'), 0),
    'goal µs': goal?.micros ?? '–',
    'p50 ms': Math.round(ofPrime('p50Ms')),
    'p99 ms': Math.round(ofPrime('p99Ms')),
  };
}

const anvilPath = options.anvil === '' ? undefined : options.anvil;
const rows: Record<string, number | string>[] = [];
for (const validators of options.validators)
  await withNetwork({ validators, sheds: false }, async (testnet) => {
    const pids = Array.from({ length: testnet.count }, (_, index) => testnet.pid(index)!);
    const prime = { url: testnet.url(0), pids };
    const anvil = await startAnvil(anvilPath, anvilArguments);
    try {
      for (const name of ['transfers', 'erc20'] as const) rows.push(await compare(name, validators, prime, anvil));
    } finally {
      anvil.close();
    }
    for (const name of ['orders', 'batches'] as const) rows.push(await compare(name, validators, prime, null));
  });
console.log(
  `writes beside anvil with blocks of 1 s, medians of ${options.rounds} rounds, each accepted hash in exactly one block — ` +
    machineWords(),
);
console.table(rows);
printJson({ name: 'writes beside anvil', rows });
