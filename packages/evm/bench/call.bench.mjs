/**
 * Read-only calls on a fixed state in one thread, without the network around them: balanceOf of a token as OpenZeppelin compiles it,
 * for ever-new holders, also as the gateway's thread carries it out, and a loop of plain arithmetic.
 *
 *   npm run bench:calls [-- --seconds 3]
 *
 * Prints a table and, as the last line, JSON.
 */
import { cpus } from 'node:os';
import { cryptoProvider } from '@prime/crypto';
import { compileContract } from '@prime/examples';
import { allocateState, createCommon, createCustomCrypto, createStateReader } from '@prime/evm';
import { createMemoryDatabase } from '@prime/evm/testing';
import { hexToBytes } from '@prime/primitives';
import { benchArguments } from '@prime/testkit/arguments';

const { seconds } = benchArguments('bench:calls', { seconds: { meaning: 'length of each measurement', usual: 3 } });
const token = `0x${'70'.repeat(20)}`;
const loop = `0x${'71'.repeat(20)}`;
const provider = await cryptoProvider();
const common = createCommon(7919, createCustomCrypto(provider));

const at = (stateRoot) => ({
  height: 1,
  stateRoot,
  timestampMs: 1_700_000_000_000,
  proposer: `0x${'ee'.repeat(20)}`,
  gasLimit: 300_000_000n,
  baseFee: 7n,
  parentHash: `0x${'00'.repeat(32)}`,
});
const call = (to, data) => ({
  from: null,
  to,
  gas: null,
  gasPrice: null,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: 0n,
  data,
  accessList: null,
  authorizationList: [],
  stateOverrides: [],
  blockOverrides: {},
});
const open = (alloc) => {
  const { stateRoot, writes } = allocateState(alloc);
  const options = { database: createMemoryDatabase(writes), common, blockHashOf: () => null, timeoutMs: 5000 };
  return createStateReader(options).then((reader) => ({ reader, context: at(stateRoot) }));
};

/** Code that the constructor of the token leaves. */
async function tokenCode() {
  const { bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const { reader, context } = await open([]);
  const supply = '0'.repeat(63) + '1';
  const from = { from: `0x${'aa'.repeat(20)}` };
  const made = await reader.call({ ...call(null, hexToBytes(bytecode + supply)), ...from }, context);
  if (made.status !== 'success') throw new Error(`the token could not be made: ${made.message ?? made.status}`);
  return made.output;
}

/** n = calldata word; while (n != 0) n = n − 1 with some stack play: 14 opcodes a round. */
const loopCode = hexToBytes('0x5f355b806001018090505060019003806002575000');
const loopRounds = 20_000;

const account = { balance: 0n, nonce: 1, storage: [] };
const { reader, context } = await open([
  { ...account, address: token, code: await tokenCode() },
  { ...account, address: loop, code: loopCode },
]);

async function measure(next, perform = (message) => reader.call(message, context)) {
  const run = async (milliseconds) => {
    const start = performance.now();
    const cpuStart = process.cpuUsage();
    let count = 0;
    let gas = 0n;
    while (performance.now() - start < milliseconds) {
      const made = perform(next(count));
      const outcome = made instanceof Promise ? await made : made;
      if (outcome.status !== 'success') throw new Error(`a call failed: ${outcome.message ?? outcome.status}`);
      gas += outcome.gasUsed;
      count++;
    }
    const { user, system } = process.cpuUsage(cpuStart);
    return { count, gas, elapsed: performance.now() - start, cpu: user + system };
  };
  await run(1000);
  const { count, gas, elapsed, cpu } = await run(seconds * 1000);
  return {
    'calls/s': Math.round((count * 1000) / elapsed),
    'cpu µs': Number((cpu / count).toFixed(1)),
    'Mgas/cpu s': Number((Number(gas) / cpu).toFixed(1)),
  };
}

const balanceOf = hexToBytes(`0x70a08231${'0'.repeat(64)}`);
const nextBalanceOf = (index) => {
  const data = balanceOf.slice();
  new DataView(data.buffer).setUint32(32, index);
  return call(token, data);
};
const budget = { gas: 100_000, timeMs: 1 };
const rows = {
  balanceOf: await measure(nextBalanceOf),
  'balanceOf at once': await measure(
    nextBalanceOf,
    (message) => reader.callAtOnce(message, context, budget) ?? reader.call(message, context),
  ),
  loop: await measure(() => call(loop, hexToBytes(`0x${loopRounds.toString(16).padStart(64, '0')}`))),
};
console.log(`${cpus()[0]?.model}, Node ${process.version}`);
console.table(rows);
console.log(JSON.stringify({ bench: 'calls', rows }));
