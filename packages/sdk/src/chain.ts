import { ordersAddress as ordersAccount } from '@prime/codec';
import { type Chain, defineChain } from 'viem';

/** Account of the order book: deposits by plain payment, calls of contracts, and the orders root in its slot 0. */
export const ordersAddress = ordersAccount as string as `0x${string}`;

/** Chain id of networks that `prime testnet` makes, where nobody names another one. */
const localChainId = 7919;

/** A network as viem describes chains: id, name and nodes. */
export interface PrimeChainParameters {
  readonly id: number;
  readonly name?: string | undefined;
  /** URLs of nodes, HTTP. */
  readonly http: readonly [string, ...string[]];
  /** URLs of nodes, WebSocket. */
  readonly webSocket?: readonly string[] | undefined;
  readonly testnet?: boolean | undefined;
}

/** A Prime network for viem: final blocks, native coin of 18 decimals, the order book's address among the contracts. */
export const definePrimeChain = ({
  id,
  name = 'Prime',
  http,
  webSocket,
  testnet = false,
}: PrimeChainParameters): Chain =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Prime', symbol: 'PRIME', decimals: 18 },
    rpcUrls: { default: { http, ...(webSocket === undefined ? {} : { webSocket }) } },
    contracts: { orders: { address: ordersAddress } },
    testnet,
    // Blocks come when there is work, so clients that poll ask twice a second.
    blockTime: 500,
  });

/** The network that `npm start` runs on this machine: the first node of `prime testnet up`. */
export const prime = definePrimeChain({
  id: localChainId,
  name: 'Prime local',
  http: ['http://127.0.0.1:8545'],
  webSocket: ['ws://127.0.0.1:8545'],
  testnet: true,
});
