import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { compileContract } from './compile.ts';
import { rpc } from './rpc.ts';

/** The mnemonic that every development tool knows; the local network funds its first ten accounts. */
export const junkMnemonic = 'test test test test test test test test test test test junk';

export interface StoryOptions {
  /** One URL per validator; the first one is used for writing. */
  readonly rpcUrls: readonly string[];
  readonly log: (line: string) => void;
}

export interface StoryResult {
  readonly token: { readonly address: Hex; readonly sender: bigint; readonly receiver: bigint };
  readonly market: {
    readonly id: Hex;
    readonly filled: Hex;
    readonly tradeCount: number;
    readonly bids: number;
    readonly asks: number;
  };
  readonly tip: { readonly number: Hex; readonly hash: Hex; readonly stateRoot: Hex };
}

interface Submission {
  readonly order_id: Hex;
  readonly filled: Hex;
  readonly remaining: Hex;
  readonly trades: readonly { readonly price: Hex; readonly size: Hex }[];
}
interface BlockView {
  readonly hash: Hex;
  readonly stateRoot: Hex;
}

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Deploys and moves an ERC-20 with viem, trades on a new market with plain JSON-RPC, and compares all nodes. */
export async function runStory(options: StoryOptions): Promise<StoryResult> {
  const [url] = options.rpcUrls;
  if (url === undefined) throw new Error('the story needs at least one RPC URL');
  const token = await tokenStory(url, options.log);
  const market = await marketStory(url, options.log);
  const tip = await compareNodes(options.rpcUrls, options.log);
  return { token, market, tip };
}

async function tokenStory(url: string, log: StoryOptions['log']): Promise<StoryResult['token']> {
  const chain = defineChain({
    id: 7919,
    name: 'Prime local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const account = mnemonicToAccount(junkMnemonic, { addressIndex: 0 });
  const receiver = mnemonicToAccount(junkMnemonic, { addressIndex: 1 }).address;
  const reader = createPublicClient({ chain, transport: http(), pollingInterval: 50 });
  const wallet = createWalletClient({ account, chain, transport: http() });
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');

  const deployment = await wallet.deployContract({ abi, bytecode, args: [parseEther('1000')] });
  const { contractAddress, blockNumber } = await reader.waitForTransactionReceipt({ hash: deployment });
  if (contractAddress === null || contractAddress === undefined) throw new Error('the deployment made no contract');
  log(`ERC-20 deployed at ${contractAddress} in block ${blockNumber}`);

  const transfer = await wallet.writeContract({
    address: contractAddress,
    abi,
    functionName: 'transfer',
    args: [receiver, parseEther('250')],
  });
  const receipt = await reader.waitForTransactionReceipt({ hash: transfer });
  log(`250 DEMO transferred in block ${receipt.blockNumber}: ${receipt.status}, ${receipt.logs.length} log`);
  const balanceOf = (owner: Hex): Promise<bigint> =>
    reader.readContract({ address: contractAddress, abi, functionName: 'balanceOf', args: [owner] }) as Promise<bigint>;
  const [senderBalance, receiverBalance] = await Promise.all([balanceOf(account.address), balanceOf(receiver)]);
  log(`balances: ${senderBalance} and ${receiverBalance}`);
  return { address: contractAddress, sender: senderBalance, receiver: receiverBalance };
}

async function marketStory(url: string, log: StoryOptions['log']): Promise<StoryResult['market']> {
  const maker = mnemonicToAccount(junkMnemonic, { addressIndex: 2 }).address;
  const taker = mnemonicToAccount(junkMnemonic, { addressIndex: 3 }).address;
  const symbol = `D${Date.now().toString(36).toUpperCase()}/USD`;
  const id = await rpc<Hex>(url, 'primeorders_addMarket', [symbol, hex(5), hex(10)]);
  log(`market ${symbol} has id ${id}`);
  for (const trader of [maker, taker]) {
    await rpc(url, 'primeorders_depositCollateral', [trader, hex(1_000_000n)]);
    log(`${trader} deposited 1000000 wei of collateral`);
  }
  const order = (owner: string, side: 'buy' | 'sell', price: number, size: number): Promise<Submission> =>
    rpc(url, 'primeorders_submitOrder', [
      { owner, market_id: Number(id), side, price: hex(price), size: hex(size), tif: 'gtc' },
    ]);
  const resting = await order(maker, 'sell', 100, 500);
  log(`maker's order ${resting.order_id} rests: sell 500 at 100`);
  const crossing = await order(taker, 'buy', 105, 200);
  log(
    `taker's order ${crossing.order_id} filled ${BigInt(crossing.filled)} at ${BigInt(crossing.trades[0]?.price ?? '0x0')}`,
  );
  const book = await rpc<{ bids: unknown[]; asks: { size: Hex }[] }>(url, 'primeorders_getOrderBook', [id]);
  log(
    `book: ${book.bids.length} bid levels, ${book.asks.length} ask level with ${BigInt(book.asks[0]?.size ?? '0x0')} left`,
  );
  return {
    id,
    filled: crossing.filled,
    tradeCount: crossing.trades.length,
    bids: book.bids.length,
    asks: book.asks.length,
  };
}

async function compareNodes(urls: readonly string[], log: StoryOptions['log']): Promise<StoryResult['tip']> {
  const heads = await Promise.all(urls.map((url) => rpc<Hex>(url, 'eth_blockNumber')));
  const number = heads.reduce((lowest, head) => (BigInt(head) < BigInt(lowest) ? head : lowest));
  const blocks = await Promise.all(urls.map((url) => rpc<BlockView>(url, 'eth_getBlockByNumber', [number, false])));
  const [first] = blocks;
  if (first === undefined) throw new Error('no node answered');
  for (const [index, block] of blocks.entries())
    if (block.hash !== first.hash || block.stateRoot !== first.stateRoot)
      throw new Error(`${urls[index]} has another block ${number}: ${block.hash}, ${block.stateRoot}`);
  log(`block ${BigInt(number)} on ${urls.length} nodes: hash ${first.hash}, state root ${first.stateRoot}`);
  return { number, hash: first.hash, stateRoot: first.stateRoot };
}
