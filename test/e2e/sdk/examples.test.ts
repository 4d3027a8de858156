/**
 * Every example of every method, sent to a live network: to one validator after the other, and on another network to a follower. The hashes and heights of the examples stand for those of a chain on
 * which the first account deployed a token; here they are replaced by the ones of this chain, and the answers must look like the
 * documented ones.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileContract } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { definitions, type Example, type MethodDefinition, sample } from '@prime/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { Ajv } from 'ajv';
import { type Hex, encodeDeployData, encodeFunctionData, parseEther, webSocket } from 'viem';

let testnet: Testnet;
/** Value of this chain for a value of the examples. */
const live = new Map<unknown, unknown>();

const call = <Result>(method: string, params: readonly unknown[] = [], node = 0): Promise<Result> =>
  rpc(testnet.url(node), method, params);

interface Receipt {
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
}

/** Sends a transaction of the examples' account and waits for its block. */
async function send(fields: { to?: string; data: Hex }): Promise<{ hash: Hex; receipt: Receipt }> {
  const hash = await call<Hex>('eth_sendTransaction', [{ from: sample.address, ...fields }]);
  const receipt = await until('in a block', () => call<Receipt | null>('eth_getTransactionReceipt', [hash]));
  return { hash, receipt };
}

async function begin(): Promise<void> {
  live.clear();
  testnet = await createTestnet({
    validators: 4,
    followers: 1,
    // Whom an example liquidates, no block has liquidated before.
    genesis: (genesis) => void Object.assign(genesis['clob'] as object, { autoLiquidatePerBlock: 0 }),
  });
  await testnet.startAll();
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const supply = parseEther('1000');
  const { receipt } = await send({ data: encodeDeployData({ abi, bytecode, args: [supply] }) });
  if (receipt.contractAddress !== sample.contract) throw new Error(`the token is at ${receipt.contractAddress}`);
  const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [sample.otherAddress, 1n] });
  const sent = await send({ to: sample.contract, data: transfer });
  live.set(sample.hash, sent.hash).set(sample.otherHash, sent.receipt.blockHash);
  live.set(sample.height, sent.receipt.blockNumber);
  await call('primeorders_depositCollateral', [sample.otherAddress, '0xde0b6b3a7640000']);
}

/** The same value with what is this chain's in place of the examples'. */
function localize(value: unknown): unknown {
  if (live.has(value)) return live.get(value);
  if (Array.isArray(value)) return value.map(localize);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, localize(part)]));
}

/** Where an answer lacks what the example shows: fields, entries of lists, kinds of values. */
function differences(example: unknown, answer: unknown, path: string): string[] {
  if (example === null) return [];
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [`${path} is no list`];
    if (example.length === 0) return [];
    return answer.length === 0 ? [`${path} is empty`] : differences(example[0], answer[0], `${path}[0]`);
  }
  if (typeof example !== 'object')
    return typeof answer === typeof example ? [] : [`${path} is ${JSON.stringify(answer)}, not a ${typeof example}`];
  if (typeof answer !== 'object' || answer === null) return [`${path} is ${JSON.stringify(answer)}, not an object`];
  return Object.entries(example).flatMap(([key, part]) =>
    Object.hasOwn(answer, key)
      ? differences(part, (answer as Record<string, unknown>)[key], `${path}.${key}`)
      : [`${path}.${key} is missing`],
  );
}

const ajv = new Ajv({ strict: false });

/** What one node has committed, another one may not have heard of yet. */
async function nodesAgree(): Promise<void> {
  const heights = (): Promise<number[]> =>
    Promise.all(testnet.urls().map(async (url) => Number(await rpc<Hex>(url, 'eth_blockNumber'))));
  const highest = Math.max(...(await heights()));
  await until('all nodes are there', async () => Math.min(...(await heights())) >= highest);
}

/** Takes more from the account of the example than it has: the price that it bought at falls by 11 %. */
async function breachMargin(): Promise<void> {
  const makers = ['0x00000000000000000000000000000000000000e1', '0x00000000000000000000000000000000000000e2'];
  const trade = async (buyer: string, seller: string, price: string, size: string): Promise<void> => {
    const fields = { market_id: 1, price, size, tif: 'gtc' };
    await call('primeorders_submitOrder', [{ owner: seller, side: 'sell', ...fields }]);
    await call('primeorders_submitOrder', [{ owner: buyer, side: 'buy', ...fields }]);
  };
  await call('primeorders_depositCollateral', [sample.indebted, '0x3e8']);
  for (const maker of makers) await call('primeorders_depositCollateral', [maker, '0x186a0']);
  await trade(sample.indebted, sample.address, '0x64', '0x64');
  await trade(makers[0]!, makers[1]!, '0x59', '0x1');
}

/** Subscriptions need a connection, and one that is ended has to be of the same connection. */
async function ask(method: string, params: readonly unknown[], node: number): Promise<unknown> {
  if (!/^(eth|prime)_(un)?subscribe$/.test(method)) return call(method, params, node);
  const transport = webSocket(testnet.url(node).replace('http', 'ws'), {
    retryCount: 0,
    reconnect: false,
    keepAlive: false,
  })({});
  const request = transport.request as (request: { method: string; params: unknown }) => Promise<unknown>;
  try {
    if (!params.includes(sample.subscriptionId)) return await request({ method, params });
    return await request({ method, params: [await request({ method: 'eth_subscribe', params: ['newHeads'] })] });
  } finally {
    (await transport.value!.getRpcClient()).close();
  }
}

/** What is wrong with the answer to an example; nothing when it is as documented. */
async function replay(definition: MethodDefinition, example: Example, node: number): Promise<unknown> {
  await nodesAgree();
  if (example.params.includes(sample.filterId))
    live.set(sample.filterId, await call('eth_newFilter', [{ fromBlock: 'earliest', address: sample.contract }], node));
  if (definition.name === 'primeorders_liquidate') await breachMargin();
  const answer = await ask(definition.name, localize(example.params) as unknown[], node);
  const isResult = ajv.compile(definition.result);
  if (!isResult(answer)) return { answer, errors: isResult.errors };
  // What needs a special situation can not be had here at will: its shape has to do.
  return example.situation === undefined ? differences(example.result, answer, 'result') : [];
}

// A network for each: some examples hold only once on a chain.
describe.each(['validators', 'a follower'])(
  'the examples of the documentation hold on a live network, at %s',
  (role) => {
    beforeAll(begin);
    afterAll(() => testnet.destroy());

    for (const [index, definition] of definitions.entries())
      for (const example of definition.examples) {
        const situation = example.situation === undefined ? '' : ` ${example.situation}`;
        it(`${definition.name}${situation}`, async () => {
          const node = role === 'a follower' ? testnet.count : index % testnet.count;
          expect(await replay(definition, example, node)).toEqual([]);
        });
      }
  },
);
