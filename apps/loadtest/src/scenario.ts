import { junkMnemonic } from '@prime/examples';
import { createTestnet, type Testnet } from '@prime/testkit';
import { type Hex, parseGwei } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import type { RpcClient } from './client.ts';

/** A fresh network of processes for a benchmark, removed afterwards. @returns what the run does */
export async function withNetwork<T>(
  options: Parameters<typeof createTestnet>[0],
  run: (testnet: Testnet) => Promise<T>,
): Promise<T> {
  const testnet = await createTestnet({ sheds: true, idlePace: 'preset', ...options });
  try {
    await testnet.startAll();
    return await run(testnet);
  } finally {
    await testnet.destroy();
  }
}

export const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** Two traders with collateral and a market of their own. */
export async function prepareMarket(
  client: RpcClient,
  symbol: string,
): Promise<{ readonly marketId: number; readonly maker: Hex; readonly taker: Hex }> {
  const marketId = Number(await client.call<Hex>('primeorders_addMarket', [symbol, hex(1), hex(1)]));
  const [maker, taker] = [2, 3].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex }).address);
  for (const trader of [maker, taker]) await client.call('primeorders_depositCollateral', [trader, hex(10n ** 15n)]);
  return { marketId, maker: maker!, taker: taker! };
}

/** Signed transfers of one of the funded accounts, consecutive nonces from the account's next. */
export async function signTransfers(
  client: RpcClient,
  addressIndex: number,
  count: number,
  data?: Hex,
): Promise<Hex[]> {
  const account = mnemonicToAccount(junkMnemonic, { addressIndex });
  const nonce = Number(await client.call<Hex>('eth_getTransactionCount', [account.address, 'pending']));
  const transfers: Hex[] = [];
  for (let index = 0; index < count; index++) {
    transfers.push(
      await account.signTransaction({
        type: 'eip1559',
        chainId: 7919,
        nonce: nonce + index,
        to: '0x00000000000000000000000000000000000000e1',
        value: 1n,
        ...(data !== undefined && { data }),
        // 40 for each byte of call data: its price where nothing is computed (EIP-7623).
        gas: 21_000n + 40n * BigInt(((data ?? '0x').length - 2) / 2),
        maxFeePerGas: parseGwei('100'),
        maxPriorityFeePerGas: parseGwei('1'),
      }),
    );
  }
  return transfers;
}
