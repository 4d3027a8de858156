import { fileURLToPath } from 'node:url';
import { junkMnemonic } from '@prime/examples';
import { createTestnet, type Testnet } from '@prime/testkit';
import { createPublicClient, type Hex, http, keccak256, parseGwei } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { rpc, rpcAll, RpcError } from '@prime/load/rpc';
import { primeActions, primeCallActions } from '@prime/sdk';

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

/**
 * The program by its modules, in place of the bundle of all of them: the same code, whose functions are told by the files that they are written in.
 */
export const unbundledProgram = fileURLToPath(new URL('../../cli/dist/prime.js', import.meta.url));

/** A JSON-RPC quantity: hex without leading zeros. */
export const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** A client of the SDK, for what is not measured. */
export const clientOf = (url: string) =>
  createPublicClient({ transport: http(url) })
    .extend(primeActions())
    .extend(primeCallActions());

/** Two traders with collateral and a market of their own. */
export async function prepareMarket(
  url: string,
  symbol: string,
): Promise<{ readonly marketId: number; readonly maker: Hex; readonly taker: Hex }> {
  const client = clientOf(url);
  const { marketId } = await client.callAddMarket({ symbol, tickSize: 1n, lotSize: 1n });
  const [maker, taker] = [2, 3].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex }).address);
  for (const address of [maker!, taker!]) await client.callDepositCollateral({ address, amount: 10n ** 15n });
  return { marketId, maker: maker!, taker: taker! };
}

/** Signed transfers of one of the funded accounts, consecutive nonces from the account's next. */
export async function signTransfers(url: string, addressIndex: number, count: number, data?: Hex): Promise<Hex[]> {
  const account = mnemonicToAccount(junkMnemonic, { addressIndex });
  const nonce = await clientOf(url).getTransactionCount({ address: account.address, blockTag: 'pending' });
  const transfer = {
    type: 'eip1559',
    chainId: 7919,
    to: '0x00000000000000000000000000000000000000e1',
    value: 1n,
    ...(data !== undefined && { data }),
    // 40 for each byte of call data: its price where nothing is computed (EIP-7623).
    gas: 21_000n + 40n * BigInt(((data ?? '0x').length - 2) / 2),
    maxFeePerGas: parseGwei('100'),
    maxPriorityFeePerGas: parseGwei('1'),
  } as const;
  const transfers: Hex[] = [];
  for (let index = 0; index < count; index++)
    transfers.push(await account.signTransaction({ ...transfer, nonce: nonce + index }));
  return transfers;
}

/** In one request. @throws RpcError of the first that is refused */
export async function sendRaw(url: string, raws: readonly string[]): Promise<void> {
  const answers = await rpcAll(
    url,
    raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  );
  const refused = answers.find((answer) => answer instanceof RpcError);
  if (refused !== undefined) throw refused;
}

/** Transfers of several funded accounts, as {@link signTransfers} signs them: a list for each. */
export const signTransfersOf = (url: string, senders: number, each: number, data?: Hex): Promise<Hex[][]> =>
  Promise.all(Array.from({ length: senders }, (_, sender) => signTransfers(url, sender, each, data)));

/** Resolves after so many ms. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until a transaction has a receipt, and looks for it every `pollMs`. */
export async function untilCommitted(url: string, raw: Hex, pollMs: number): Promise<void> {
  const hash = keccak256(raw);
  while ((await rpc(url, 'eth_getTransactionReceipt', [hash])) === null) await pause(pollMs);
}
