import { benchArguments } from '@prime/testkit/arguments';
import { fuzz } from './fuzz.ts';
import { fuzzNetwork } from './network.ts';

/**
 * `npm run fuzz:rpc -- --seconds N [--seed S] [--url U]`: sends mutated requests to a node, one of its own unless there is a URL. Prints
 * the seed; the exit code is 1 when the node did what it should not.
 */
const values = benchArguments('fuzz:rpc', {
  seconds: { meaning: 'how long requests are sent', usual: 60 },
  seed: { meaning: 'the same seed sends the same, a random one where none is given', usual: null, least: 0 },
  url: { meaning: 'of a node that runs; otherwise one is started', usual: '' },
});
const seed = values.seed ?? Math.floor(Math.random() * 2 ** 30);
console.log(`seed ${seed}`);
const network = values.url === '' ? await fuzzNetwork() : null;
const url = network === null ? values.url : network.testnet.url(0);
try {
  const result = await fuzz({
    url,
    seed,
    requests: Infinity,
    timeMs: values.seconds * 1_000,
    pid: network?.pid ?? null,
  });
  for (const fault of result.faults) console.error(`FAULT ${fault}`);
  console.log(`outcomes ${JSON.stringify(result.outcomes)}`);
  console.log(`memory of the node in MB (start, most, end): ${result.memoryMb.join(', ')}`);
  console.log(`${result.requests} requests, ${result.faults.length} faults, seed ${seed}`);
  if (network !== null && result.faults.length > 0) console.error(network.testnet.tail(0));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
} finally {
  await network?.testnet.destroy();
}
