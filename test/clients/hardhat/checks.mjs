/** What `hardhat run --network prime` does: everything through Hardhat's own provider and signers. */
import assert from 'node:assert/strict';
import hre from 'hardhat';
import {
  allowed,
  chainId,
  create2Deployer,
  multicall3,
  multicallAbi,
  parallelSends,
  refusalText,
  wanted,
} from '../lib/expectations.mjs';
import { absent, eventually, report } from '../lib/report.mjs';

const task = JSON.parse(process.env.PRIME_TASK);
const { ethers } = hre;
const { provider } = ethers;
const [signer] = await ethers.getSigners();
const zeroHash = ethers.ZeroHash;

/** The probe of this run, once it is deployed. */
let probe;
let probeAddress;
const mined = async (response) => {
  const receipt = await (await response).wait();
  assert.equal(receipt.status, 1);
  return receipt;
};
async function sendOfType(type, fields = {}) {
  const receipt = await mined(signer.sendTransaction({ type, to: task.peer, value: 1000n, ...fields }));
  assert.equal(receipt.type, type);
  return provider.getTransaction(receipt.hash);
}
async function refusal(attempt) {
  try {
    await attempt;
  } catch (error) {
    return error;
  }
  return assert.fail('it was not refused');
}
const errorOf = (error) => probe.interface.parseError(error.data?.data ?? error.data ?? error.error?.data);

await report({
  connect: async () => {
    assert.equal((await provider.getNetwork()).chainId, BigInt(chainId));
    const block = await provider.getBlock('latest');
    assert.equal((await provider.getBlock(block.hash)).number, block.number);
    assert.ok((await provider.getBalance(signer.address)) > 10n ** 18n);
    assert.equal(await provider.getTransactionReceipt(zeroHash), null);
  },
  addresses: async () => {
    assert.equal(signer.address, task.address);
    assert.ok((await provider.getBalance(task.address.toLowerCase())) > 0n);
  },
  deploy: async () => {
    probe = await ethers.deployContract('Probe', [allowed], { value: 5n });
    await probe.waitForDeployment();
    probeAddress = await probe.getAddress();
    assert.equal(await provider.getBalance(probeAddress), 5n);
  },
  write: async () => {
    const receipt = await mined(probe.store(1n, 42n, 'first', { value: 3n }));
    assert.equal(receipt.logs[0].fragment.name, 'Stored');
  },
  read: async () => {
    const { value, note, writers } = await probe.read(1n);
    assert.deepEqual([value, note, [...writers]], [42n, 'first', [signer.address]]);
    assert.ok(await provider.getStorage(probeAddress, 0));
  },
  history: async () => {
    const { blockNumber } = await mined(probe.store(3n, 100n, 'before'));
    await mined(probe.store(3n, 200n, 'after'));
    const at = (blockTag) => probe.valueAt(3n, { blockTag });
    assert.deepEqual([await at(blockNumber), await at(blockNumber - 1), await at('latest')], [100n, 0n, 200n]);
  },
  // Without a price it would fill in the fees of EIP-1559.
  legacy: async () => {
    const { gasPrice } = await provider.getFeeData();
    assert.equal((await sendOfType(0, { gasPrice })).gasPrice, gasPrice);
  },
  accessListTransaction: async () => {
    const { gasPrice } = await provider.getFeeData();
    const accessList = [{ address: probeAddress, storageKeys: [zeroHash] }];
    assert.equal((await sendOfType(1, { accessList, gasPrice })).accessList.length, 1);
  },
  dynamicFee: () => sendOfType(2),
  setCode: absent('its provider signs no authorizations'),
  nonces: async () => {
    const first = await provider.getTransactionCount(signer.address, 'pending');
    const sends = Array.from({ length: parallelSends }, (_, index) =>
      mined(signer.sendTransaction({ to: task.peer, value: 1n, gasLimit: 21_000n, nonce: first + index })),
    );
    await Promise.all(sends);
    assert.equal(await provider.getTransactionCount(signer.address), first + parallelSends);
  },
  fees: async () => {
    const { gasPrice, maxFeePerGas } = await provider.getFeeData();
    const { baseFeePerGas } = await provider.getBlock('latest');
    assert.ok(gasPrice >= baseFeePerGas && maxFeePerGas >= baseFeePerGas);
    assert.equal(await provider.estimateGas({ from: signer.address, to: task.peer, value: 1n }), 21_000n);
    const gasLimit = await probe.store.estimateGas(5n, 1n, 'estimated');
    assert.ok((await mined(probe.store(5n, 1n, 'estimated', { gasLimit }))).gasUsed <= gasLimit);
  },
  sendSync: absent('it waits for receipts by polling'),
  reverts: async () => {
    assert.equal(errorOf(await refusal(probe.refuseWithText.staticCall())).args[0], refusalText);
    const custom = errorOf(await refusal(probe.refuseWithError.staticCall(wanted)));
    assert.deepEqual([custom.name, ...custom.args], ['Refused', signer.address, wanted, allowed]);
    assert.equal(errorOf(await refusal(probe.divide.staticCall(1n, 0n))).name, 'Panic');
    assert.match((await refusal(probe.refuseWithText())).message, /revert/);
  },
  failedTransactions: async () => {
    const data = probe.interface.encodeFunctionData('refuseWithError', [wanted]);
    const response = await signer.sendTransaction({ to: probeAddress, data, gasLimit: 100_000n });
    const { receipt } = await refusal(response.wait());
    assert.equal(receipt.status, 0);
  },
  typedErrors: async () => {
    const request = (method, params) => refusal(hre.network.provider.request({ method, params }));
    assert.equal((await request('eth_getBalance', ['0x12'])).code, -32602);
    assert.equal((await request('eth_nothing', [])).code, -32601);
    const nonce = await provider.getTransactionCount(signer.address);
    const stale = signer.sendTransaction({ to: task.peer, nonce: nonce - 1, gasLimit: 21_000n });
    assert.match((await refusal(stale)).message, /nonce too low/);
  },
  events: async () => {
    const receipt = await mined(probe.store(4n, 11n, 'an event'));
    const [log] = await probe.queryFilter(probe.filters.Stored(null, 4n), 0);
    assert.equal(log.transactionHash, receipt.hash);
    assert.deepEqual(await probe.queryFilter(probe.filters.Stored(task.peer, 4n), 0), []);
  },
  watch: async () => {
    const seen = [];
    await probe.on(probe.filters.Stored, (...args) => seen.push(args.at(-1).log.transactionHash));
    const { hash } = await mined(probe.store(77n, 5n, 'watched'));
    await eventually(() => seen.includes(hash));
    await probe.removeAllListeners();
  },
  webSocket: absent('its networks are HTTP'),
  batch: absent('it asks one thing at a time'),
  multicall: async () => {
    const call = (name, args = []) => [probeAddress, true, probe.interface.encodeFunctionData(name, args)];
    const contract = await ethers.getContractAt(multicallAbi, multicall3);
    const results = await contract.aggregate3.staticCall([call('valueAt', [1n]), call('refuseWithText')]);
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, false],
    );
    assert.equal(BigInt(results[0].returnData), 42n);
  },
  create2: async () => {
    const factory = await ethers.getContractFactory('Probe');
    const { data } = await factory.getDeployTransaction(allowed);
    const salt = ethers.keccak256(signer.address);
    await mined(signer.sendTransaction({ to: create2Deployer, data: ethers.concat([salt, data]) }));
    const address = ethers.getCreate2Address(create2Deployer, salt, ethers.keccak256(data));
    assert.equal(await (await ethers.getContractAt('Probe', address)).allowed(), allowed);
  },
  pool: async () => {
    const nonce = await provider.getTransactionCount(signer.address, 'pending');
    const later = await signer.sendTransaction({ to: task.peer, nonce: nonce + 1, gasLimit: 21_000n });
    assert.equal((await provider.getTransaction(later.hash)).blockNumber, null);
    await mined(signer.sendTransaction({ to: task.peer, nonce, gasLimit: 21_000n }));
    await mined(later);
  },
  proof: async () => {
    const proof = await provider.send('eth_getProof', [probeAddress, [zeroHash], 'latest']);
    assert.ok(proof.accountProof.length > 0);
  },
  accessList: async () => {
    const data = probe.interface.encodeFunctionData('store', [6n, 1n, 'listed']);
    const { accessList } = await provider.send('eth_createAccessList', [
      { from: signer.address, to: probeAddress, data },
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
});
