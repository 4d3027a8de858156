/**
 * What one transaction costs the execution thread: processor time of plain transfers and of transfers of a token as OpenZeppelin compiles
 * it, through begin, run, finish and commit on a database in memory.
 *
 *   npm run bench:transactions [-- --blocks 40 --size 500]
 *
 * Blocks before the counted ones warm up the compiler. All figures are processor time of the process, collector and compiler included,
 * so that a busy machine tells the same as a quiet one, more or less. The last state root is told, since a faster run that comes to
 * another state is none. Prints a table and, as the last line, JSON.
 */
import { cpus } from 'node:os';
import { cryptoProvider } from '@prime/crypto';
import { compileContract } from '@prime/examples';
import { allocateState, createCommon, createCustomCrypto, createEvmState, createStateReader } from '@prime/evm';
import { createMemoryDatabase, createTestAccount, createTestVerifier } from '@prime/evm/testing';
import { hexToBytes } from '@prime/primitives';
import { benchArguments } from '@prime/testkit/arguments';

const { blocks, size, warm } = benchArguments('bench:transactions', {
  blocks: { meaning: 'blocks that are counted', usual: 40 },
  size: { meaning: 'transactions of a block', usual: 500 },
  warm: { meaning: 'blocks before them', usual: 20 },
});
const accountCount = 20_000;
const chainId = 7919;
const provider = await cryptoProvider();
const common = createCommon(chainId, createCustomCrypto(provider));
const verify = createTestVerifier(chainId, provider);
const token = `0x${'70'.repeat(20)}`;

const word = (value) => `0x${value.toString(16).padStart(64, '0')}`;
const holder = (index) => `0x${index.toString(16).padStart(40, 'f')}`;
const empty = { balance: 10n ** 24n, nonce: 0, code: new Uint8Array(0), storage: [] };
const senders = Array.from({ length: size }, (_, index) => createTestAccount(`sender ${index}`, common, provider));
const keccak = createCustomCrypto(provider).keccak256;
const balanceSlot = (address) =>
  `0x${Buffer.from(keccak(hexToBytes(`0x${address.slice(2).padStart(64, '0')}${'00'.repeat(32)}`))).toString('hex')}`;

/** Code that the constructor of the token leaves. */
async function tokenCode() {
  const { stateRoot, writes } = allocateState([]);
  const options = { database: createMemoryDatabase(writes), common, blockHashOf: () => null, timeoutMs: 5000 };
  const reader = await createStateReader(options);
  const { bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const data = hexToBytes(`${bytecode}${'1'.padStart(64, '0')}`);
  const unpriced = { gas: null, gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null };
  const assumed = { accessList: null, authorizationList: [], stateOverrides: [], blockOverrides: {} };
  const message = { from: `0x${'aa'.repeat(20)}`, to: null, value: 0n, data, ...unpriced, ...assumed };
  const made = await reader.call(message, { ...environment(1), stateRoot });
  if (made.status !== 'success') throw new Error(`the token could not be made: ${made.message ?? made.status}`);
  return made.output;
}

function environment(height) {
  return {
    height,
    timestampMs: 1_700_000_000_000 + height * 250,
    proposer: `0x${'ee'.repeat(20)}`,
    gasLimit: 300_000_000n,
    baseFee: 7n,
    parentHash: word(BigInt(height)),
    prevRandao: word(1n),
  };
}

const code = await tokenCode();
const rich = senders.map(({ address }) => ({ slot: balanceSlot(address), value: word(10n ** 30n) }));
const others = Array.from({ length: accountCount }, (_, index) => ({ ...empty, address: holder(index) }));
const known = others.map(({ address }) => ({ slot: balanceSlot(address), value: word(1n) }));
const alloc = [
  ...senders.map(({ address }) => ({ ...empty, address })),
  ...others,
  { ...empty, address: token, nonce: 1, code, storage: [...rich, ...known] },
];

const target = (block, index) => holder((block * 977 + index) % accountCount);
const workloads = {
  transfer: (block, index) => ({ to: target(block, index), value: 1n }),
  'ERC-20 transfer': (block, index) => {
    const to = target(block, index).slice(2).padStart(64, '0');
    return { to: token, data: hexToBytes(`0xa9059cbb${to}${'1'.padStart(64, '0')}`), gasLimit: 120_000n };
  },
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const microseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

async function measure(transactionOf) {
  const signed = Array.from({ length: warm + blocks }, (_, block) =>
    senders.map((sender, index) => verify(sender.sign({ nonce: block, ...transactionOf(block, index) }))),
  );
  const { stateRoot, writes } = allocateState(alloc);
  const database = createMemoryDatabase(writes);
  const evm = await createEvmState({ database, common, stateRoot, blockHashOf: () => null });
  const times = { run: [], seal: [] };
  let root = stateRoot;
  for (const [index, transactions] of signed.entries()) {
    const start = microseconds();
    const block = evm.begin(environment(index + 1));
    const receipts = await block.run(transactions);
    const ran = microseconds();
    const outcome = await block.finish();
    block.commit();
    const sealed = microseconds();
    if (receipts.some(({ status }) => status !== 1)) throw new Error('a transaction failed');
    await database.write(outcome.writes, { sync: false });
    root = outcome.stateRoot;
    if (index < warm) continue;
    times.run.push((ran - start) / size);
    times.seal.push((sealed - ran) / size);
  }
  return { run: median(times.run), seal: median(times.seal), root };
}

const results = [];
for (const [name, transactionOf] of Object.entries(workloads)) {
  const { run, seal, root } = await measure(transactionOf);
  const tenth = (value) => Math.round(value * 10) / 10;
  results.push({
    name,
    unit: 'µs of processor time',
    run: tenth(run),
    seal: tenth(seal),
    total: tenth(run + seal),
    root,
  });
}
console.table(results, ['name', 'run', 'seal', 'total']);
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`;
console.log(JSON.stringify({ benchmark: 'transactions', machine, size, blocks, results }));
