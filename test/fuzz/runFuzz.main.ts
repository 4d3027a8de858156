import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { fuzzNetwork } from './network.ts';

/**
 * `npm run fuzz:rpc -- --seconds N [--seed S] [--url U]`: sends mutated requests to a node, one of its own unless there is a URL. Prints
 * the seed; the exit code is 1 when the node did what it should not.
 */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' }, url: { type: 'string' } },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 30) : Number(values.seed);
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seed) || !(seconds > 0)) {
  console.error('usage: fuzz:rpc --seconds N [--seed S] [--url U]; N and S are numbers');
  process.exit(64);
}
console.log(`seed ${seed}`);
const network = values.url === undefined ? await fuzzNetwork() : null;
const url = values.url ?? network!.testnet.url(0);
try {
  const result = await fuzz({ url, seed, requests: Infinity, timeMs: seconds * 1_000, pid: network?.pid ?? null });
  for (const fault of result.faults) console.error(`FAULT ${fault}`);
  console.log(`outcomes ${JSON.stringify(result.outcomes)}`);
  console.log(`memory of the node in MB (start, most, end): ${result.memoryMb.join(', ')}`);
  console.log(`${result.requests} requests, ${result.faults.length} faults, seed ${seed}`);
  if (network !== null && result.faults.length > 0) console.error(network.testnet.tail(0));
  process.exitCode = result.faults.length === 0 ? 0 : 1;
} finally {
  await network?.testnet.destroy();
}
