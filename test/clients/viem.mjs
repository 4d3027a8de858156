/** viem against a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import {
  BaseError,
  concat,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  getContract,
  getContractAddress,
  http,
  keccak256,
  numberToHex,
  parseEther,
  webSocket,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
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
import { eventually, readArtifacts, readTask, report } from './lib/report.mjs';

const task = readTask();
const { abi, bytecode } = readArtifacts(task).Probe;
const account = privateKeyToAccount(task.privateKey);
const chain = defineChain({
  id: chainId,
  name: 'Prime',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [task.rpcUrl] } },
  contracts: { multicall3: { address: multicall3 } },
});
const options = { chain, pollingInterval: 50, cacheTime: 0 };
const reader = createPublicClient({ ...options, transport: http() });
const wallet = createWalletClient({ ...options, account, transport: http() });
const nodeWallet = createWalletClient({ ...options, account: account.address, transport: http() });

/** The probe of this run, once it is deployed. */
let probe;
const sent = async (hash) => {
  const receipt = await reader.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
  return receipt;
};

async function sendOfType(type, fields = {}) {
  const value = 1000n;
  const before = await reader.getBalance({ address: task.peer });
  const receipt = await sent(await wallet.sendTransaction({ type, to: task.peer, value, ...fields }));
  assert.equal(receipt.type, type);
  const shown = await reader.getTransaction({ hash: receipt.transactionHash });
  assert.equal(shown.type, type);
  assert.equal(shown.from, account.address.toLowerCase());
  assert.equal(shown.blockNumber, receipt.blockNumber);
  if (fields.accessList === undefined) assert.ok((await reader.getBalance({ address: task.peer })) >= before + value);
  return shown;
}

const accessList = () => [{ address: probe.address, storageKeys: [numberToHex(0, { size: 32 })] }];

async function refusal(functionName, args = []) {
  try {
    await reader.simulateContract({ address: probe.address, abi, functionName, args, account });
  } catch (error) {
    const reverted =
      error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError);
    assert.ok(reverted, `not seen as a revert: ${error.message}`);
    return reverted;
  }
  return assert.fail(`${functionName} was not refused`);
}

/** Waits for what a watcher reports while something is written. */
async function watched(client) {
  const seen = [];
  const hashes = [];
  const failures = [];
  const onError = (error) => failures.push(error);
  const stops = [
    client.watchContractEvent({
      address: probe.address,
      abi,
      eventName: 'Stored',
      onLogs: (l) => seen.push(...l),
      onError,
    }),
    // Blocks come faster than it polls.
    client.watchBlocks({ onBlock: (block) => hashes.push(block.hash), emitMissed: true, onError }),
  ];
  try {
    await eventually(() => hashes.length > 0 || failures.length > 0);
    const { transactionHash, blockHash } = await sent(await probe.write.store([77n, 5n, 'watched']));
    await eventually(
      () =>
        failures.length > 0 || (seen.some((l) => l.transactionHash === transactionHash) && hashes.includes(blockHash)),
    );
    assert.deepEqual(failures, []);
    assert.equal(seen.find((l) => l.transactionHash === transactionHash).args.note, 'watched');
  } finally {
    for (const stop of stops) stop();
  }
}

await report({
  connect: async () => {
    assert.equal(await reader.getChainId(), chainId);
    const block = await reader.getBlock({ includeTransactions: true });
    assert.ok((await reader.getBlockNumber()) >= block.number);
    assert.equal((await reader.getBlock({ blockHash: block.hash })).number, block.number);
    assert.ok((await reader.getBalance({ address: account.address })) > parseEther('1'));
    await assert.rejects(reader.getBlock({ blockNumber: 10n ** 9n }), /could not be found/);
  },
  deploy: async () => {
    const hash = await wallet.deployContract({ abi, bytecode, args: [allowed], value: 5n });
    const { contractAddress } = await sent(hash);
    probe = getContract({ address: contractAddress, abi, client: { public: reader, wallet } });
    assert.ok((await reader.getCode({ address: contractAddress })).length > 100);
    assert.equal(await reader.getBalance({ address: contractAddress }), 5n);
  },
  write: async () => {
    const { logs, from, to, gasUsed, effectiveGasPrice } = await sent(
      await probe.write.store([1n, 42n, 'first'], { value: 3n }),
    );
    assert.equal(logs.length, 1);
    assert.equal(from, account.address.toLowerCase());
    assert.equal(to, probe.address.toLowerCase());
    assert.ok(gasUsed > 21_000n && effectiveGasPrice > 0n);
  },
  read: async () => {
    const entry = await probe.read.read([1n]);
    assert.deepEqual(entry, { value: 42n, note: 'first', writers: [account.address] });
    assert.equal(await probe.read.allowed(), allowed);
    assert.ok(await reader.getStorageAt({ address: probe.address, slot: '0x0' }));
  },
  addresses: async () => {
    for (const address of [account.address, account.address.toLowerCase()])
      assert.ok((await reader.getBalance({ address })) > 0n);
    const byLowerCase = getContract({ address: probe.address.toLowerCase(), abi, client: reader });
    assert.equal(await byLowerCase.read.allowed(), allowed);
    await assert.rejects(
      reader.getEnsAddress({ name: 'prime.eth' }),
      /does not support contract "ensUniversalResolver"/,
    );
  },
  legacy: async () => {
    const shown = await sendOfType('legacy');
    assert.ok(shown.gasPrice > 0n);
    assert.equal(shown.chainId, chainId);
  },
  accessListTransaction: async () => {
    const shown = await sendOfType('eip2930', { accessList: accessList() });
    assert.deepEqual(
      shown.accessList,
      accessList().map((entry) => ({ ...entry, address: entry.address.toLowerCase() })),
    );
  },
  dynamicFee: () => sendOfType('eip1559'),
  setCode: async () => {
    // Of another account: a pool takes few transactions of one that has code.
    const authority = privateKeyToAccount(generatePrivateKey());
    const authorization = await wallet.signAuthorization({ account: authority, contractAddress: probe.address });
    const data = encodeFunctionData({ abi, functionName: 'store', args: [1n, 9n, 'as an account'] });
    const hash = await wallet.sendTransaction({ to: authority.address, data, authorizationList: [authorization] });
    const receipt = await sent(hash);
    assert.equal(receipt.type, 'eip7702');
    const shown = await reader.getTransaction({ hash });
    assert.equal(shown.authorizationList.length, 1);
    assert.equal(
      (await reader.getDelegation({ address: authority.address })).toLowerCase(),
      probe.address.toLowerCase(),
    );
    const own = getContract({ address: authority.address, abi, client: reader });
    assert.equal(await own.read.valueAt([1n]), 9n);
  },
  nodeSigned: async () => {
    assert.ok((await nodeWallet.getAddresses()).includes(account.address));
    await sent(await nodeWallet.sendTransaction({ to: task.peer, value: 1n }));
    await sent(
      await nodeWallet.writeContract({ address: probe.address, abi, functionName: 'store', args: [2n, 1n, ''] }),
    );
  },
  history: async () => {
    const { blockNumber } = await sent(await probe.write.store([3n, 100n, 'before']));
    await sent(await probe.write.store([3n, 200n, 'after']));
    assert.equal(await probe.read.valueAt([3n], { blockNumber }), 100n);
    assert.equal(await probe.read.valueAt([3n], { blockNumber: blockNumber - 1n }), 0n);
    assert.equal(await probe.read.valueAt([3n]), 200n);
    assert.equal(await reader.getCode({ address: probe.address, blockNumber: 0n }), undefined);
  },
  events: async () => {
    const { blockNumber, transactionHash } = await sent(await probe.write.store([4n, 11n, 'an event']));
    const [log] = await probe.getEvents.Stored({ key: 4n }, { fromBlock: 0n });
    assert.equal(log.transactionHash, transactionHash);
    assert.deepEqual(log.args, { sender: account.address, key: 4n, value: 11n, note: 'an event' });
    const none = await probe.getEvents.Stored({ key: 4n, sender: task.peer }, { fromBlock: 0n });
    assert.deepEqual(none, []);
    const either = await probe.getEvents.Stored({ key: [1n, 4n] }, { fromBlock: 0n });
    assert.deepEqual(
      either.map(({ args }) => args.key),
      [1n, 4n],
    );
    const { hash } = await reader.getBlock({ blockNumber });
    assert.ok((await reader.getLogs({ blockHash: hash })).some((entry) => entry.transactionHash === transactionHash));
  },
  watch: () => watched(reader),
  webSocket: async () => {
    assert.ok(task.wsUrl, 'the network has no WebSocket endpoint');
    const client = createPublicClient({ chain, transport: webSocket(task.wsUrl) });
    assert.equal(await client.getChainId(), chainId);
    await watched(client);
    (await client.transport.getRpcClient()).close();
  },
  reverts: async () => {
    assert.equal((await refusal('refuseWithText')).reason, refusalText);
    const { data } = await refusal('refuseWithError', [wanted]);
    assert.equal(data.errorName, 'Refused');
    assert.deepEqual(data.args, [account.address, wanted, allowed]);
    const panic = await refusal('divide', [1n, 0n]);
    assert.equal(panic.data.errorName, 'Panic');
    assert.deepEqual(panic.data.args, [divisionByZero]);
    await assert.rejects(probe.write.refuseWithText(), new RegExp(refusalText));
    await assert.rejects(probe.estimateGas.refuseWithError([wanted], { account }), /Refused/);
  },
  failedTransactions: async () => {
    const hash = await probe.write.refuseWithError([wanted], { gas: 100_000n });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    assert.equal(receipt.status, 'reverted');
    assert.deepEqual(receipt.logs, []);
  },
  fees: async () => {
    const block = await reader.getBlock();
    const dynamic = await reader.estimateFeesPerGas();
    assert.ok(dynamic.maxFeePerGas >= block.baseFeePerGas && dynamic.maxPriorityFeePerGas >= 0n);
    assert.ok((await reader.estimateFeesPerGas({ type: 'legacy' })).gasPrice >= block.baseFeePerGas);
    const history = await reader.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75] });
    assert.equal(history.baseFeePerGas.length, history.gasUsedRatio.length + 1);
    assert.equal(await reader.estimateGas({ account, to: task.peer, value: 1n }), 21_000n);
    const gas = await probe.estimateGas.store([5n, 1n, 'estimated'], { account });
    const { gasUsed } = await sent(await probe.write.store([5n, 1n, 'estimated'], { gas }));
    assert.ok(gasUsed <= gas);
    await reader.getBlobBaseFee();
  },
  nonces: async () => {
    const nonce = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' });
    const own = Array.from({ length: parallelSends }, (_, index) =>
      wallet.sendTransaction({ to: task.peer, value: 1n, gas: 21_000n, nonce: nonce + index }),
    );
    for (const receipt of await Promise.all((await Promise.all(own)).map(sent))) assert.ok(receipt.blockNumber > 0n);
    const byNode = Array.from({ length: parallelSends }, () =>
      nodeWallet.sendTransaction({ to: task.peer, value: 1n }),
    );
    await Promise.all((await Promise.all(byNode)).map(sent));
    assert.equal(await reader.getTransactionCount({ address: account.address }), nonce + 2 * parallelSends);
    await assert.rejects(wallet.sendTransaction({ to: task.peer, nonce }), /nonce/i);
  },
  batch: async () => {
    const batching = createPublicClient({ chain, transport: http(task.rpcUrl, { batch: { wait: 5 } }) });
    const [id, head, balance, refused] = await Promise.allSettled([
      batching.getChainId(),
      batching.getBlockNumber(),
      batching.getBalance({ address: account.address }),
      batching.readContract({ address: probe.address, abi, functionName: 'divide', args: [1n, 0n] }),
    ]);
    assert.equal(id.value, chainId);
    assert.ok(head.value > 0n && balance.value > 0n);
    assert.match(refused.reason.message, /Division or modulo by zero|0x12/);
  },
  multicall: async () => {
    const contract = { address: probe.address, abi };
    const [value, limit, refused] = await reader.multicall({
      contracts: [
        { ...contract, functionName: 'valueAt', args: [1n] },
        { ...contract, functionName: 'allowed' },
        { ...contract, functionName: 'refuseWithText' },
      ],
    });
    assert.deepEqual([value.result, limit.result, refused.status], [42n, allowed, 'failure']);
    assert.match(refused.error.message, new RegExp(refusalText));
  },
  create2: async () => {
    const salt = keccak256(account.address);
    const initCode = encodeDeployData({ abi, bytecode, args: [allowed] });
    const address = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode: initCode });
    await sent(await wallet.sendTransaction({ to: create2Deployer, data: concat([salt, initCode]) }));
    assert.equal(await reader.readContract({ address, abi, functionName: 'allowed' }), allowed);
  },
  proof: async () => {
    const proof = await reader.getProof({ address: probe.address, storageKeys: [numberToHex(0, { size: 32 })] });
    assert.equal(proof.address.toLowerCase(), probe.address.toLowerCase());
    assert.ok(proof.accountProof.length > 0);
    assert.equal(proof.storageProof.length, 1);
  },
  accessList: async () => {
    const data = encodeFunctionData({ abi, functionName: 'store', args: [6n, 1n, 'listed'] });
    const { accessList: list, gasUsed } = await reader.createAccessList({ account, to: probe.address, data });
    assert.ok(
      list.some((entry) => entry.address.toLowerCase() === probe.address.toLowerCase() && entry.storageKeys.length > 0),
    );
    assert.ok(gasUsed > 21_000n);
  },
  overrides: async () => {
    const stranger = '0x00000000000000000000000000000000000abcde';
    const stateOverride = [{ address: stranger, balance: parseEther('3') }];
    await reader.call({ account: stranger, to: task.peer, value: parseEther('2'), stateOverride });
    await assert.rejects(
      reader.call({ account: stranger, to: task.peer, value: parseEther('2') }),
      /exceeds the balance|insufficient funds/,
    );
  },
  simulate: async () => {
    const { results } = await reader.simulateCalls({
      account,
      calls: [{ to: probe.address, abi, functionName: 'allowed' }],
    });
    assert.equal(results[0].result, allowed);
    const [block] = await reader.simulateBlocks({
      blocks: [
        {
          calls: [
            {
              from: account.address,
              to: probe.address,
              data: encodeFunctionData({ abi, functionName: 'store', args: [9n, 8n, ''] }),
            },
            { from: account.address, to: probe.address, abi, functionName: 'valueAt', args: [9n] },
          ],
        },
      ],
    });
    assert.deepEqual(
      block.calls.map(({ status }) => status),
      ['success', 'success'],
    );
    assert.equal(block.calls[1].result, 8n);
  },
  trace: async () => {
    const { transactionHash } = await sent(await probe.write.store([10n, 1n, 'traced']));
    const trace = await reader.request({
      method: 'debug_traceTransaction',
      params: [transactionHash, { tracer: 'callTracer' }],
    });
    assert.equal(trace.type, 'CALL');
    assert.equal(trace.to.toLowerCase(), probe.address.toLowerCase());
  },
  pool: async () => {
    const pending = await reader.getBlock({ blockTag: 'pending' });
    assert.equal(pending.hash, null);
    assert.ok(pending.number > 0n);
    const nonce = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' });
    const hash = await wallet.sendTransaction({ to: task.peer, nonce: nonce + 1, gas: 21_000n });
    const waiting = await reader.getTransaction({ hash });
    assert.equal(waiting.blockNumber, null);
    await sent(await wallet.sendTransaction({ to: task.peer, nonce, gas: 21_000n }));
    await sent(hash);
  },
  typedErrors: async () => {
    await assert.rejects(
      reader.request({ method: 'eth_getBalance', params: ['0x12'] }),
      (error) => error.walk().code === -32602,
    );
    await assert.rejects(reader.request({ method: 'eth_nothing' }), (error) => error.walk().code === -32601);
  },
  sendSync: async () => {
    const receipt = await wallet.sendTransactionSync({ to: task.peer, value: 1n });
    assert.equal(receipt.status, 'success');
  },
});
