import { keccakHex } from '@prime/crypto';
import { bytesToHex, type Hash, utf8ToBytes } from '@prime/primitives';
import { addressWord, token } from '../contracts/contracts.ts';
import { type Draft, readDraft } from '../draft.ts';
import type { KindName } from '../kindTable.ts';
import type { ProgramMaker, World } from '../world.ts';

/** Questions. Blocks and transactions are those of the facts: what is there for sure, whatever the run does meanwhile. */

const hex = (value: number): string => `0x${value.toString(16)}`;

/** Blocks back from the newest that are asked for one by one, and that logs are asked for. */
const recentBlocks = 5;
const logBlocks = 5_000;

const anyone = ({ keyring, random, allAccounts }: World): string => keyring.account(random.below(allAccounts)).address;
const recentBlock = ({ facts, random }: World): number => Math.max(0, (facts.height ?? 0) - random.below(recentBlocks));
function recentTransaction({ facts, random }: World): Hash {
  const { transactions = [] } = facts;
  return transactions[random.below(Math.max(1, transactions.length))] ?? keccakHex(utf8ToBytes(`${random.next()}`));
}

const questions: Partial<Record<KindName, (world: World) => readonly unknown[]>> = {
  eth_call: (world) => {
    const data = bytesToHex(token.balanceOf(addressWord(anyone(world) as never)));
    return [{ to: world.contracts.tokens[0], data }, 'latest'];
  },
  eth_getTransactionReceipt: (world) => [recentTransaction(world)],
  eth_getBalance: (world) => [anyone(world), 'latest'],
  eth_getBlockByNumber: (world) => [hex(recentBlock(world)), false],
  eth_getTransactionCount: (world) => [anyone(world), 'pending'],
  eth_blockNumber: () => [],
  eth_getTransactionByHash: (world) => [recentTransaction(world)],
  eth_getLogs: (world) => {
    const toBlock = recentBlock(world);
    const fromBlock = Math.max(0, toBlock - world.random.below(logBlocks));
    return [{ fromBlock: hex(fromBlock), toBlock: hex(toBlock), address: world.contracts.tokens[0] }];
  },
  eth_getCode: (world) => [world.contracts.tokens[0], 'latest'],
  primeorders_getOrderBook: ({ facts, random }) => [hex(1 + random.below(Math.max(1, facts.markets.length)))],
  primeorders_getAccount: (world) => [anyone(world)],
};

/** The program of a kind that is a JSON-RPC method; undefined for any other kind. */
export const readsOf = (kind: KindName): ProgramMaker | undefined => {
  const params = questions[kind];
  return params && ((world) => (): Draft => readDraft(kind, params(world)));
};
