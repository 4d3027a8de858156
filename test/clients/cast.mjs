/** cast against a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import {
  allowed,
  chainId,
  create2Deployer,
  divisionByZero,
  multicall3,
  parallelSends,
  refusalText,
  wanted,
} from './lib/expectations.mjs';
import { foundry } from './lib/program.mjs';
import { absent, eventually, readArtifacts, readTask, report } from './lib/report.mjs';

const task = readTask();
const { bytecode } = readArtifacts(task).Probe;
const run = foundry('cast');
const rpc = ['--rpc-url', task.rpcUrl];
const key = ['--private-key', task.privateKey];
const from = ['--from', task.address];

const cast = (command, ...args) => run(command, ...args, ...rpc);
const json = async (command, ...args) => JSON.parse(await cast(command, ...args, '--json'));
/** Sends, waits for the receipt, and wants it to be a success. */
async function send(...args) {
  const receipt = await json('send', ...args, ...key);
  assert.equal(receipt.status, '0x1');
  return receipt;
}
const storeSignature = 'store(uint256,uint256,string)';
const store = (keyNumber, value, note, ...options) =>
  send(probe, storeSignature, `${keyNumber}`, `${value}`, note, ...options);
const valueAt = (keyNumber, ...options) => cast('call', probe, 'valueAt(uint256)(uint256)', `${keyNumber}`, ...options);
const initCode = async () => `${bytecode}${(await run('abi-encode', 'f(uint256)', `${allowed}`)).slice(2)}`;

/** The probe of this run, once it is deployed. */
let probe;

async function sendOfType(type, ...options) {
  const before = BigInt(await cast('balance', task.peer));
  const receipt = await send(task.peer, '--value', '1000', ...options);
  assert.equal(receipt.type, type);
  const shown = await json('tx', receipt.transactionHash);
  assert.equal(shown.type, type);
  assert.equal(shown.from.toLowerCase(), task.address.toLowerCase());
  assert.ok(BigInt(await cast('balance', task.peer)) >= before + 1000n);
  return shown;
}

async function refusal(attempt) {
  try {
    await attempt;
  } catch (error) {
    return error.message;
  }
  return assert.fail('it was not refused');
}

const listed = (accessList) => accessList.map(({ address }) => address.toLowerCase());

await report({
  connect: async () => {
    assert.equal(Number(await cast('chain-id')), chainId);
    const number = Number(await cast('block-number'));
    const block = await json('block', `${number}`);
    assert.equal(Number(block.number), number);
    assert.equal((await json('block', block.hash, '--full')).hash, block.hash);
    assert.match(await cast('block', 'latest'), /baseFeePerGas/);
    assert.ok(BigInt(await cast('balance', task.address)) > 10n ** 18n);
    assert.match(await refusal(cast('block', '1000000000')), /not found/);
    assert.match(await refusal(cast('tx', `0x${'00'.repeat(32)}`)), /not found/);
    assert.match(await cast('client'), /^\w+\/\d/);
    assert.ok(Number(await cast('age', 'latest').then((age) => Date.parse(age))) > 0);
  },
  addresses: async () => {
    assert.ok(BigInt(await cast('balance', task.address.toLowerCase())) > 0n);
    await refusal(cast('resolve-name', 'prime.eth'));
  },
  deploy: async () => {
    // What follows --create belongs to it.
    const options = ['--value', '5', '--json', ...key, ...rpc];
    const { contractAddress } = JSON.parse(await run('send', ...options, '--create', await initCode()));
    probe = contractAddress;
    assert.ok((await cast('code', probe)).length > 100);
    assert.ok(Number(await cast('codesize', probe)) > 100);
    assert.equal(await cast('balance', probe), '5');
  },
  write: async () => {
    const { transactionHash, blockNumber } = await store(1, 42, 'first', '--value', '3');
    const receipt = await json('receipt', transactionHash);
    assert.equal(receipt.blockNumber, blockNumber);
    assert.equal(receipt.logs.length, 1);
    assert.match(await cast('receipt', transactionHash), /status +1 \(success\)/);
    assert.equal(await cast('receipt', transactionHash, 'gasUsed'), `${BigInt(receipt.gasUsed)}`);
  },
  read: async () => {
    assert.equal(await valueAt(1), '42');
    const entry = await cast('call', probe, 'read(uint256)((uint256,string,address[]))', '1');
    assert.equal(entry, `(42, "first", [${task.address}])`);
    assert.match(await cast('storage', probe, '0'), /^0x[0-9a-f]{64}$/);
  },
  history: async () => {
    const { blockNumber } = await store(3, 100, 'before');
    await store(3, 200, 'after');
    const at = (height) => valueAt(3, '--block', `${height}`);
    assert.deepEqual(
      [await at(Number(blockNumber)), await at(Number(blockNumber) - 1), await at('latest')],
      ['100', '0', '200'],
    );
    assert.equal(await cast('code', probe, '--block', '0'), '0x');
    const { timestamp } = await json('block', `${Number(blockNumber)}`);
    const found = await json('block', await cast('find-block', `${Number(timestamp)}`));
    assert.equal(found.timestamp, timestamp);
  },
  legacy: () => sendOfType('0x0', '--legacy'),
  accessListTransaction: async () => {
    const list = `[{"address":"${probe}","storageKeys":["0x${'00'.repeat(32)}"]}]`;
    const shown = await sendOfType('0x1', '--legacy', '--access-list', list);
    assert.deepEqual(listed(shown.accessList), [probe.toLowerCase()]);
  },
  dynamicFee: () => sendOfType('0x2'),
  setCode: async () => {
    // Of another account: a pool takes few transactions of one that has code.
    const [{ address, private_key: authorityKey }] = JSON.parse(await run('wallet', 'new', '--json'));
    const authorization = await cast('wallet', 'sign-auth', probe, '--private-key', authorityKey);
    const receipt = await send(address, storeSignature, '1', '9', 'as an account', '--auth', authorization);
    assert.equal(receipt.type, '0x4');
    assert.equal((await json('tx', receipt.transactionHash)).authorizationList.length, 1);
    assert.equal(await cast('call', address, 'valueAt(uint256)(uint256)', '1'), '9');
  },
  nodeSigned: async () => {
    const receipt = await json('send', task.peer, '--value', '1', '--unlocked', ...from);
    assert.equal(receipt.status, '0x1');
  },
  nonces: async () => {
    const nonce = Number(await cast('nonce', task.address, '--block', 'pending'));
    const sends = Array.from({ length: parallelSends }, (_, index) =>
      send(task.peer, '--value', '1', '--gas-limit', '21000', '--nonce', `${nonce + index}`),
    );
    await Promise.all(sends);
    assert.equal(Number(await cast('nonce', task.address)), nonce + parallelSends);
    const byNode = Array.from({ length: parallelSends }, () =>
      cast('rpc', 'eth_sendTransaction', JSON.stringify({ from: task.address, to: task.peer, value: '0x1' })),
    );
    await Promise.all(byNode);
    await eventually(async () => Number(await cast('nonce', task.address)) === nonce + 2 * parallelSends);
  },
  fees: async () => {
    const baseFee = BigInt(await cast('base-fee'));
    assert.ok(BigInt(await cast('gas-price')) >= baseFee);
    assert.equal(await cast('estimate', task.peer, '--value', '1', ...from), '21000');
    const gas = await cast('estimate', probe, storeSignature, '5', '1', 'estimated', ...from);
    const { gasUsed } = await store(5, 1, 'estimated', '--gas-limit', gas);
    assert.ok(BigInt(gasUsed) <= BigInt(gas));
    const history = JSON.parse(await cast('rpc', 'eth_feeHistory', '0x4', 'latest', '[25,75]'));
    assert.equal(history.baseFeePerGas.length, history.gasUsedRatio.length + 1);
  },
  sendSync: async () => {
    const receipt = await send(task.peer, '--value', '1', '--sync');
    assert.equal(receipt.status, '0x1');
  },
  reverts: async () => {
    // cast shows the node's words and the data; decode-error makes sense of them.
    const decoded = async (signature, ...args) => {
      const message = await refusal(cast(...args));
      const data = /data: "(0x[0-9a-f]+)"/.exec(message)?.[1];
      assert.ok(data, message);
      return (await run('decode-error', data, '--sig', signature)).split('\n');
    };
    const text = ['"' + refusalText + '"'];
    for (const command of ['call', 'estimate'])
      assert.deepEqual(await decoded('Error(string)', command, probe, 'refuseWithText()'), text);
    assert.deepEqual(await decoded('Error(string)', 'send', probe, 'refuseWithText()', ...key), text);
    const custom = await decoded(
      'Refused(address,uint256,uint256)',
      'call',
      probe,
      'refuseWithError(uint256)',
      `${wanted}`,
      ...from,
    );
    assert.deepEqual(custom, [task.address, `${wanted}`, `${allowed}`]);
    const panic = await decoded('Panic(uint256)', 'call', probe, 'divide(uint256,uint256)', '1', '0');
    assert.deepEqual(panic, [`${divisionByZero}`]);
  },
  failedTransactions: async () => {
    const args = [probe, 'refuseWithError(uint256)', `${wanted}`, '--gas-limit', '100000', ...key];
    const hash = await cast('send', '--async', ...args);
    const receipt = await json('receipt', hash);
    assert.equal(receipt.status, '0x0');
    assert.deepEqual(receipt.logs, []);
  },
  typedErrors: async () => {
    assert.match(await refusal(cast('rpc', 'eth_getBalance', '0x12')), /-32602/);
    assert.match(await refusal(cast('rpc', 'eth_nothing')), /-32601/);
    const poor = ['--private-key', `0x${'5e'.repeat(32)}`];
    const attempt = cast('send', task.peer, '--value', '1', '--gas-limit', '21000', ...poor);
    assert.match(await refusal(attempt), /insufficient funds for gas \* price \+ value/i);
    assert.match(
      await refusal(cast('send', task.peer, '--nonce', '0', '--gas-limit', '21000', ...key)),
      /nonce too low/i,
    );
  },
  events: async () => {
    const { transactionHash, blockHash } = await store(4, 11, 'an event');
    const signature = 'Stored(address indexed,uint256 indexed,uint256,string)';
    const logs = (...topics) => json('logs', '--from-block', '0', '--address', probe, signature, ...topics);
    const [log] = await logs('', '4');
    assert.equal(log.transactionHash, transactionHash);
    assert.equal(log.blockHash, blockHash);
    assert.equal((await logs(task.address, '4')).length, 1);
    assert.deepEqual(await logs(task.peer, '4'), []);
  },
  watch: async () => {
    const filter = JSON.parse(await cast('rpc', 'eth_newFilter', JSON.stringify({ address: probe })));
    const { transactionHash } = await store(77, 5, 'watched');
    const changes = JSON.parse(await cast('rpc', 'eth_getFilterChanges', filter));
    assert.deepEqual(
      changes.map((log) => log.transactionHash),
      [transactionHash],
    );
    assert.equal(await cast('rpc', 'eth_uninstallFilter', filter), 'true');
  },
  webSocket: async () => {
    assert.ok(task.wsUrl, 'the network has no WebSocket endpoint');
    const overSocket = (...args) => run(...args, '--rpc-url', task.wsUrl);
    assert.equal(Number(await overSocket('chain-id')), chainId);
    const receipt = JSON.parse(await overSocket('send', task.peer, '--value', '1', '--json', ...key));
    assert.equal(receipt.status, '0x1');
  },
  batch: absent('it asks one thing at a time'),
  multicall: async () => {
    const call = async (signature, ...args) => `(${probe},true,${await run('calldata', signature, ...args)})`;
    const calls = [await call('valueAt(uint256)', '1'), await call('refuseWithText()')];
    const signature = 'aggregate3((address,bool,bytes)[])((bool,bytes)[])';
    const results = await cast('call', multicall3, signature, `[${calls.join(',')}]`);
    assert.match(results, /^\[\(true, 0x0{62}2a\), \(false, 0x08c379a0/);
  },
  create2: async () => {
    const salt = await run('keccak', task.address);
    const code = await initCode();
    await send(create2Deployer, '--data', `${salt}${code.slice(2)}`);
    const options = ['--deployer', create2Deployer, '--salt', salt, '--init-code', code];
    const [address] = /0x[0-9a-fA-F]{40}/.exec(await run('create2', ...options));
    assert.equal(await cast('call', address, 'allowed()(uint256)'), `${allowed}`);
  },
  pool: async () => {
    assert.ok(Number((await json('block', 'pending')).number) > 0);
    const nonce = Number(await cast('nonce', task.address, '--block', 'pending'));
    const options = [task.peer, '--gas-limit', '21000', ...key];
    const raw = await cast('mktx', ...options, '--nonce', `${nonce + 1}`);
    const hash = await cast('publish', '--async', raw);
    assert.equal(JSON.parse(await cast('rpc', 'eth_getTransactionByHash', hash)).blockNumber, null);
    assert.ok(Number((await json('tx-pool', 'status')).queued) >= 1);
    await send(...options.slice(0, 3), '--nonce', `${nonce}`);
    assert.equal((await json('receipt', hash)).status, '0x1');
  },
  proof: async () => {
    const proof = JSON.parse(await cast('proof', probe, '0'));
    assert.ok(proof.accountProof.length > 0);
    assert.equal(proof.storageProof.length, 1);
    assert.equal(await cast('storage-root', probe), proof.storageHash);
    assert.equal(await cast('codehash', probe), await run('keccak', await cast('code', probe)));
  },
  accessList: async () => {
    const { accessList } = await json('access-list', probe, storeSignature, '6', '1', 'listed', ...from);
    assert.ok(listed(accessList).includes(probe.toLowerCase()));
  },
  overrides: async () => {
    const stranger = '0x00000000000000000000000000000000000abcde';
    const call = (...options) => cast('call', task.peer, '--value', '2ether', '--from', stranger, ...options);
    assert.equal(await call('--override-balance', `${stranger}:3000000000000000000`), '0x');
    assert.match(await refusal(call()), /insufficient funds/i);
  },
  simulate: absent('it has no simulations'),
  trace: async () => {
    const { transactionHash } = await store(10, 1, 'traced');
    assert.match(await cast('run', transactionHash), /Transaction successfully executed/);
    const rpcTrace = await cast('rpc', 'debug_traceTransaction', transactionHash, '{"tracer":"callTracer"}');
    assert.equal(JSON.parse(rpcTrace).to.toLowerCase(), probe.toLowerCase());
    assert.match(await cast('call', '--trace', probe, 'valueAt(uint256)', '1'), /Gas used/);
  },
});
