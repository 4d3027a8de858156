/** web3.js 4 against a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import { Web3 } from 'web3';
import {
  allowed,
  chainId,
  create2Deployer,
  divisionByZero,
  multicall3,
  multicallAbi,
  parallelSends,
  refusalText,
  wanted,
} from './lib/expectations.mjs';
import { absent, eventually, readArtifacts, readTask, report } from './lib/report.mjs';

const task = readTask();
const { abi, bytecode } = readArtifacts(task).Probe;

/** One that holds the key and signs itself. */
const web3 = new Web3(task.rpcUrl);
web3.eth.accounts.wallet.add(task.privateKey);
/** One without keys: the node signs. */
const bare = new Web3(task.rpcUrl);
for (const { eth } of [web3, bare]) {
  eth.transactionPollingInterval = 50;
  eth.transactionReceiptPollingInterval = 50;
  // It gives up after so many blocks. Its own 50 are ten minutes of Ethereum, and seconds of a chain whose blocks come as work does.
  eth.transactionBlockTimeout = 10_000;
}
const from = task.address;
const { eth } = web3;
const zeroHash = `0x${'00'.repeat(32)}`;

/** The probe of this run, once it is deployed. */
let probe;
let probeAddress;

async function sendOfType(type, fields = {}) {
  const before = await eth.getBalance(task.peer);
  const receipt = await eth.sendTransaction({ type, from, to: task.peer, value: 1000n, ...fields });
  assert.deepEqual([receipt.type, receipt.status], [BigInt(type), 1n]);
  const shown = await eth.getTransaction(receipt.transactionHash);
  assert.equal(shown.type, BigInt(type));
  assert.equal(shown.from, from.toLowerCase());
  assert.equal(shown.blockNumber, receipt.blockNumber);
  assert.ok((await eth.getBalance(task.peer)) >= before + 1000n);
  return shown;
}

const store = (key, value, note) => probe.methods.store(key, value, note);

async function refusal(attempt) {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  return assert.fail('the call was not refused');
}

/** Error data of a refused call, wherever this version has put it. */
const dataOf = (error) => error.data ?? error.innerError?.data ?? error.cause?.data;

async function watched(client) {
  const contract = new client.eth.Contract(abi, probeAddress);
  const subscription = contract.events.Stored({ filter: { key: 77n } });
  const heads = await client.eth.subscribe('newHeads');
  try {
    const seen = [];
    const numbers = [];
    subscription.on('data', (event) => seen.push(event));
    heads.on('data', ({ number }) => numbers.push(BigInt(number)));
    await eventually(() => numbers.length > 0);
    const { transactionHash, blockNumber } = await store(77n, 5n, 'watched').send({ from });
    const event = await eventually(() => seen.find((entry) => entry.transactionHash === transactionHash));
    assert.equal(event.returnValues.note, 'watched');
    await eventually(() => numbers.includes(blockNumber));
  } finally {
    await heads.unsubscribe();
    await subscription.unsubscribe();
  }
}

await report({
  connect: async () => {
    assert.equal(await eth.getChainId(), BigInt(chainId));
    assert.equal(await eth.net.getId(), BigInt(chainId));
    const block = await eth.getBlock('latest', true);
    assert.ok((await eth.getBlockNumber()) >= block.number);
    assert.equal((await eth.getBlock(block.hash)).number, block.number);
    assert.ok((await eth.getBalance(from)) > 10n ** 18n);
    await assert.rejects(eth.getTransactionReceipt(zeroHash), /not found/i);
  },
  addresses: async () => {
    for (const address of [from, from.toLowerCase()]) assert.ok((await eth.getBalance(address)) > 0n);
    await assert.rejects(eth.ens.getAddress('prime.eth'));
  },
  deploy: async () => {
    const contract = new eth.Contract(abi);
    probe = await contract.deploy({ data: bytecode, arguments: [allowed] }).send({ from, value: '5' });
    probeAddress = probe.options.address;
    assert.ok((await eth.getCode(probeAddress)).length > 100);
    assert.equal(await eth.getBalance(probeAddress), 5n);
  },
  write: async () => {
    const receipt = await store(1n, 42n, 'first').send({ from, value: '3' });
    assert.equal(receipt.status, 1n);
    assert.equal(receipt.events.Stored.returnValues.note, 'first');
    assert.equal(receipt.to, probeAddress.toLowerCase());
    assert.ok(receipt.gasUsed > 21_000n && receipt.effectiveGasPrice > 0n);
  },
  read: async () => {
    const { value, note, writers } = await probe.methods.read(1n).call();
    assert.deepEqual([value, note, writers], [42n, 'first', [from]]);
    assert.equal(await probe.methods.allowed().call(), allowed);
    assert.ok(await eth.getStorageAt(probeAddress, 0));
  },
  legacy: async () => {
    const shown = await sendOfType(0, { gasPrice: await eth.getGasPrice() });
    assert.ok(shown.gasPrice > 0n);
  },
  accessListTransaction: async () => {
    const accessList = [{ address: probeAddress.toLowerCase(), storageKeys: [zeroHash] }];
    const shown = await sendOfType(1, { gas: 50_000n, gasPrice: await eth.getGasPrice(), accessList });
    assert.deepEqual(shown.accessList, accessList);
  },
  dynamicFee: () => sendOfType(2),
  setCode: absent('it can not sign authorizations'),
  nodeSigned: async () => {
    assert.ok((await bare.eth.getAccounts()).includes(from));
    const receipt = await bare.eth.sendTransaction({ from, to: task.peer, value: 1n });
    assert.equal(receipt.status, 1n);
    const written = await new bare.eth.Contract(abi, probeAddress).methods.store(2n, 1n, '').send({ from });
    assert.equal(written.status, 1n);
  },
  history: async () => {
    const { blockNumber } = await store(3n, 100n, 'before').send({ from });
    await store(3n, 200n, 'after').send({ from });
    const at = (block) => probe.methods.valueAt(3n).call({ from }, block);
    assert.deepEqual([await at(blockNumber), await at(blockNumber - 1n), await at('latest')], [100n, 0n, 200n]);
    assert.equal(await eth.getCode(probeAddress, 0), '0x');
  },
  events: async () => {
    const { transactionHash, blockHash } = await store(4n, 11n, 'an event').send({ from });
    const past = (filter) => probe.getPastEvents('Stored', { filter, fromBlock: 0 });
    const [event] = await past({ key: 4n });
    assert.equal(event.transactionHash, transactionHash);
    assert.deepEqual([event.returnValues.sender, event.returnValues.value], [from, 11n]);
    assert.deepEqual(await past({ key: 4n, sender: task.peer }), []);
    assert.deepEqual(
      (await past({ key: [1n, 4n] })).map(({ returnValues }) => returnValues.key),
      [1n, 4n],
    );
    const inBlock = await eth.getPastLogs({ blockHash, address: probeAddress });
    assert.ok(inBlock.some((log) => log.transactionHash === transactionHash));
  },
  watch: async () => {
    const block = await eth.createNewBlockFilter();
    const fromBlock = (await eth.getBlockNumber()) + 1n;
    const stored = await eth.createNewFilter({ address: probeAddress, fromBlock });
    const { transactionHash, blockHash } = await store(78n, 5n, 'polled').send({ from });
    const id = (filter) => web3.utils.numberToHex(filter);
    await eventually(async () => (await eth.getFilterChanges(id(block))).includes(blockHash));
    const changes = await eventually(async () => {
      const logs = await eth.getFilterChanges(id(stored));
      return logs.length > 0 && logs;
    });
    assert.equal(changes[0].transactionHash, transactionHash);
    assert.equal((await eth.getFilterLogs(id(stored))).at(-1).transactionHash, transactionHash);
    assert.equal(await eth.uninstallFilter(id(stored)), true);
    assert.equal(await eth.uninstallFilter(id(stored)), false);
  },
  webSocket: async () => {
    assert.ok(task.wsUrl, 'the network has no WebSocket endpoint');
    const provider = new Web3.providers.WebsocketProvider(task.wsUrl, {}, { autoReconnect: false });
    const socket = new Web3(provider);
    try {
      assert.equal(await socket.eth.getChainId(), BigInt(chainId));
      await watched(socket);
    } finally {
      provider.disconnect();
    }
  },
  reverts: async () => {
    const text = await refusal(probe.methods.refuseWithText().call());
    assert.match(`${text.message} ${text.innerError?.message} ${text.cause?.message}`, /execution reverted/i);
    assert.equal(dataOf(text).slice(0, 10), web3.utils.keccak256('Error(string)').slice(0, 10));
    const custom = await refusal(probe.methods.refuseWithError(wanted).call({ from }));
    const { errorName, errorArgs } = custom.cause ?? custom.innerError;
    assert.equal(errorName, 'Refused');
    assert.deepEqual([errorArgs.caller, errorArgs.wanted, errorArgs.allowed], [from, wanted, allowed]);
    const panic = dataOf(await refusal(probe.methods.divide(1n, 0n).call()));
    assert.equal(web3.utils.hexToNumber(`0x${panic.slice(10)}`), Number(divisionByZero));
    const sent = await refusal(probe.methods.refuseWithText().send({ from }));
    assert.equal(sent.cause.errorArgs.message, refusalText);
    await refusal(probe.methods.refuseWithError(wanted).estimateGas({ from }));
  },
  failedTransactions: async () => {
    const data = probe.methods.refuseWithError(wanted).encodeABI();
    const options = { checkRevertBeforeSending: false };
    const request = { from, to: probeAddress, data, gas: 100_000n };
    const { receipt } = await refusal(eth.sendTransaction(request, undefined, options));
    assert.equal(receipt.status, 0n);
    assert.deepEqual(receipt.logs, []);
  },
  fees: async () => {
    const { baseFeePerGas } = await eth.getBlock();
    assert.ok((await eth.getGasPrice()) >= baseFeePerGas);
    const fees = await eth.calculateFeeData();
    assert.ok(fees.maxFeePerGas >= baseFeePerGas && fees.maxPriorityFeePerGas >= 0n);
    const history = await eth.getFeeHistory(4, 'latest', [25, 75]);
    assert.equal(history.baseFeePerGas.length, history.gasUsedRatio.length + 1);
    assert.equal(await eth.estimateGas({ from, to: task.peer, value: 1n }), 21_000n);
    const gas = await store(5n, 1n, 'estimated').estimateGas({ from });
    const { gasUsed } = await store(5n, 1n, 'estimated').send({ from, gas: gas.toString() });
    assert.ok(gasUsed <= gas);
  },
  nonces: async () => {
    const first = await eth.getTransactionCount(from, 'pending');
    const own = Array.from({ length: parallelSends }, (_, index) =>
      eth.sendTransaction({ from, to: task.peer, value: 1n, gas: 21_000n, nonce: first + BigInt(index) }),
    );
    for (const { status } of await Promise.all(own)) assert.equal(status, 1n);
    const byNode = Array.from({ length: parallelSends }, () =>
      bare.eth.sendTransaction({ from, to: task.peer, value: 1n }),
    );
    for (const { status } of await Promise.all(byNode)) assert.equal(status, 1n);
    assert.equal(await eth.getTransactionCount(from), first + BigInt(2 * parallelSends));
  },
  batch: async () => {
    const batch = new web3.BatchRequest();
    const asked = [
      batch.add({ jsonrpc: '2.0', id: 'a', method: 'eth_chainId', params: [] }),
      batch.add({ jsonrpc: '2.0', id: 'b', method: 'eth_getBalance', params: [from, 'latest'] }),
    ];
    await batch.execute();
    const [id, balance] = await Promise.all(asked);
    assert.equal(Number(id), chainId);
    assert.ok(BigInt(balance) > 0n);
  },
  multicall: async () => {
    const call = (method) => ({ target: probeAddress, allowFailure: true, callData: method.encodeABI() });
    const { valueAt, allowed: limit, refuseWithText } = probe.methods;
    const results = await new eth.Contract(multicallAbi, multicall3).methods
      .aggregate3([call(valueAt(1n)), call(limit()), call(refuseWithText())])
      .call();
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, true, false],
    );
    assert.equal(BigInt(results[0].returnData), 42n);
  },
  create2: async () => {
    const salt = web3.utils.keccak256(from);
    const initCode = new eth.Contract(abi).deploy({ data: bytecode, arguments: [allowed] }).encodeABI();
    const hash = web3.utils.keccak256(
      `0xff${create2Deployer.slice(2)}${salt.slice(2)}${web3.utils.keccak256(initCode).slice(2)}`,
    );
    await eth.sendTransaction({ from, to: create2Deployer, data: `${salt}${initCode.slice(2)}` });
    const address = web3.utils.toChecksumAddress(`0x${hash.slice(-40)}`);
    assert.equal(await new eth.Contract(abi, address).methods.allowed().call(), allowed);
  },
  pool: async () => {
    const pending = await eth.getBlock('pending');
    assert.ok(pending.number > 0n);
    const nonce = await eth.getTransactionCount(from, 'pending');
    const later = eth.sendTransaction({ from, to: task.peer, nonce: nonce + 1n, gas: 21_000n });
    const hash = await new Promise((resolve) => void later.once('transactionHash', resolve));
    assert.equal((await eth.getTransaction(hash)).blockNumber, undefined);
    await eth.sendTransaction({ from, to: task.peer, nonce, gas: 21_000n });
    assert.equal((await later).status, 1n);
  },
  proof: async () => {
    const proof = await eth.getProof(probeAddress, [zeroHash], 'latest');
    assert.ok(proof.accountProof.length > 0);
    assert.equal(proof.storageProof.length, 1);
  },
  accessList: async () => {
    const { accessList, gasUsed } = await store(6n, 1n, 'listed').createAccessList({ from });
    assert.ok(accessList.some(({ address }) => address.toLowerCase() === probeAddress.toLowerCase()));
    assert.ok(BigInt(gasUsed) > 21_000n);
  },
  overrides: absent('no call takes overrides'),
  simulate: absent('it has no simulations'),
  trace: absent('it has no traces'),
  typedErrors: async () => {
    const request = (method, params) => web3.currentProvider.request({ jsonrpc: '2.0', id: 'x', method, params });
    const codeOf = async (method, params) => {
      const error = await refusal(request(method, params).then((answer) => Promise.reject(answer)));
      return (error.error ?? error.cause ?? error).code;
    };
    assert.equal(await codeOf('eth_getBalance', ['0x12']), -32602);
    assert.equal(await codeOf('eth_nothing', []), -32601);
    const poor = web3.eth.accounts.wallet.add(web3.eth.accounts.create())[1];
    const error = await refusal(eth.sendTransaction({ from: poor.address, to: task.peer, value: 1n, gas: 21_000n }));
    assert.match(error.reason, /insufficient funds for gas \* price \+ value/);
  },
  sendSync: absent('it waits for receipts by polling'),
});
