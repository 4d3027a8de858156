/** ethers 6 against a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import {
  AbiCoder,
  Contract,
  ContractFactory,
  getCreate2Address,
  id,
  isCallException,
  JsonRpcProvider,
  keccak256,
  Network,
  NonceManager,
  parseEther,
  Wallet,
  WebSocketProvider,
  ZeroHash,
} from 'ethers';
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
const provider = new JsonRpcProvider(task.rpcUrl, undefined, { pollingInterval: 50, cacheTimeout: -1 });
const wallet = new Wallet(task.privateKey, provider);

/** The probe of this run, once it is deployed. */
let probe;
let probeAddress;
const mined = async (response) => {
  const receipt = await (await response).wait();
  assert.equal(receipt.status, 1);
  return receipt;
};

async function sendOfType(type, fields = {}) {
  const before = await provider.getBalance(task.peer);
  const receipt = await mined(wallet.sendTransaction({ type, to: task.peer, value: 1000n, ...fields }));
  assert.equal(receipt.type, type);
  const shown = await provider.getTransaction(receipt.hash);
  assert.equal(shown.type, type);
  assert.equal(shown.from, wallet.address);
  assert.equal(shown.blockNumber, receipt.blockNumber);
  assert.equal(shown.signature.serialized.length, 132);
  assert.ok((await provider.getBalance(task.peer)) >= before + 1000n);
  return shown;
}

async function refusal(attempt) {
  try {
    await attempt;
  } catch (error) {
    assert.ok(isCallException(error), `no call exception: ${error.stack}`);
    return error;
  }
  return assert.fail('the call was not refused');
}

/** Waits for what listeners report while something is written. */
async function watched(watcher) {
  const seen = [];
  const blocks = [];
  const listening = probe.connect(watcher);
  await listening.on('Stored', (...args) => seen.push(args));
  await watcher.on('block', (number) => blocks.push(number));
  try {
    await eventually(() => blocks.length > 0);
    const receipt = await mined(probe.store(77n, 5n, 'watched'));
    const found = await eventually(() => seen.find((args) => args.at(-1).log.transactionHash === receipt.hash));
    assert.deepEqual(found.slice(0, 4), [wallet.address, 77n, 5n, 'watched']);
    await eventually(() => blocks.includes(receipt.blockNumber));
  } finally {
    await listening.removeAllListeners();
    await watcher.removeAllListeners();
  }
}

await report({
  connect: async () => {
    assert.equal((await provider.getNetwork()).chainId, BigInt(chainId));
    const block = await provider.getBlock('latest', true);
    assert.ok((await provider.getBlockNumber()) >= block.number);
    assert.equal((await provider.getBlock(block.hash)).number, block.number);
    assert.ok((await provider.getBalance(wallet.address)) > parseEther('1'));
    assert.equal(await provider.getBlock(10 ** 9), null);
    assert.equal(await provider.getTransaction(ZeroHash), null);
    assert.equal(await provider.getTransactionReceipt(ZeroHash), null);
  },
  deploy: async () => {
    probe = await new ContractFactory(abi, bytecode, wallet).deploy(allowed, { value: 5n });
    await probe.waitForDeployment();
    probeAddress = await probe.getAddress();
    assert.ok((await probe.getDeployedCode()).length > 100);
    assert.equal(await provider.getBalance(probeAddress), 5n);
  },
  write: async () => {
    const receipt = await mined(probe.store(1n, 42n, 'first', { value: 3n }));
    assert.equal(receipt.logs.length, 1);
    assert.deepEqual([receipt.from, receipt.to], [wallet.address, probeAddress]);
    assert.ok(receipt.gasUsed > 21_000n && receipt.gasPrice > 0n && receipt.fee > 0n);
  },
  read: async () => {
    const { value, note, writers } = await probe.read(1n);
    assert.deepEqual([value, note, [...writers]], [42n, 'first', [wallet.address]]);
    assert.equal(await probe.allowed(), allowed);
    assert.ok(await provider.getStorage(probeAddress, 0));
  },
  addresses: async () => {
    for (const address of [wallet.address, wallet.address.toLowerCase()])
      assert.ok((await provider.getBalance(address)) > 0n);
    assert.equal(await new Contract(probeAddress.toLowerCase(), abi, provider).allowed(), allowed);
    await assert.rejects(provider.resolveName('prime.eth'), /ENS|UNSUPPORTED_OPERATION/);
  },
  legacy: async () => {
    const shown = await sendOfType(0);
    assert.ok(shown.gasPrice > 0n);
    assert.equal(shown.chainId, BigInt(chainId));
  },
  accessListTransaction: async () => {
    const accessList = [{ address: probeAddress, storageKeys: [ZeroHash] }];
    assert.deepEqual((await sendOfType(1, { accessList })).accessList, accessList);
  },
  dynamicFee: () => sendOfType(2),
  setCode: async () => {
    // Of another account: a pool takes few transactions of one that has code.
    const authority = Wallet.createRandom(provider);
    const authorization = await authority.authorize({ address: probeAddress, nonce: 0 });
    const data = probe.interface.encodeFunctionData('store', [1n, 9n, 'as an account']);
    const request = { type: 4, to: authority.address, data, authorizationList: [authorization] };
    const receipt = await mined(wallet.sendTransaction(request));
    assert.equal(receipt.type, 4);
    assert.equal((await provider.getTransaction(receipt.hash)).authorizationList.length, 1);
    assert.equal(await new Contract(authority.address, abi, provider).getFunction('valueAt')(1n), 9n);
  },
  nodeSigned: async () => {
    const signer = await provider.getSigner(task.address);
    await mined(signer.sendTransaction({ to: task.peer, value: 1n }));
    await mined(probe.connect(signer).store(2n, 1n, ''));
  },
  history: async () => {
    const valueOf = probe.getFunction('valueAt');
    const { blockNumber } = await mined(probe.store(3n, 100n, 'before'));
    await mined(probe.store(3n, 200n, 'after'));
    assert.equal(await valueOf(3n, { blockTag: blockNumber }), 100n);
    assert.equal(await valueOf(3n, { blockTag: blockNumber - 1 }), 0n);
    assert.equal(await valueOf(3n), 200n);
    assert.equal(await provider.getCode(probeAddress, 0), '0x');
  },
  events: async () => {
    const receipt = await mined(probe.store(4n, 11n, 'an event'));
    const [log] = await probe.queryFilter(probe.filters.Stored(null, 4n), 0);
    assert.equal(log.transactionHash, receipt.hash);
    assert.deepEqual([...log.args], [wallet.address, 4n, 11n, 'an event']);
    assert.deepEqual(await probe.queryFilter(probe.filters.Stored(task.peer, 4n), 0), []);
    const either = await probe.queryFilter(probe.filters.Stored(null, [1n, 4n]), 0);
    assert.deepEqual(
      either.map(({ args }) => args.key),
      [1n, 4n],
    );
    const inBlock = await provider.getLogs({
      blockHash: receipt.blockHash,
      topics: [id('Stored(address,uint256,uint256,string)')],
    });
    assert.ok(inBlock.some(({ transactionHash }) => transactionHash === receipt.hash));
  },
  watch: () => watched(provider),
  webSocket: async () => {
    assert.ok(task.wsUrl, 'the network has no WebSocket endpoint');
    const socket = new WebSocketProvider(task.wsUrl);
    // Without a listener a refused connection ends the process.
    const refused = new Promise((_, reject) => {
      socket.websocket.onerror = ({ message }) => reject(new Error(message));
    });
    try {
      assert.equal((await Promise.race([socket.getNetwork(), refused])).chainId, BigInt(chainId));
      await watched(socket);
      // The requests that end its subscriptions are on their way; destroying it before their answers is an error to it.
      await socket.getBlockNumber();
    } finally {
      await socket.destroy();
    }
  },
  reverts: async () => {
    assert.equal((await refusal(probe.refuseWithText())).reason, refusalText);
    const { revert } = await refusal(probe.refuseWithError(wanted));
    assert.equal(revert.name, 'Refused');
    assert.deepEqual([...revert.args], [wallet.address, wanted, allowed]);
    const panic = await refusal(probe.divide(1n, 0n));
    assert.deepEqual([panic.revert.name, BigInt(panic.revert.args[0])], ['Panic', divisionByZero]);
    assert.equal((await refusal(probe.refuseWithText.send())).reason, refusalText);
    assert.equal((await refusal(probe.refuseWithError.estimateGas(wanted))).revert?.name ?? 'Refused', 'Refused');
  },
  failedTransactions: async () => {
    const data = probe.interface.encodeFunctionData('refuseWithError', [wanted]);
    const response = await wallet.sendTransaction({ to: probeAddress, data, gasLimit: 100_000n });
    const { receipt } = await refusal(response.wait());
    assert.equal(receipt.status, 0);
    assert.deepEqual(receipt.logs, []);
  },
  fees: async () => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
    const { baseFeePerGas } = await provider.getBlock('latest');
    assert.ok(gasPrice >= baseFeePerGas && maxFeePerGas >= baseFeePerGas && maxPriorityFeePerGas >= 0n);
    assert.equal(await provider.estimateGas({ from: wallet.address, to: task.peer, value: 1n }), 21_000n);
    const gasLimit = await probe.store.estimateGas(5n, 1n, 'estimated');
    assert.ok((await mined(probe.store(5n, 1n, 'estimated', { gasLimit }))).gasUsed <= gasLimit);
  },
  nonces: async () => {
    const first = await provider.getTransactionCount(wallet.address, 'pending');
    const manager = new NonceManager(wallet);
    const sends = () => manager.sendTransaction({ to: task.peer, value: 1n, gasLimit: 21_000n });
    await Promise.all(Array.from({ length: parallelSends }, () => mined(sends())));
    const signer = await provider.getSigner(task.address);
    const byNode = () => signer.sendTransaction({ to: task.peer, value: 1n });
    await Promise.all(Array.from({ length: parallelSends }, () => mined(byNode())));
    assert.equal(await provider.getTransactionCount(wallet.address), first + 2 * parallelSends);
    await assert.rejects(wallet.sendTransaction({ to: task.peer, nonce: first }), { code: 'NONCE_EXPIRED' });
  },
  batch: async () => {
    // Without a cache, what is asked in one turn goes into one request.
    const batching = new JsonRpcProvider(task.rpcUrl, Network.from(chainId), {
      staticNetwork: true,
      batchStallTime: 10,
    });
    const sizes = [];
    await batching.on(
      'debug',
      (event) => event.action === 'sendRpcPayload' && sizes.push([event.payload].flat().length),
    );
    const [head, balance, refused] = await Promise.allSettled([
      batching.getBlockNumber(),
      batching.getBalance(wallet.address),
      probe.connect(batching).divide(1n, 0n),
    ]);
    assert.ok(head.value > 0 && balance.value > 0n);
    assert.equal(refused.reason.revert.name, 'Panic');
    assert.deepEqual(sizes, [3]);
    batching.destroy();
  },
  multicall: async () => {
    const call = (name, args = []) => ({
      target: probeAddress,
      allowFailure: true,
      callData: probe.interface.encodeFunctionData(name, args),
    });
    const calls = [call('valueAt', [1n]), call('allowed'), call('refuseWithText')];
    const results = await new Contract(multicall3, multicallAbi, provider).aggregate3.staticCall(calls);
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, true, false],
    );
    assert.equal(BigInt(results[0].returnData), 42n);
    assert.equal(probe.interface.parseError(results[2].returnData).args[0], refusalText);
  },
  create2: async () => {
    const salt = keccak256(wallet.address);
    const initCode = `${bytecode}${AbiCoder.defaultAbiCoder().encode(['uint256'], [allowed]).slice(2)}`;
    await mined(wallet.sendTransaction({ to: create2Deployer, data: `${salt}${initCode.slice(2)}` }));
    const address = getCreate2Address(create2Deployer, salt, keccak256(initCode));
    assert.equal(await new Contract(address, abi, provider).allowed(), allowed);
  },
  proof: async () => {
    const proof = await provider.send('eth_getProof', [probeAddress, [ZeroHash], 'latest']);
    assert.ok(proof.accountProof.length > 0);
  },
  accessList: async () => {
    const data = probe.interface.encodeFunctionData('store', [6n, 1n, 'listed']);
    const { accessList } = await provider.send('eth_createAccessList', [
      { from: wallet.address, to: probeAddress, data },
    ]);
    assert.ok(accessList.some(({ address }) => address.toLowerCase() === probeAddress.toLowerCase()));
  },
  overrides: absent('no call takes overrides'),
  simulate: absent('it has no simulations'),
  trace: async () => {
    const { hash } = await mined(probe.store(10n, 1n, 'traced'));
    const trace = await provider.send('debug_traceTransaction', [hash, { tracer: 'callTracer' }]);
    assert.equal(trace.to.toLowerCase(), probeAddress.toLowerCase());
  },
  pool: async () => {
    const pending = await provider.getBlock('pending');
    assert.ok(pending.number > 0);
    const nonce = await provider.getTransactionCount(wallet.address, 'pending');
    const later = await wallet.sendTransaction({ to: task.peer, nonce: nonce + 1, gasLimit: 21_000n });
    assert.equal((await provider.getTransaction(later.hash)).blockNumber, null);
    await mined(wallet.sendTransaction({ to: task.peer, nonce, gasLimit: 21_000n }));
    await mined(later);
  },
  typedErrors: async () => {
    await assert.rejects(provider.send('eth_getBalance', ['0x12']), (error) => error.error.code === -32602);
    await assert.rejects(
      provider.send('eth_nothing', []),
      (error) => (error.error ?? error).code === -32601 || error.code === 'UNSUPPORTED_OPERATION',
    );
    const poor = Wallet.createRandom().connect(provider);
    await assert.rejects(poor.sendTransaction({ to: task.peer, value: 1n, gasLimit: 21_000n }), {
      code: 'INSUFFICIENT_FUNDS',
    });
  },
  sendSync: absent('it waits for receipts by polling'),
});
provider.destroy();
