// Records what anvil makes of a set of transactions: testdata/traces.json, which the tests of our tracers are compared with.
//
//   anvil --chain-id 7919 --hardfork prague --steps-tracing --port 8599 &
//   node packages/evm/scripts/recordTraces.mjs http://127.0.0.1:8599 "anvil 1.7.1"
import { writeFile } from 'node:fs/promises';
import { createClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const [url, peer] = process.argv.slice(2);
const target = new URL('../testdata/traces.json', import.meta.url);

const client = createClient({ transport: http(url) });
const rpc = (method, ...params) => client.request({ method, params });

const hex = (text) => `0x${text.replace(/\/\/.*$/gm, '').replaceAll(/\s/g, '')}`;
const at = (index) => `0x${'c'.repeat(36)}${index.toString(16).padStart(4, '0')}`;
const word = (value) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const signer = privateKeyToAccount(`0x${'a1'.repeat(32)}`);
const delegator = privateKeyToAccount(`0x${'b2'.repeat(32)}`);

const a = {
  writer: at(1),
  reverter: at(2),
  reasonless: at(3),
  looper: at(4),
  invalid: at(5),
  underflow: at(6),
  badJump: at(7),
  logger: at(8),
  returner: at(9),
  destroyer: at(10),
  panicker: at(11),
  overflow: at(12),
  undefinedOp: at(13),
};
const call = (address, { value = '5f', size = '5f', op = 'f1', gas = '5a', out = '5f5f' } = {}) =>
  `${out} ${size} 5f ${op === 'f1' || op === 'f2' ? value : ''} 73${address.slice(2)} ${gas} ${op} 50`;

const codes = {
  [a.writer]: '60015f55 5f54 50 6002600155 6001600155 00',
  [a.reverter]: `7f08c379a0${'00'.repeat(28)} 5f52 6020600452 6002602452 7f6e6f${'00'.repeat(30)} 604452 60645ffd`,
  [a.reasonless]: '5f5ffd',
  [a.looper]: '5b 5f 56',
  [a.invalid]: '6001 fe',
  [a.underflow]: '5f 01',
  [a.badJump]: '6003 56 00',
  [a.logger]: '6007 5f52 60205fa0 6001 60205fa1 6003 6002 6001 6020 5f a3',
  [a.returner]: '602a 5f52 60205ff3',
  [a.destroyer]: '33 ff',
  [a.panicker]: `7f4e487b71${'00'.repeat(28)} 5f52 6011600452 60245ffd`,
  [a.overflow]: '5b 5f 5f 56',
  [a.undefinedOp]: '6001 0c',
};

// Init code that returns the bytes behind it.
const deploy = (runtime) => {
  const length = runtime.length / 2;
  return `61${length.toString(16).padStart(4, '0')} 80 600a 5f 39 5f f3 00 ${runtime}`.replaceAll(' ', '');
};
const push32 = (bytes) => `7f${bytes.padEnd(64, '0')}`;
const createOf = (init, { value = '5f', salt } = {}) => {
  const size = (init.length / 2).toString(16).padStart(2, '0');
  return salt === undefined
    ? `${push32(init)} 5f52 60${size} 5f ${value} f0`
    : `${push32(init)} 5f52 ${salt} 60${size} 5f ${value} f5`;
};

// Init code: returns 1 byte of code (STOP); reverts; runs out of gas keeping 0xffff bytes; begins with 0xef.
const init = {
  stop: '60015ff3',
  reverting: '602a5f5260205ffd',
  empty: '00',
  huge: '61ffff5ff3',
  ef: '60ef5f5360015ff3',
  write: '60015f5560015ff3',
};

const scenarios = {
  transfer: { to: at(0x99), value: 5n },
  'transfer to a precompile': { to: '0x0000000000000000000000000000000000000004', data: '0x010203', gas: 60_000n },
  'storage: set, read, change, clear': {
    code: '60015f55 5f54 50 60026001 55 5f6001 55 6003 5f 55',
    storage: { 0: 9, 1: 5 },
  },
  'every kind of call': {
    code: `${call(a.returner, { out: '60205f' })} ${call(a.returner, { op: 'fa', out: '60205f' })} ${call(a.writer, { op: 'f4' })} ${call(a.writer, { op: 'f2', value: '6003' })} ${call(a.writer, { value: '6002' })} 3d 50 00`,
    value: 10n,
  },
  'a call with input': {
    code: `${push32('a9059cbb')} 5f52 ${call(a.returner, { size: '6024' })} ${call(a.writer, { size: '6004' })} ${call(a.writer, { size: '6004' })}`,
  },
  'reverts with a reason, a panic and nothing, caught': {
    code: `${call(a.reverter)} ${call(a.panicker)} ${call(a.reasonless)} 00`,
  },
  'reverts with a reason': { to: a.reverter },
  'reverts with a panic': { to: a.panicker },
  'reverts with nothing': { to: a.reasonless },
  'out of gas': { to: a.looper, gas: 21_100n },
  'out of gas in an inner call': { code: `${call(a.looper, { gas: '6060' })} ${call(a.returner)}`, gas: 200_000n },
  'invalid instruction': { to: a.invalid, gas: 60_000n },
  'undefined instruction': { to: a.undefinedOp, gas: 60_000n },
  'stack underflow': { to: a.underflow, gas: 60_000n },
  'stack overflow': { to: a.overflow, gas: 100_000n, short: true },
  'bad jump': { to: a.badJump, gas: 60_000n },
  'failures of inner calls': {
    code: [a.invalid, a.undefinedOp, a.underflow, a.badJump]
      .map((address) => call(address, { gas: '61ffff' }))
      .join(''),
    gas: 900_000n,
  },
  'write in a static call': { code: call(a.writer, { op: 'fa', gas: '61ffff' }), gas: 200_000n },
  'log in a static call': { code: call(a.logger, { op: 'fa', gas: '61ffff' }), gas: 200_000n },
  'value that is not there': { code: `${call(a.returner, { value: '6402540be400' })} ${call(a.returner)}` },
  'return data out of bounds': { code: '6001 5f 5f 3e', gas: 60_000n },
  'logs, some of them reverted': {
    code: `60205fa0 ${call(a.logger)} ${call(at(0x20))} 60205fa0`,
    more: { [at(0x20)]: `60205fa0 ${call(a.logger)} 5f5ffd` },
  },
  creation: { to: null, data: hex(deploy('602a5f5260205ff3')), gas: 200_000n },
  'creation that reverts': { to: null, data: hex(init.reverting), gas: 200_000n },
  'creation that can not keep its code': { to: null, data: hex(init.huge), gas: 200_000n },
  'creation of forbidden code': { to: null, data: hex(init.ef), gas: 200_000n },
  'create and create2': {
    code: `${createOf(init.stop)} 50 ${createOf(init.stop, { salt: '6005', value: '6001' })} 50 ${createOf(init.reverting)} 50 ${createOf(init.write, { salt: '6006' })} 50 ${createOf(init.ef)} 50 00`,
    value: 3n,
    gas: 900_000n,
  },
  'create2 twice at one address': {
    code: `${createOf(init.stop, { salt: '6005' })} 50 ${createOf(init.stop, { salt: '6005' })} 50`,
    gas: 300_000n,
  },
  'creation and use of a contract': {
    code: `${createOf(deploy('602a5f5260205ff3'))} 5f5f5f5f5f 85 5a f1 50`,
    gas: 400_000n,
  },
  'selfdestruct of an old contract': { to: a.destroyer, value: 7n },
  'selfdestruct in an inner call': { code: `${call(a.destroyer, { value: '6004' })}`, value: 9n },
  'selfdestruct of what was just created': {
    code: `${createOf('33ff', { value: '6002' })} 50`,
    value: 9n,
    gas: 300_000n,
  },
  precompiles: {
    code: `${push32('0102')} 5f52 ${[1, 2, 3, 4].map((n) => `60205f 6020 5f 5f 60${String(n).padStart(2, '0')} 5a f1 50`).join('')} 60205f 6020 5f 6002 61ffff fa 50`,
    gas: 200_000n,
  },
  'precompile that fails': { code: `5f5f 6001 5f 5f 6006 61ffff f1 50`, gas: 200_000n },
  'precompile without enough gas': { code: `5f5f 6020 5f 5f 6002 600a f1 50`, gas: 200_000n },
  'memory, transient storage, hashes': {
    code: '6020 5f 20 5f 52 6001 6002 5d 6002 5c 50 6020 5f 6040 5e 59 50 5f 40 50 58 50 5a 50',
    gas: 100_000n,
  },
  'balances and code of others': {
    code: `73${a.writer.slice(2)} 31 50 73${a.logger.slice(2)} 3b 50 73${a.returner.slice(2)} 3f 50 6005 5f 5f 73${a.reverter.slice(2)} 3c 47 50 32 31 50`,
  },
  'return data of calls': { code: `${call(a.returner, { out: '60205f' })} 3d 5f 5f 3e ${call(a.reverter)} 3d 50 00` },
  'refund of a cleared slot': { code: '5f5f55', storage: { 0: 9 } },
  'deep recursion': { code: `5f5f5f5f5f 30 5a f1 50`, gas: 3_000_000n, short: true },
  'set code': { to: delegator.address.toLowerCase(), authorize: a.returner, gas: 100_000n },
  'legacy transaction with an access list paid by gas price': { to: a.writer, legacy: true },
};

// What the labels mean to our tracers stands in the test.
const configs = {
  structLogger: {},
  'structLogger with memory and return data': { enableMemory: true, enableReturnData: true, disableStorage: true },
  callTracer: { tracer: 'callTracer' },
  'callTracer with logs': { tracer: 'callTracer', tracerConfig: { withLog: true } },
  'callTracer, top only': { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } },
  prestateTracer: { tracer: 'prestateTracer' },
  'prestateTracer in diff mode': { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
  '4byteTracer': { tracer: '4byteTracer' },
};

const main = at(0x10);
const coinbase = at(0xfee);
const recorded = [];
await rpc('anvil_reset');
await rpc('anvil_setCoinbase', coinbase);
for (const [
  name,
  { code, more = {}, storage = {}, to = main, data = '0x', value = 0n, gas = 500_000n, authorize, legacy, short },
] of Object.entries(scenarios)) {
  const snapshot = await rpc('evm_snapshot');
  const accounts = { ...codes, ...more, ...(code === undefined ? {} : { [main]: code }) };
  // Accounts that exist: about empty ones, implementations differ.
  const alloc = [];
  for (const address of [signer.address, delegator.address, at(0x99), coinbase].map((text) => text.toLowerCase())) {
    alloc.push({ address, balance: word(10n ** 18n), code: '0x', storage: [] });
    await rpc('anvil_setBalance', address, word(10n ** 18n));
  }
  for (const [address, text] of Object.entries(accounts)) {
    const slots = address === main ? Object.entries(storage) : [];
    alloc.push({
      address,
      balance: '0x0',
      code: hex(text),
      storage: slots.map(([slot, held]) => ({ slot: word(slot), value: word(held) })),
    });
    await rpc('anvil_setCode', address, hex(text));
    for (const [slot, held] of slots) await rpc('anvil_setStorageAt', address, word(slot), word(held));
  }
  const fees = legacy
    ? { type: 'legacy', gasPrice: 3_000_000_000n }
    : { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const authorizationList =
    authorize === undefined
      ? undefined
      : [await delegator.signAuthorization({ contractAddress: authorize, chainId: 7919, nonce: 0 })];
  const raw = await signer.signTransaction({
    chainId: 7919,
    nonce: 0,
    ...(to === null ? {} : { to }),
    data,
    value,
    gas,
    ...fees,
    ...(authorizationList === undefined ? {} : { authorizationList }),
  });
  const hash = await rpc('eth_sendRawTransaction', raw);
  let receipt = null;
  while (receipt === null) receipt = await rpc('eth_getTransactionReceipt', hash);
  const block = await rpc('eth_getBlockByNumber', receipt.blockNumber, false);
  const traces = {};
  for (const [label, config] of Object.entries(configs)) {
    if (short && label.startsWith('structLogger')) continue;
    traces[label] = await rpc('debug_traceTransaction', hash, config);
  }
  recorded.push({
    name,
    alloc,
    raw,
    gasUsed: receipt.gasUsed,
    status: receipt.status,
    block: {
      number: block.number,
      timestamp: block.timestamp,
      miner: block.miner,
      gasLimit: block.gasLimit,
      baseFeePerGas: block.baseFeePerGas,
      parentHash: block.parentHash,
      mixHash: block.mixHash,
    },
    traces,
  });
  await rpc('evm_revert', snapshot);
}
await writeFile(target, `${JSON.stringify({ peer, recorded })}\n`);
process.stdout.write(`${recorded.length} transactions\n`);
