import { readAmount } from '../../chain/amount.ts';
import { formatWei } from '../../kit/index.ts';
import type { RpcClient } from '../../node/rpcClient.ts';
import { isAddress } from '../../router/routes.ts';

/** What a network gives to people who try it. */
export interface TestFunds {
  /** Whether collateral comes out of nothing: genesis names a faucet, and actions may come unsigned. */
  readonly hasFaucet: boolean;
  /** Accounts whose keys the node holds. */
  readonly accounts: readonly TestAccount[];
}

/** An account whose key the node holds, with its balance. */
export interface TestAccount {
  readonly address: `0x${string}`;
  readonly wei: bigint;
}

/** Accounts that are asked about. */
const accountsMax = 20;

/** What a test network gives away: its faucet, and accounts that the node signs for. */
export async function readFunds({ request }: Pick<RpcClient, 'request'>): Promise<TestFunds> {
  const [genesis, held] = await Promise.all([
    request({ method: 'prime_getGenesis' }),
    request({ method: 'eth_accounts' }),
  ]);
  const { faucet, actions } = genesis as { readonly faucet?: unknown; readonly actions?: unknown };
  const addresses = (Array.isArray(held) ? held : []).slice(0, accountsMax) as readonly `0x${string}`[];
  const balances = await Promise.all(
    addresses.map((address) => request({ method: 'eth_getBalance', params: [address, 'latest'] })),
  );
  return {
    hasFaucet: typeof faucet === 'string' && actions === 'open',
    accounts: addresses.map((address, index) => ({ address, wei: BigInt(String(balances[index])) })),
  };
}

/** An amount of whole units as wei; a message where it is none. */
export function parseAmount(text: string, unitsMax = 1_000_000n): bigint | string {
  const wei = readAmount(text);
  if (wei === null) return 'An amount such as 10 or 0.5.';
  if (wei === 0n) return 'More than nothing.';
  return wei > unitsMax * 10n ** 18n ? `At most ${formatWei(unitsMax, 0)}.` : wei;
}

/** An address as it is asked for; a message where it is none. */
export function parseReceiver(text: string): { readonly address: `0x${string}` } | string {
  const address = text.trim().toLowerCase();
  return isAddress(address) ? { address } : 'An address is 0x and 40 hex digits.';
}

const quantity = (wei: bigint): string => `0x${wei.toString(16)}`;

/** What is done for an account. @throws what the node refuses */
export const giveFunds = {
  /** Coins of one of the accounts of the node. */
  coins: ({ request }: Pick<RpcClient, 'request'>, from: string, to: string, wei: bigint): Promise<unknown> =>
    request({ method: 'eth_sendTransaction', params: [{ from, to, value: quantity(wei) }] }),
  /** Collateral to trade with; the faucet pays what the account lacks. */
  collateral: ({ request }: Pick<RpcClient, 'request'>, to: string, wei: bigint): Promise<unknown> =>
    request({ method: 'primeorders_depositCollateral', params: [to, quantity(wei)] }),
};
