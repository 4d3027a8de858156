import { getBlockActions, getNativeBlock, LimitExceededError, errorFromRpc, type PrimeClient } from '@prime/sdk';
import type { Log } from 'viem';
import { getLogs, getTransactionReceipt } from 'viem/actions';
import { type ChainBlock, type ChainLog, checkBlock } from '../chainBlock.ts';

/**
 * All that streams tell of a block, as one node has it; null where it has not come to that node yet.
 *
 * @throws StreamsError `STREAMS_ANSWER_WRONG`, and what actions of the SDK throw
 */
export async function readBlock(client: PrimeClient, height: number): Promise<ChainBlock | null> {
  const number = BigInt(height);
  const block = await getNativeBlock(client, { block: number });
  if (block === null || block.hash === null) return null;
  const { hash, domainEvents: events, actionCount, transactions } = block;
  // Only events that an action caused need the hashes of actions.
  const namesAction =
    actionCount > 0 && events.some((event) => event.ticket === null && event.transactionHash !== null);
  const [actions, logs] = await Promise.all([
    namesAction ? getBlockActions(client, { block: number }) : [],
    transactions.length === 0 ? [] : logsOf(client, number, transactions),
  ]);
  if (actions === null) return null;
  const whole = { height, hash, block, events, logs, actionHashes: actions.map((action) => action.hash) };
  checkBlock(whole);
  return whole;
}

async function logsOf(
  client: PrimeClient,
  number: bigint,
  transactions: readonly `0x${string}`[],
): Promise<readonly ChainLog[]> {
  try {
    return (await getLogs(client, { fromBlock: number, toBlock: number })).map(toChainLog);
  } catch (thrown) {
    const error = errorFromRpc(thrown);
    // An overloaded node says when to come back. A block with more logs than one answer may hold is asked for by transaction.
    if (!(error instanceof LimitExceededError) || error.retryAfterMs !== null) throw error;
  }
  const logs: ChainLog[] = [];
  for (const hash of transactions) {
    const receipt = await getTransactionReceipt(client, { hash }).catch((thrown: unknown) => {
      throw errorFromRpc(thrown);
    });
    logs.push(...receipt.logs.map(toChainLog));
  }
  return logs;
}

const toChainLog = ({
  logIndex,
  address,
  topics,
  data,
  transactionHash,
  transactionIndex,
}: Log<bigint, number, false>): ChainLog => ({
  logIndex,
  address: address.toLowerCase() as `0x${string}`,
  topics,
  data,
  transactionHash,
  transactionIndex,
});
