import { compileContract, junkMnemonic } from '@prime/examples';
import { until } from '@prime/testkit';
import { encodeDeployData, encodeFunctionData, type Hex, keccak256, pad, parseGwei, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { RpcClient } from '../client.ts';

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

export const logTransactions = 100;
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
const gasPrice = parseGwei('100');
const holderAt = (index: number): Hex => `0x${(0xbe0000 + index).toString(16).padStart(40, '0')}`;

/** Deploys a token and a source of logs, gives some tokens away, and makes 10 000 logs in 100 blocks. */
export async function prepare(url: string): Promise<Subjects> {
  const client = new RpcClient(url, 1);
  const account = mnemonicToAccount(junkMnemonic, { addressIndex: 0 });
  let nonce = 0;
  const send = async (to: Hex | null, data: Hex, gas: bigint) => {
    const shape = { type: 'legacy', chainId: 7919, nonce: nonce++, data, gas, gasPrice } as const;
    const raw = await account.signTransaction(to === null ? shape : { ...shape, to });
    await client.call('eth_sendRawTransaction', [raw]);
    const hash = keccak256(raw);
    const receipt = await until('a receipt', () =>
      client.call<{ status: Hex; contractAddress: Hex; blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash]),
    );
    if (receipt.status !== '0x1') throw new Error(`transaction ${nonce - 1} failed`);
    return { ...receipt, hash };
  };
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const supplyPerHolder = 10n ** 18n;
  const deployed = await send(null, encodeDeployData({ abi, bytecode, args: [10n ** 24n] }), 3_000_000n);
  const token = deployed.contractAddress;
  const holders = Array.from({ length: holderCount }, (_, index) => holderAt(index));
  for (const holder of holders)
    await send(token, encodeFunctionData({ abi, functionName: 'transfer', args: [holder, supplyPerHolder] }), 200_000n);
  const { contractAddress: logSource } = await send(null, logSourceCode, 1_000_000n);
  const calldata = pad(toHex(logsPerTransaction), { size: 32 });
  const blocks: number[] = [];
  for (let index = 0; index < logTransactions; index++)
    blocks.push(Number((await send(logSource, calldata, 1_000_000n)).blockNumber));
  await client.close();
  return {
    token,
    holders,
    supplyPerHolder,
    logSource,
    firstLogBlock: blocks[0]!,
    lastLogBlock: blocks.at(-1)!,
    transactionHash: deployed.hash,
  };
}
