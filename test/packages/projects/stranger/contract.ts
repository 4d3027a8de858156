/** Deposits, orders and reads the book through the contract at 0x…0100, typed by its ABI alone. Prints what it found as JSON. */
import { orderFlags, primeOrdersAbi, primeOrdersAddress, timeInForce } from '@prime/contracts';
import { createPublicClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
const transport = http(process.env['RPC_URL']!);
const account = privateKeyToAccount(process.env['PRIVATE_KEY'] as `0x${string}`);
const reader = createPublicClient({ transport, pollingInterval: 50 });
const chain = {
  id: await reader.getChainId(),
  name: 'prime',
  nativeCurrency: { name: 'wei', symbol: 'PRM', decimals: 18 },
  rpcUrls: { default: { http: [] } },
};
const wallet = createWalletClient({ account, chain, transport });
const book = { address: primeOrdersAddress, abi: primeOrdersAbi } as const;

async function mined(hash: `0x${string}`): Promise<bigint> {
  const { status, blockNumber } = await reader.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`${hash} failed`);
  return blockNumber;
}

await mined(await wallet.writeContract({ ...book, functionName: 'deposit', value: 10n ** 18n }));
const args = [1, true, 1000n, 10n, timeInForce.gtc, orderFlags.postOnly, 77n] as const;
const submittedAt = await mined(await wallet.writeContract({ ...book, functionName: 'submitOrder', args }));
// The order book carries it out in the next block.
await new Promise<void>((resolve) => {
  const unwatch = reader.watchBlockNumber({
    emitOnBegin: true,
    onBlockNumber(height) {
      if (height <= submittedAt) return;
      unwatch();
      resolve();
    },
  });
});

const [id, status, filled] = await reader.readContract({
  ...book,
  functionName: 'orderByClientId',
  args: [account.address, 77n],
});
const [bids] = await reader.readContract({ ...book, functionName: 'book', args: [1, 5] });
const best: { readonly price: bigint; readonly size: bigint } | undefined = bids[0];
console.log(
  JSON.stringify({ id: `${id}`, status, filled: `${filled}`, price: `${best?.price}`, size: `${best?.size}` }),
);
