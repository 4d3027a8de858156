/**
 * One story of a contract that trades, on the mock (the network that is simulated) and on a chain (`--network prime`), with Hardhat 2 and 3. Prints a line of JSON:
 * the rules of the market, and what the contract reads after each step. The rules of the mock's market are those in the environment.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import hre from 'hardhat';

// Hardhat 2 has one network, and 3 makes connections.
const { ethers, provider, networkName } =
  hre.network.create === undefined
    ? { ethers: hre.ethers, provider: hre.network.provider, networkName: hre.network.name }
    : await hre.network.create();
const require = createRequire(import.meta.url);
const { abi } = require('@prime/contracts/artifacts/PrimeOrders.json');
const mocked = require('@prime/contracts/artifacts/PrimeOrdersMock.json');

const address = '0x0000000000000000000000000000000000000100';
const marketId = 1;
const isMock = networkName !== 'prime';
const [owner, maker] = await ethers.getSigners();
const orders = new ethers.Contract(address, isMock ? mocked.abi : abi, maker);

if (isMock) {
  const { symbol, tick, lot, imBps, mmBps } = JSON.parse(process.env.MARKET);
  await provider.request({ method: 'hardhat_setCode', params: [address, mocked.code] });
  await (await orders.addMarket(symbol, tick, lot, imBps, mmBps)).wait();
}
const [symbol, tick, lot, imBps, mmBps] = await orders.market(marketId);
const notional = 8000n * tick * lot;

const bidder = await ethers.deployContract('Bidder', [], owner);
await bidder.waitForDeployment();

/** Waits until reads show what a transaction wrote. */
async function shown(sent) {
  const { blockNumber } = await (await sent).wait();
  if (isMock) {
    await provider.request({ method: 'hardhat_mine', params: ['0x1'] });
    await (await orders.carryOut()).wait();
    return;
  }
  while ((await ethers.provider.getBlockNumber()) <= blockNumber) await new Promise((next) => setTimeout(next, 50));
}
/** Others offer something: on a chain somebody does. */
const offer = async (price, size) => {
  if (isMock) return (await orders.setBook(marketId, [], [{ price, size }])).wait();
  return shown(orders.submitOrder(marketId, false, price, size, 0, 0, 0));
};
/** Others trade with an order of the contract that rests. */
const hit = async (clientId, price, size) => {
  if (!isMock) return shown(orders.submitOrder(marketId, false, price, size, 1, 0, 0));
  const [id] = await orders.orderByClientId(bidder.target, clientId);
  return (await orders.fill(id, size)).wait();
};
/** The mark follows from the book on a chain. */
const mark = async (price) => isMock && (await orders.setMark(marketId, price)).wait();

const steps = {};
const plain = (value) => (typeof value === 'bigint' ? `${value}` : [...value].map(plain));
async function step(name, clientId, action) {
  await action();
  const state = (await bidder.state(clientId)).toObject();
  steps[name] = Object.fromEntries(Object.entries(state).map(([key, value]) => [key, plain(value)]));
}

if (!isMock) await shown(orders.deposit({ value: 10n * notional }));
await step('deposit', 1, () => shown(bidder.deposit({ value: notional })));
await step('bid', 1, () => shown(bidder.bid(100n * tick, 10n * lot, 1)));
await step('sameClientId', 1, () => shown(bidder.bid(100n * tick, 10n * lot, 1)));
await step('tooLarge', 2, () => shown(bidder.bid(100n * tick, 1_000_000n * lot, 2)));
await step('reduceOnlyWhenFlat', 3, () => shown(bidder.take(false, 100n * tick, lot, 1, 2, 3)));
await step('killed', 4, async () => {
  await offer(200n * tick, 5n * lot);
  // Nothing has traded: the mark is between the best prices.
  await mark(150n * tick);
  await shown(bidder.take(true, 200n * tick, 8n * lot, 2, 0, 4));
});
await step('partlyFilled', 5, async () => {
  await shown(bidder.take(true, 200n * tick, 8n * lot, 1, 0, 5));
  await mark(200n * tick);
});
await step('restingFilled', 1, async () => {
  await hit(1, 100n * tick, 4n * lot);
  await mark(100n * tick);
});
await step('cancelled', 1, () => shown(bidder.cancel(1)));
await step('reduced', 6, async () => {
  // Somebody else's bid, which the contract hits with more than its position.
  if (isMock) await (await orders.setBook(marketId, [{ price: 90n * tick, size: 50n * lot }], [])).wait();
  else await shown(orders.submitOrder(marketId, true, 90n * tick, 50n * lot, 0, 0, 0));
  await mark(100n * tick);
  await shown(bidder.take(false, 90n * tick, 20n * lot, 1, 2, 6));
  await mark(90n * tick);
});
const receiver = ethers.Wallet.createRandom().address;
await step('withdrawn', 1, async () => {
  const [, , , , withdrawable] = await orders.account(bidder.target);
  await shown(bidder.withdraw(withdrawable, receiver));
  while ((await ethers.provider.getBalance(receiver)) === 0n) await new Promise((next) => setTimeout(next, 50));
  steps.paid = `${(await ethers.provider.getBalance(receiver)) === withdrawable}`;
});
await step('withdrawnTooMuch', 1, () => shown(bidder.withdraw(1n, receiver)));

const reverts = async (attempt) => {
  try {
    await attempt;
    return 'none';
  } catch (error) {
    const data = error.data?.data ?? error.data ?? error.error?.data;
    return orders.interface.parseError(data)?.name ?? data;
  }
};
steps.reverts = [
  await reverts(orders.submitOrder.staticCall(marketId, true, 0, 1, 0, 0, 0)),
  await reverts(orders.submitOrder.staticCall(marketId, true, 1, 1, 3, 0, 0)),
  await reverts(orders.cancelOrder.staticCall(0)),
  await reverts(orders.withdraw.staticCall(0, receiver)),
  await reverts(orders.withdraw.staticCall(1, address)),
  await reverts(orders.deposit.staticCall()),
];

const { name } = JSON.parse(readFileSync(require.resolve('@prime/contracts/package.json'), 'utf8'));
const rules = { symbol, tick: `${tick}`, lot: `${lot}`, imBps: `${imBps}`, mmBps: `${mmBps}` };
process.stdout.write(`${JSON.stringify({ name, market: rules, steps })}\n`);
