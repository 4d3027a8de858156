import { pad, toHex, type Hex } from 'viem';
import type { LoadRequest } from './load.ts';
import { logsPerTransaction, logTopic, logTransactions, type Subjects } from './prepare.ts';

/** One row of the comparison: requests that both servers get. */
export interface Workload {
  readonly name: string;
  /** Least ratio to anvil that the project promises; null for a row that is only shown. */
  readonly goal: number | null;
  readonly requests: readonly LoadRequest[];
}

const batchSize = 100;

/** Body with room for the id; `serialMark` in the parameters becomes the serial number. */
function request(method: string, params: readonly unknown[], expected: string | null = null): LoadRequest {
  const text = `${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
  const [first = '', ...rest] = text.split(serialMark);
  return { pieces: ['{"jsonrpc":"2.0","id":', `,"method":${first}`, ...rest], answers: 1, expected };
}

/** Stands for 40 hex digits that differ from request to request. */
const serialMark = 'SERIAL';
const balanceOf = '0x70a08231';
const word = (value: bigint | number): Hex => pad(toHex(value), { size: 32 });
const padded = (address: string): string => address.replace('0x', '').padStart(64, '0');

/** What is measured. Each server has its own addresses and blocks of the same things. */
export function workloads(subjects: Subjects, chainId: number): readonly Workload[] {
  const { token, holders, supplyPerHolder, logSource, firstLogBlock, lastLogBlock, transactionHash } = subjects;
  const blockNumber = request('eth_blockNumber', []);
  const chain = request('eth_chainId', [], toHex(chainId));
  const balances = holders.map((holder) => request('eth_getBalance', [holder, 'latest'], '0x0'));
  const nonces = holders.map((holder) => request('eth_getTransactionCount', [holder, 'latest'], '0x0'));
  const block = request('eth_getBlockByNumber', ['latest', false]);
  const price = request('eth_gasPrice', []);
  const knownCalls = holders.map((holder) =>
    request('eth_call', [{ to: token, data: `${balanceOf}${padded(holder)}` }, 'latest'], word(supplyPerHolder)),
  );
  const newCall = request(
    'eth_call',
    [{ to: token, data: `${balanceOf}${'0'.repeat(24)}${serialMark}` }, 'latest'],
    word(0),
  );
  const receipt = request('eth_getTransactionReceipt', [transactionHash]);
  const range = { fromBlock: toHex(firstLogBlock), toBlock: toHex(lastLogBlock), address: logSource };
  const logs = (alternatives: (index: number) => unknown): LoadRequest[] =>
    Array.from({ length: logsPerTransaction }, (_, index) =>
      request('eth_getLogs', [{ ...range, topics: [logTopic, alternatives(index)] }], `${logTransactions}`),
    );
  const knownLogs = logs((index) => word(index));
  const newLogs = logs((index) => [word(index), `0x${'1'.repeat(24)}${serialMark}`]);
  const single = { blockNumber: [blockNumber], chain: [chain], block: [block], newCall: [newCall], receipt: [receipt] };
  const kinds: Kinds = { ...single, balances, nonces, knownCalls };
  return [
    { name: 'eth_blockNumber', goal: 1, requests: [blockNumber] },
    { name: 'eth_chainId', goal: 1, requests: [chain] },
    { name: 'eth_getBalance', goal: 1.1, requests: balances },
    { name: 'eth_getTransactionCount', goal: 1.1, requests: nonces },
    { name: 'eth_gasPrice', goal: 1, requests: [price] },
    { name: 'eth_getBlockByNumber(latest)', goal: 1.3, requests: [block] },
    { name: 'eth_call, ever-new', goal: 0.5, requests: [newCall] },
    { name: 'eth_call, repeated', goal: 2, requests: knownCalls },
    { name: 'eth_getLogs, 100 of 10 000', goal: 5, requests: knownLogs },
    { name: 'eth_getLogs, ever-new', goal: null, requests: newLogs },
    { name: 'batch of 100', goal: 1, requests: [batch([blockNumber, chain, ...balances, ...nonces])] },
    { name: 'mixed', goal: 1.2, requests: mixed(kinds) },
  ];
}

function batch(members: readonly LoadRequest[]): LoadRequest {
  const bodies = Array.from({ length: batchSize }, (_, index) =>
    members[index % members.length]!.pieces.join(`${index}`),
  );
  return { pieces: [`[${bodies.join(',')}]`], answers: batchSize, expected: null };
}

/** Requests of each kind, which come in turn. */
type Kinds = Readonly<Record<string, readonly LoadRequest[]>>;

/**
 * What a wallet and a page about a token ask: of twenty requests four block numbers, a chain id, four balances, two nonces, three
 * blocks, three known calls, a new one, two receipts.
 */
const mixOrder = (
  'blockNumber balances knownCalls block nonces blockNumber balances receipt newCall balances ' +
  'blockNumber block knownCalls chain nonces blockNumber balances receipt block knownCalls'
).split(' ');

/** As many rounds of {@link mixOrder} as there are balances, each a place further in every kind than the one before. */
const mixed = (kinds: Kinds): readonly LoadRequest[] =>
  kinds['balances']!.flatMap((_, round) =>
    mixOrder.map((kind, at) => {
      const before = mixOrder.slice(0, at).filter((other) => other === kind).length;
      const requests = kinds[kind]!;
      return requests[(round + before) % requests.length]!;
    }),
  );
