import { compileContract, junkMnemonic } from '@prime/examples';
import { createPublicClient, encodeDeployData, encodeFunctionData, type Hex, http, pad, parseGwei, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** What both servers hold before anything is measured; made by the same signed transactions. */
export interface Subjects {
  readonly token: Hex;
  /** Each holds some of the token. */
  readonly holders: readonly Hex[];
  readonly supplyPerHolder: bigint;
  readonly logSource: Hex;
  readonly firstLogBlock: number;
  readonly lastLogBlock: number;
  /** Of one of the transactions. */
  readonly transactionHash: Hex;
}

/** Transactions that emit logs for `eth_getLogs` to find. */
export const logTransactions = 100;
/** Logs that each of them emits. */
export const logsPerTransaction = 100;
/** First topic of all logs of the source; the second is their number within the transaction. */
export const logTopic: Hex = `0x${'ab'.repeat(32)}`;

/** Emits LOG2(topic, i) with i as its data for i in 0 … calldata word − 1. */
const logSourceCode = (() => {
  const runtime = `5f5b805f52807f${logTopic.slice(2)}60205fa2600101805f351160015700`;
  const length = (runtime.length / 2).toString(16).padStart(2, '0');
  return `0x60${length}8060095f395ff3${runtime}` as Hex;
})();

const holderCount = 16;
/** Between two looks for a receipt, ms. */
const pollMs = 20;
const gasPrice = parseGwei('100');
const holderAt = (index: number): Hex => `0x${(0xbe0000 + index).toString(16).padStart(40, '0')}`;

/** Deploys a token and a source of logs, gives some tokens away, and makes 10 000 logs in 100 blocks. */
export async function prepare(url: string): Promise<Subjects> {
  const client = createPublicClient({ transport: http(url), pollingInterval: pollMs });
  const account = mnemonicToAccount(junkMnemonic, { addressIndex: 0 });
  let nonce = 0;
  const send = async (to: Hex | null, data: Hex, gas: bigint) => {
    const shape = { type: 'legacy', chainId: 7919, nonce: nonce++, data, gas, gasPrice } as const;
    const raw = await account.signTransaction(to === null ? shape : { ...shape, to });
    const hash = await client.sendRawTransaction({ serializedTransaction: raw });
    const receipt = await client.waitForTransactionReceipt({ hash });
    if (receipt.status !== 'success') throw new Error(`transaction ${nonce - 1} failed`);
    return receipt;
  };
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const supplyPerHolder = 10n ** 18n;
  const deployed = await send(null, encodeDeployData({ abi, bytecode, args: [10n ** 24n] }), 3_000_000n);
  const token = deployed.contractAddress!;
  const holders = Array.from({ length: holderCount }, (_, index) => holderAt(index));
  for (const holder of holders)
    await send(token, encodeFunctionData({ abi, functionName: 'transfer', args: [holder, supplyPerHolder] }), 200_000n);
  const { contractAddress: logSource } = await send(null, logSourceCode, 1_000_000n);
  const calldata = pad(toHex(logsPerTransaction), { size: 32 });
  const blocks: number[] = [];
  for (let index = 0; index < logTransactions; index++)
    blocks.push(Number((await send(logSource!, calldata, 1_000_000n)).blockNumber));
  return {
    token,
    holders,
    supplyPerHolder,
    logSource: logSource!,
    firstLogBlock: blocks[0]!,
    lastLogBlock: blocks.at(-1)!,
    transactionHash: deployed.transactionHash,
  };
}
