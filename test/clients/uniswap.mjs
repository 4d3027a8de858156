/** Uniswap V2 in its published bytecode on a Prime network: see lib/report.mjs for what it is given and what it tells. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { encodePacked, getContractAddress, keccak256, parseEther } from 'viem';
import { account, contractAt, deploy, reader } from './lib/deployer.mjs';
import { readArtifacts, readTask, report } from './lib/report.mjs';

const require = createRequire(import.meta.url);
const artifact = (name) => require(`@uniswap/${name}.json`);
const { Coin } = readArtifacts(readTask());
const pairArtifact = artifact('v2-core/build/UniswapV2Pair');

/** In the bytecode of the published router, which finds pairs by it: it fits only the published pair. */
const initCodeHash = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';
const supply = parseEther('1000000');
const deadline = 2n ** 40n;
const me = account.address;

let factory;
let router;
let weth;
/** In the order of the pair, once there is one. */
let coins;
let pair;

const approveAll = async (...contracts) => {
  for (const contract of contracts) await contract.write('approve', [router.address, supply]);
};

/** Uniswap's own formula: 0.3 % of what comes in is the fee. */
const amountOut = (amountIn, [reserveIn, reserveOut]) => {
  const withFee = amountIn * 997n;
  return (withFee * reserveOut) / (reserveIn * 1000n + withFee);
};
/** Reserves of the two coins, in their order. */
const reserves = async () => (await pair.read('getReserves')).slice(0, 2);

await report({
  deploy: async () => {
    factory = await deploy(artifact('v2-core/build/UniswapV2Factory'), me);
    weth = await deploy(artifact('v2-periphery/build/WETH9'));
    router = await deploy(artifact('v2-periphery/build/UniswapV2Router02'), factory.address, weth.address);
    coins = [await deploy(Coin, 'Amber', 'AMB', supply), await deploy(Coin, 'Birch', 'BRC', supply)];
    assert.equal((await router.read('factory')).toLowerCase(), factory.address.toLowerCase());
  },
  createPair: async () => {
    const [a, b] = coins;
    await factory.write('createPair', [a.address, b.address]);
    const address = await factory.read('getPair', a.address, b.address);
    const [token0, token1] = [a.address, b.address].toSorted((x, y) => (BigInt(x) < BigInt(y) ? -1 : 1));
    assert.equal(keccak256(`0x${pairArtifact.bytecode}`), initCodeHash);
    const salt = keccak256(encodePacked(['address', 'address'], [token0, token1]));
    const expected = getContractAddress({ opcode: 'CREATE2', from: factory.address, salt, bytecodeHash: initCodeHash });
    assert.equal(address, expected);
    pair = contractAt(address, pairArtifact.abi);
    coins = (await pair.read('token0')).toLowerCase() === a.address.toLowerCase() ? [a, b] : [b, a];
  },
  addLiquidity: async () => {
    await approveAll(...coins);
    const [a, b] = coins;
    const amounts = [parseEther('1000'), parseEther('4000')];
    await router.write('addLiquidity', [a.address, b.address, ...amounts, 0n, 0n, me, deadline]);
    assert.deepEqual(await reserves(), amounts);
    // The geometric mean, of which the first thousand are locked for ever.
    assert.equal(await pair.read('balanceOf', me), parseEther('2000') - 1000n);
    assert.equal(await pair.read('totalSupply'), parseEther('2000'));
  },
  swapExactIn: async () => {
    const [a, b] = coins;
    const amountIn = parseEther('10');
    const before = await b.read('balanceOf', me);
    const expected = amountOut(amountIn, await reserves());
    assert.deepEqual(await router.read('getAmountsOut', amountIn, [a.address, b.address]), [amountIn, expected]);
    await router.write('swapExactTokensForTokens', [amountIn, expected, [a.address, b.address], me, deadline]);
    assert.equal((await b.read('balanceOf', me)) - before, expected);
  },
  swapExactOut: async () => {
    const [a, b] = coins;
    const wanted = parseEther('5');
    const [amountIn] = await router.read('getAmountsIn', wanted, [b.address, a.address]);
    const before = [await a.read('balanceOf', me), await b.read('balanceOf', me)];
    await router.write('swapTokensForExactTokens', [wanted, amountIn, [b.address, a.address], me, deadline]);
    const after = [await a.read('balanceOf', me), await b.read('balanceOf', me)];
    assert.deepEqual([after[0] - before[0], before[1] - after[1]], [wanted, amountIn]);
  },
  swapEther: async () => {
    const [a] = coins;
    const value = parseEther('2');
    await router.write('addLiquidityETH', [a.address, parseEther('100'), 0n, 0n, me, deadline], parseEther('50'));
    const before = await a.read('balanceOf', me);
    const path = [weth.address, a.address];
    const [, expected] = await router.read('getAmountsOut', value, path);
    await router.write('swapExactETHForTokens', [expected, path, me, deadline], value);
    assert.equal((await a.read('balanceOf', me)) - before, expected);
  },
  refusals: async () => {
    const [a, b] = coins;
    const path = [a.address, b.address];
    const tooMuch = await router.refusal('swapExactTokensForTokens', 1000n, supply, path, me, deadline);
    assert.equal(tooMuch.reason, 'UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT');
    const late = await router.refusal('swapExactTokensForTokens', 1000n, 0n, path, me, 1n);
    assert.equal(late.reason, 'UniswapV2Router: EXPIRED');
    assert.equal((await factory.refusal('createPair', ...path)).reason, 'UniswapV2: PAIR_EXISTS');
  },
  events: async () => {
    const swaps = await reader.getContractEvents({ ...pair, eventName: 'Swap', fromBlock: 0n });
    assert.equal(swaps.length, 2);
    const created = await reader.getContractEvents({ ...factory, eventName: 'PairCreated', fromBlock: 0n });
    // One of its arguments has no name, so viem gives all of them by their place.
    assert.ok(created.some(({ args }) => args[2] === pair.address));
  },
  removeLiquidity: async () => {
    const [a, b] = coins;
    const [liquidity, total] = [await pair.read('balanceOf', me), await pair.read('totalSupply')];
    const [reserveA] = await reserves();
    const before = await a.read('balanceOf', me);
    await pair.write('approve', [router.address, liquidity]);
    await router.write('removeLiquidity', [a.address, b.address, liquidity, 0n, 0n, me, deadline]);
    assert.equal(await pair.read('balanceOf', me), 0n);
    assert.equal((await a.read('balanceOf', me)) - before, (liquidity * reserveA) / total);
  },
});
