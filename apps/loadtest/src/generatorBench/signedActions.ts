import { createCryptoProvider } from '@prime/crypto';
import { builtInScenario, type FromWorker, Generator, operationsOf, planOf, processClock } from '@prime/load';

/** How well the generator kept one rate. `generatorShare` is processor time over time. */
export interface SignedSample {
  /** Actions a second that were asked for, and that were answered. */
  readonly asked: number;
  readonly perSecond: number;
  /** Actions that were signed before, and how many a second. */
  readonly signed: number;
  readonly signedPerSecond: number;
  /** The most that one was begun behind its time, ms, and how many of all more than 50 ms. */
  readonly latestMs: number;
  readonly lateShare: number;
  readonly generatorShare: number;
}

/** Sends signed actions of the scenario `maker` in an open loop, as a worker of `prime load` does, signed ahead. @param url of a server that answers anything */
export async function measureSigned(url: string, rate: number, seconds: number): Promise<SignedSample> {
  const scenario = builtInScenario('maker');
  const provider = await createCryptoProvider();
  const partition = { worker: 0, workers: 1 };
  const seed = 26;
  const network = { chainId: 7919, timeMs: 1_700_000_000_000, baseFee: 7n, gasLimit: 30_000_000n };
  const plan = planOf(scenario, { seed, workers: 1, provider, facts: { ...network, markets: [], nonceOf: () => 0 } });
  const markets = plan.markets.map((symbol) => ({ symbol, tickSize: 1n, lotSize: 1n }));
  const count = Math.ceil(rate * seconds);
  const told: FromWorker[] = [];
  const generator = await Generator.open({
    assignment: {
      work: { name: 'maker', toml: '', size: null },
      seed,
      secret: null,
      rate,
      partition,
      facts: { ...network, markets, nonces: [] },
      urls: [url],
      transport: 'ws',
      connections: 8,
      aheadMax: count,
      answerMs: 10_000,
    },
    operations: operationsOf(scenario, {
      seed,
      partition,
      provider,
      rate,
      facts: { ...network, markets, nonceOf: () => 0 },
    }),
    clock: processClock,
    tell: (message) => void told.push(message),
  });
  await generator.take({ type: 'sign', operations: count });
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const stages = [{ name: 'hold', fromRate: rate, toRate: rate, seconds }];
  await generator.take({ type: 'run', pace: { kind: 'open', arrivals: 'constant', stages } });
  const elapsed = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  generator.close();
  const outcomes = told.flatMap((message) => (message.type === 'outcomes' ? [message] : []));
  const kinds = outcomes.flatMap(({ kinds: all }) => all);
  const sum = (of: 'acknowledged' | 'late' | 'scheduled'): number => kinds.reduce((all, kind) => all + kind[of], 0);
  const ahead = told.find((message) => message.type === 'signed');
  return {
    asked: rate,
    perSecond: sum('acknowledged') / elapsed,
    signed: ahead?.operations ?? 0,
    signedPerSecond: ahead === undefined ? 0 : ahead.operations / ahead.seconds,
    latestMs: Math.max(...outcomes.map(({ latestMs }) => latestMs)),
    lateShare: sum('late') / sum('scheduled'),
    generatorShare: (user + system) / 1e6 / elapsed,
  };
}
