import {
  type Address,
  type Agent,
  DisabledOnSurfaceError,
  getAccount,
  getAgents,
  getOpenOrders,
  type MarginAccount,
  type OpenOrder,
} from '@prime/sdk';
import type { RpcClient } from '../../node/rpcClient.ts';

/** An account in both domains. */
export interface ReadAccount {
  /** In the EVM, wei. */
  readonly balance: bigint;
  /** EVM transactions that it sent. */
  readonly nonce: bigint;
  /** Bytes of its code; 0 where it has none. */
  readonly codeBytes: number;
  /** null where the node does not tell about accounts of the exchange. */
  readonly exchange: ExchangeAccount | null;
}

/** What the order book knows of an account. */
export interface ExchangeAccount {
  readonly account: MarginAccount;
  readonly orders: readonly OpenOrder[];
  readonly agents: readonly Agent[];
}

/** Both sides of an account at the newest block: EVM balance, nonce and code, and the order book's. */
export async function readAccount(client: RpcClient, address: Address): Promise<ReadAccount> {
  const ask = (method: string): Promise<string> =>
    client.request({ method, params: [address, 'latest'] }) as Promise<string>;
  const [balance, nonce, code, exchange] = await Promise.all([
    ask('eth_getBalance'),
    ask('eth_getTransactionCount'),
    ask('eth_getCode'),
    readExchange(client, address),
  ]);
  return { balance: BigInt(balance), nonce: BigInt(nonce), codeBytes: (code.length - 2) / 2, exchange };
}

async function readExchange({ sdk }: RpcClient, address: Address): Promise<ExchangeAccount | null> {
  try {
    const [account, orders, agents] = await Promise.all([
      getAccount(sdk, { address }),
      getOpenOrders(sdk, { address }),
      getAgents(sdk, { address }),
    ]);
    return { account, orders, agents };
  } catch (error) {
    // After the privacy fork a public node tells nobody about the accounts of others.
    if (error instanceof DisabledOnSurfaceError) return null;
    throw error;
  }
}
