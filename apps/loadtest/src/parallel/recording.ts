import { type ActionPayload, decodeNativeTransaction } from '@prime/codec';
import { rpc } from '@prime/load/rpc';
import { hexToBytes, type Hex } from '@prime/primitives';

/** What an item of a block touched. Keys are texts: `account …`, `slot … …`, `market …`, `margin …`. */
export interface ItemTrace {
  /** `transaction`, or the type of an action. */
  readonly kind: string;
  /** Of a transaction. */
  readonly gas: number;
  /** Orders, cancels and the like: of a batch all of them. */
  readonly steps: number;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** A block of a recording; one line of its file. */
export interface BlockTrace {
  readonly height: number;
  /** Who is paid for the block: each transaction adds to it, and none looks at it. */
  readonly feeKey: string;
  readonly items: readonly ItemTrace[];
}

/** Without what did not change, in the state after a transaction. */
interface Shown {
  readonly balance?: string;
  readonly nonce?: number;
  readonly code?: string;
  readonly storage?: Readonly<Record<string, string>>;
}
type Accounts = Readonly<Record<string, Shown>>;

interface RpcBlock {
  readonly miner: string;
  readonly transactions: readonly string[];
}
interface Event {
  readonly kind: string;
  readonly transaction_hash?: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const heightOf = (height: number): string => `0x${height.toString(16)}`;

/**
 * Read and write sets of a block: transactions of the EVM are traced again by the node (prestateTracer), actions name their markets, and their events the accounts
 * that they met.
 */
export async function recordBlock(url: string, height: number): Promise<BlockTrace> {
  const number = heightOf(height);
  const block = await rpc<RpcBlock>(url, 'eth_getBlockByNumber', [number, false]);
  const transactions = await transactionsOf(url, number, block);
  return { height, feeKey: accountKey(block.miner), items: [...transactions, ...(await actionsOf(url, number))] };
}

async function transactionsOf(url: string, number: string, { transactions }: RpcBlock): Promise<readonly ItemTrace[]> {
  if (transactions.length === 0) return [];
  const trace = <Result>(diffMode: boolean): Promise<readonly { readonly result: Result }[]> =>
    rpc(url, 'debug_traceBlockByNumber', [
      number,
      { tracer: 'prestateTracer', tracerConfig: { diffMode, disableCode: true, includeEmpty: true } },
    ]);
  const [touched, changed, receipts] = await Promise.all([
    trace<Accounts>(false),
    trace<{ readonly pre: Accounts; readonly post: Accounts }>(true),
    rpc<readonly { readonly gasUsed: Hex }[]>(url, 'eth_getBlockReceipts', [number]),
  ]);
  return touched.map(({ result }, index) => {
    const { pre, post } = changed[index]!.result;
    return {
      kind: 'transaction',
      gas: Number(receipts[index]!.gasUsed),
      steps: 1,
      reads: keysOf(result),
      writes: writesOf(pre, post),
    };
  });
}

const accountKey = (address: string): string => `account ${address.toLowerCase()}`;

const keysOf = (accounts: Accounts): string[] =>
  Object.entries(accounts).flatMap(([address, { storage = {} }]) => [
    accountKey(address),
    ...Object.keys(storage).map((slot) => `slot ${address.toLowerCase()} ${slot}`),
  ]);

/** An account is written when its own fields change, and not when only slots of it do. A slot that becomes zero is in the state before alone. */
function writesOf(pre: Accounts, post: Accounts): readonly string[] {
  const isChanged = (address: string): boolean => {
    const after = post[address];
    if (after === undefined) return true;
    return after.balance !== undefined || after.nonce !== undefined || after.code !== undefined;
  };
  const slots = [...keysOf(pre), ...keysOf(post)].filter((key) => key.startsWith('slot '));
  const accounts = Object.keys({ ...pre, ...post })
    .filter(isChanged)
    .map(accountKey);
  return [...new Set([...accounts, ...slots])];
}

async function actionsOf(url: string, number: string): Promise<readonly ItemTrace[]> {
  const [actions, { domain_events: events }] = await Promise.all([
    rpc<readonly { readonly hash: string; readonly raw: Hex }[]>(url, 'prime_getBlockActions', [number]),
    rpc<{ readonly domain_events: readonly Event[] }>(url, 'prime_getBlockByNumber', [number, true]),
  ]);
  const met = new Map<string, Set<string>>();
  for (const { transaction_hash: hash, data } of events) {
    if (hash === undefined || hash === null) continue;
    const keys = met.get(hash) ?? new Set();
    met.set(hash, keys);
    for (const name of ['maker', 'taker', 'address', 'owner'])
      if (typeof data[name] === 'string') keys.add(marginKey(data[name]));
    if (typeof data['market_id'] === 'number') keys.add(`market ${data['market_id']}`);
  }
  return actions.map(({ hash, raw }) => {
    const { account, payload } = decodeNativeTransaction(hexToBytes(raw));
    const steps = payload.type === 'batch' ? payload.items : [payload];
    const keys = [...new Set([marginKey(account), ...steps.flatMap(marketsOf), ...(met.get(hash) ?? [])])];
    // Matching changes the book and the accounts that it looks at.
    return { kind: payload.type, gas: 0, steps: steps.length, reads: keys, writes: keys };
  });
}

const marginKey = (address: string): string => `margin ${address.toLowerCase()}`;
const marketsOf = (payload: ActionPayload): string[] =>
  'marketId' in payload && payload.marketId !== null ? [`market ${payload.marketId}`] : [];
