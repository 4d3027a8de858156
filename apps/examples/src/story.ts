import {
  definePrimeChain,
  primeActions,
  primeCallActions,
  type PrimeWalletActions,
  primeWalletActions,
} from '@prime/sdk';
import { createPublicClient, createWalletClient, type Hash, type Hex, http, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { compileContract } from './compile.ts';

/** The mnemonic that every development tool knows; the local network funds its first ten accounts. */
export const junkMnemonic = 'test test test test test test test test test test test junk';

/** Of networks that `prime testnet` makes. */
const chainId = 7919;

/** Where a node is busy it refuses (-32005), and viem asks again: each time after twice as long, ten seconds in all. */
const patience = { retryCount: 6 };

/** A running network, and where the story is told. */
export interface StoryOptions {
  /** One URL per validator; the first one is used for writing. */
  readonly rpcUrls: readonly string[];
  readonly log: (line: string) => void;
}

/** What the network holds at the end. Balances and sizes are the smallest units; `tip` is the newest block. */
export interface StoryResult {
  readonly token: { readonly address: Hex; readonly sender: bigint; readonly receiver: bigint };
  readonly market: {
    readonly id: number;
    readonly filled: bigint;
    readonly tradeCount: number;
    readonly bids: number;
    readonly asks: number;
  };
  readonly tip: { readonly number: bigint; readonly hash: Hash; readonly stateRoot: Hash };
}

/** Deploys and moves an ERC-20 with viem, trades on a new market with the SDK, and compares all nodes. */
export async function runStory(options: StoryOptions): Promise<StoryResult> {
  const [url] = options.rpcUrls;
  if (url === undefined) throw new Error('the story needs at least one RPC URL');
  const token = await tokenStory(url, options.log);
  const market = await marketStory(url, options.log);
  const tip = await compareNodes(options.rpcUrls, options.log);
  return { token, market, tip };
}

async function tokenStory(url: string, log: StoryOptions['log']): Promise<StoryResult['token']> {
  const chain = definePrimeChain({ id: chainId, http: [url] });
  const account = mnemonicToAccount(junkMnemonic, { addressIndex: 0 });
  const receiver = mnemonicToAccount(junkMnemonic, { addressIndex: 1 }).address;
  const reader = createPublicClient({ chain, transport: http(undefined, patience), pollingInterval: 50 });
  const wallet = createWalletClient({ account, chain, transport: http(undefined, patience) });
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
  const chain = definePrimeChain({ id: chainId, http: [url] });
  const reader = createPublicClient({ chain, transport: http(undefined, patience) })
    .extend(primeActions())
    .extend(primeCallActions());
  const traderAt = (addressIndex: number): PrimeWalletActions => {
    const account = mnemonicToAccount(junkMnemonic, { addressIndex });
    return createWalletClient({ account, chain, transport: http(undefined, patience) }).extend(primeWalletActions());
  };
  const [maker, taker] = [traderAt(2), traderAt(3)];
  const symbol = `D${Date.now().toString(36).toUpperCase()}/USD`;
  // Who may add markets is a key of the node, on test networks.
  const { marketId: id } = await reader.callAddMarket({ symbol, tickSize: 5n, lotSize: 10n });
  log(`market ${symbol} has id ${id}`);
  for (const trader of [maker, taker]) {
    const { address, amount } = await trader.depositCollateral({ amount: 1_000_000n });
    log(`${address} deposited ${amount} wei of collateral`);
  }
  const resting = await maker.placeOrder({ market: id, side: 'sell', price: 100n, size: 500n });
  log(`maker's order ${resting.orderId} rests: sell 500 at 100`);
  const { orderId, filled, trades } = await taker.placeOrder({ market: id, side: 'buy', price: 105n, size: 200n });
  log(`taker's order ${orderId} filled ${filled} at ${trades[0]?.price ?? 0n}`);
  const { bids, asks } = await reader.getOrderBook({ market: id });
  log(`book: ${bids.length} bid levels, ${asks.length} ask level with ${asks[0]?.size ?? 0n} left`);
  return { id, filled, tradeCount: trades.length, bids: bids.length, asks: asks.length };
}

async function compareNodes(urls: readonly string[], log: StoryOptions['log']): Promise<StoryResult['tip']> {
  const nodes = urls.map((url) => createPublicClient({ transport: http(url, patience) }));
  const heads = await Promise.all(nodes.map((node) => node.getBlockNumber()));
  const number = heads.reduce((lowest, head) => (head < lowest ? head : lowest));
  const blocks = await Promise.all(nodes.map((node) => node.getBlock({ blockNumber: number })));
  const [first] = blocks;
  if (first === undefined) throw new Error('no node answered');
  for (const [index, { hash, stateRoot }] of blocks.entries())
    if (hash !== first.hash || stateRoot !== first.stateRoot)
      throw new Error(`${urls[index]} has another block ${number}: ${hash}, ${stateRoot}`);
  log(`block ${number} on ${urls.length} nodes: hash ${first.hash}, state root ${first.stateRoot}`);
  return { number, hash: first.hash, stateRoot: first.stateRoot };
}
