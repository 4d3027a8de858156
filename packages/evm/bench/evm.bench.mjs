/**
 * Blocks of 1000 transactions that touch 2000 accounts, through begin, run and finish, beside the library's own VM and state
 * manager with its caches in the same process. Native cryptography in both; senders are recovered before the clock starts in ours,
 * and given to the library too, because a block's transactions are verified when they arrive.
 *
 *   npm run bench:evm [-- --accounts 22000 --blocks 5]
 *
 * The first blocks warm up the compiler and are not counted. `cpuMs` is the processor time of a whole block, for a machine that does
 * other things at the same time. Prints a table and, as the last line, JSON.
 */
import { cpus } from 'node:os';
import { createBlock } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address, hexToBytes } from '@ethereumjs/util';
import { createVM, runTx } from '@ethereumjs/vm';
import { cryptoProvider } from '@prime/crypto';
import { allocateState, createCommon, createCustomCrypto, createEvmState } from '@prime/evm';
import { createMemoryDatabase, createTestAccount, createTestVerifier } from '@prime/evm/testing';
import { benchArguments } from '@prime/testkit/arguments';

const warmUpBlocks = 4;
const transactionsPerBlock = 1000;
const { accounts: accountCount, blocks: blockCount } = benchArguments('bench:evm', {
  accounts: { meaning: 'accounts of the state', usual: 22_000, least: transactionsPerBlock },
  blocks: { meaning: 'blocks that are counted', usual: 5 },
});
const chainId = 7919;
const provider = await cryptoProvider();
const crypto = createCustomCrypto(provider);
const common = createCommon(chainId, crypto);
const verify = createTestVerifier(chainId, provider);

/** Balances by keccak(holder | 0), checked subtraction, a Transfer event: what a token transfer does, without a compiler's dispatch. */
const token = `0x${'70'.repeat(20)}`;
const tokenCode = hexToBytes(
  `0x335f5260405f2080546024358082106069578091039091556004355f5260405f20805482019055` +
    `5f5260043533${`7f${'dd'.repeat(32)}`}60205fa360015f5260205ff35b5f5ffd`,
);
const revertTarget = tokenCode.length - 4;
tokenCode[tokenCode.indexOf(0x57) - 1] = revertTarget;

const names = Array.from({ length: transactionsPerBlock }, (_, index) => `sender ${index}`);
const senders = names.map((name) => createTestAccount(name, common, provider));
const filler = (index) => `0x${index.toString(16).padStart(40, 'f')}`;
const word = (value) => `0x${value.toString(16).padStart(64, '0')}`;
const slotOf = (address) =>
  `0x${Buffer.from(crypto.keccak256(hexToBytes(`0x${address.slice(2).padStart(64, '0')}${'00'.repeat(32)}`))).toString('hex')}`;
const empty = { balance: 10n ** 20n, nonce: 0, code: new Uint8Array(0), storage: [] };
const alloc = [
  ...senders.map(({ address }) => ({ ...empty, address })),
  ...Array.from({ length: accountCount - senders.length }, (_, index) => ({ ...empty, address: filler(index) })),
  {
    ...empty,
    address: token,
    code: tokenCode,
    storage: senders.map(({ address }) => ({ slot: slotOf(address), value: word(10n ** 18n) })),
  },
];

const environment = (height) => ({
  height,
  timestampMs: 1_700_000_000_000 + height * 250,
  proposer: `0x${'ee'.repeat(20)}`,
  gasLimit: 300_000_000n,
  baseFee: 7n,
  parentHash: word(BigInt(height)),
  prevRandao: word(1n),
});

const workloads = {
  transfers: (block, index) => ({ to: filler((block * 977 + index) % (accountCount - senders.length)), value: 1n }),
  'ERC-20-like': (block, index) => {
    const to = filler((block * 977 + index) % (accountCount - senders.length))
      .slice(2)
      .padStart(64, '0');
    return { to: token, data: hexToBytes(`0xa9059cbb${to}${'1'.padStart(64, '0')}`), gasLimit: 120_000n };
  },
};

function sign(workload) {
  return Array.from({ length: blockCount + warmUpBlocks }, (_, block) =>
    senders.map((sender, index) => verify(sender.sign({ nonce: block, ...workloads[workload](block, index) }))),
  );
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const since = (start) => performance.now() - start;
const cpuSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

async function runOurs(blocks) {
  const { stateRoot, writes } = allocateState(alloc);
  const database = createMemoryDatabase(writes);
  const evm = await createEvmState({ database, common, stateRoot, blockHashOf: () => null });
  const times = { run: [], root: [], cpu: [] };
  const roots = [];
  for (const [index, transactions] of blocks.entries()) {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const block = evm.begin(environment(index + 1));
    await block.run(transactions);
    const run = since(start);
    const outcome = await block.finish();
    const total = since(start);
    if (outcome.receipts.some(({ status }) => status !== 1)) throw new Error('a transaction failed');
    await database.write(outcome.writes, { sync: false });
    block.commit();
    roots.push(outcome.stateRoot);
    if (index < warmUpBlocks) continue;
    times.cpu.push(cpuSince(cpu));
    times.run.push(run);
    times.root.push(total - run);
  }
  return { times, roots };
}

async function runLibrary(blocks) {
  const rules = createCustomCommon({ chainId }, Mainnet, { hardfork: Hardfork.Prague, customCrypto: crypto });
  const stateManager = new MerkleStateManager({ common: rules, caches: new Caches() });
  const vm = await createVM({ common: rules, stateManager });
  await stateManager.checkpoint();
  for (const { address, balance, nonce, code, storage } of alloc) {
    const key = new Address(hexToBytes(address));
    await stateManager.putAccount(key, new Account(BigInt(nonce), balance));
    if (code.length > 0) await stateManager.putCode(key, code);
    for (const { slot, value } of storage) await stateManager.putStorage(key, hexToBytes(slot), hexToBytes(value));
  }
  await stateManager.commit();
  const times = { run: [], root: [], cpu: [] };
  const roots = [];
  for (const [index, transactions] of blocks.entries()) {
    const at = environment(index + 1);
    const header = {
      number: at.height,
      timestamp: Math.floor(at.timestampMs / 1000),
      coinbase: new Address(hexToBytes(at.proposer)),
      gasLimit: at.gasLimit,
      baseFeePerGas: at.baseFee,
    };
    const block = createBlock({ header }, { common: rules, skipConsensusFormatValidation: true });
    const cpu = process.cpuUsage();
    const start = performance.now();
    await stateManager.checkpoint();
    for (const { raw, sender } of transactions) {
      const tx = createTxFromRLP(raw, { common: rules, freeze: false });
      const address = new Address(hexToBytes(sender));
      tx.getSenderAddress = () => address;
      await runTx(vm, { tx, block });
    }
    const run = since(start);
    await stateManager.commit();
    roots.push(`0x${Buffer.from(await stateManager.getStateRoot()).toString('hex')}`);
    const total = since(start);
    if (index < warmUpBlocks) continue;
    times.cpu.push(cpuSince(cpu));
    times.run.push(run);
    times.root.push(total - run);
  }
  return { times, roots };
}

function resultOf(name, times) {
  const [run, root] = [median(times.run), median(times.root)];
  return {
    name,
    unit: 'transactions/s',
    median: Math.round(transactionsPerBlock / ((run + root) / 1000)),
    executionOnly: Math.round(transactionsPerBlock / (run / 1000)),
    rootMs: Math.round(root * 10) / 10,
    cpuMs: Math.round(median(times.cpu)),
    runs: times.run.length,
  };
}

const results = [];
for (const workload of Object.keys(workloads)) {
  const blocks = sign(workload);
  const ours = await runOurs(blocks);
  const library = await runLibrary(blocks);
  if (ours.roots.join() !== library.roots.join()) throw new Error(`${workload}: the state roots differ`);
  results.push(resultOf(`${workload} prime`, ours.times), resultOf(`${workload} library`, library.times));
}
console.table(results);
const machine = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, node ${process.version}`;
console.log(JSON.stringify({ benchmark: 'evm', machine, accounts: accountCount, transactionsPerBlock, results }));
