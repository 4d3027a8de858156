import { Hardfork } from '@ethereumjs/common';
import { createTxFromRLP } from '@ethereumjs/tx';
import type { GenesisAccount, Receipt, VerifiedTransaction } from '@prime/codec';
import { blobTransactionType, encodeRlp } from '@prime/codec';
import { cryptoProvider, keccakHex } from '@prime/crypto';
import { allocateState, createCommon, createCustomCrypto, createEvmState } from '@prime/evm';
import { createMemoryDatabase } from '@prime/evm/testing';
import {
  type Address,
  bytesToAddress,
  bytesToHash,
  type Hash,
  type Height,
  hexToBytes,
  parseAddress,
  type TimestampMs,
  utf8ToBytes,
} from '@prime/primitives';

/** One file of GeneralStateTests: one transaction, with lists of data, gas limits and values to combine. */
interface StateTest {
  readonly env: Readonly<Record<string, string>>;
  readonly pre: Readonly<
    Record<string, { balance: string; nonce: string; code: string; storage: Record<string, string> }>
  >;
  readonly post: Readonly<Record<string, readonly PostState[]>>;
}

interface PostState {
  readonly hash: string;
  readonly logs: string;
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
  readonly txbytes: string;
  readonly expectException?: string;
}

/** Newest first: the rules that a case runs under are the newest ones that its file knows. */
const forks = ['Prague', 'Cancun', 'Shanghai', 'Paris', 'Merge', 'London', 'Berlin'] as const;
const hardforkOf: Readonly<Record<(typeof forks)[number], Hardfork>> = {
  Prague: Hardfork.Prague,
  Cancun: Hardfork.Cancun,
  Shanghai: Hardfork.Shanghai,
  Paris: Hardfork.Paris,
  Merge: Hardfork.Paris,
  London: Hardfork.London,
  Berlin: Hardfork.Berlin,
};

export interface StateCase {
  readonly name: string;
  readonly fork: (typeof forks)[number];
  readonly test: StateTest;
  readonly post: PostState;
}

export type CaseResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly why: string }
  /** Something that this chain does not have. */
  | { readonly kind: 'notApplicable'; readonly why: string };

/** Cases of one file under its newest rules. */
export function casesOf(file: string, content: unknown): readonly StateCase[] {
  const cases: StateCase[] = [];
  for (const [title, test] of Object.entries(content as Record<string, StateTest>)) {
    const fork = forks.find((name) => test.post[name] !== undefined);
    if (fork === undefined) continue;
    for (const post of test.post[fork] ?? []) {
      const { data, gas, value } = post.indexes;
      cases.push({ name: `${file} ${title} ${fork} d${data} g${gas} v${value}`, fork, test, post });
    }
  }
  return cases;
}

const provider = await cryptoProvider();
const word = (hex: string): Hash => `0x${BigInt(hex).toString(16).padStart(64, '0')}` as Hash;

function allocationOf(test: StateTest): readonly GenesisAccount[] {
  return Object.entries(test.pre).map(([address, { balance, nonce, code, storage }]) => ({
    address: parseAddress(address),
    balance: BigInt(balance),
    nonce: Number(BigInt(nonce)),
    code: hexToBytes(code),
    storage: Object.entries(storage).map(([slot, value]) => ({ slot: word(slot), value: word(value) })),
  }));
}

/** Tests that call 0x…0101 without the gas of a read. It is warm there, and costs less than the account without code that they expect. */
const callsWithoutGas: readonly string[] = ['failed_tx_xcf416c53_Paris'];

/** Executes one case through begin, run and finish, and compares state root and logs. */
export async function runCase({ name, test, post, fork }: StateCase): Promise<CaseResult> {
  const raw = hexToBytes(post.txbytes);
  if (fork === 'Berlin') return { kind: 'notApplicable', why: 'rules from before EIP-1559' };
  if (raw[0] === blobTransactionType) return { kind: 'notApplicable', why: 'blob transaction' };
  if (Object.values(test.pre).some(({ nonce }) => BigInt(nonce) > BigInt(Number.MAX_SAFE_INTEGER)))
    return { kind: 'notApplicable', why: 'a nonce above 2^53' };
  const common = createCommon(1, createCustomCrypto(provider), hardforkOf[fork]);
  const { stateRoot, writes } = allocateState(allocationOf(test));
  let asksOrders = callsWithoutGas.some((title) => name.includes(` ${title} `));
  const evm = await createEvmState({
    database: createMemoryDatabase(writes),
    common,
    orderViews: {
      read: async () => {
        asksOrders = true;
        return { ok: false, output: new Uint8Array(0) };
      },
    },
    stateRoot,
    // What the filling tool says about earlier blocks: the hash of the number's decimal digits.
    blockHashOf: (height) => keccakHex(utf8ToBytes(String(height))),
  });
  const { env } = test;
  const block = evm.begin({
    height: Number(env['currentNumber']) as Height,
    timestampMs: (Number(env['currentTimestamp']) * 1000) as TimestampMs,
    proposer: parseAddress(env['currentCoinbase']!),
    gasLimit: BigInt(env['currentGasLimit']!),
    baseFee: BigInt(env['currentBaseFee'] ?? '0x0a'),
    parentHash: word('0x00'),
    prevRandao: word(env['currentRandom'] ?? '0x00'),
  });
  const transaction = verifiedOf(raw, common);
  const executed = transaction === null ? [] : [transaction];
  await block.run(executed);
  const outcome = await block.finish();
  if (asksOrders) return { kind: 'notApplicable', why: 'a call of 0x…0101, where Prime reads the order book' };
  if (outcome.stateRoot !== post.hash)
    return { kind: 'failed', why: `state root ${outcome.stateRoot}, expected ${post.hash}` };
  const logs = logsHash(outcome.receipts);
  return logs === post.logs ? { kind: 'passed' } : { kind: 'failed', why: `logs ${logs}, expected ${post.logs}` };
}

/** The fixtures' transactions are for chain 1 and often without EIP-155, so they do not come through Prime's own admission. */
function verifiedOf(raw: Uint8Array, common: ReturnType<typeof createCommon>): VerifiedTransaction | null {
  try {
    const transaction = createTxFromRLP(raw, { common });
    const maxFeePerGas = 'maxFeePerGas' in transaction ? transaction.maxFeePerGas : transaction.gasPrice;
    return {
      raw,
      hash: bytesToHash(transaction.hash()),
      type: transaction.type,
      sender: bytesToAddress(transaction.getSenderAddress().bytes),
      nonce: Number(transaction.nonce),
      gasLimit: transaction.gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas: 'maxPriorityFeePerGas' in transaction ? transaction.maxPriorityFeePerGas : maxFeePerGas,
      value: transaction.value,
      to: transaction.to === undefined ? null : (transaction.to.toString() as Address),
    };
  } catch {
    return null;
  }
}

const logsHash = (receipts: readonly Receipt[]): Hash =>
  keccakHex(
    encodeRlp(receipts.flatMap(({ logs }) => logs).map(({ address, topics, data }) => [address, [...topics], data])),
  );
