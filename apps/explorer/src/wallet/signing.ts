/** All that signs, and with it viem: loaded when somebody connects a wallet. */
import {
  type Address,
  approveAgent,
  cancelAllOrders,
  cancelOrder,
  definePrimeChain,
  depositCollateral,
  placeOrder,
  type PrimeClient,
  revokeAgent,
  toAgentAccount,
} from '@prime/sdk';
import type { Account } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { NetworkFacts } from '../node/network.ts';
import type { RpcClient } from '../node/rpcClient.ts';
import { chainParameter } from './addChain.ts';
import type { StoredAgent } from './identity.ts';
import type { Provider } from './providers.ts';
import type { Trader } from './trader.ts';

/** What a wallet answers itself; everything else goes to the node that the page reads. */
const isOfWallet = (method: string): boolean =>
  /^(?:eth_signTypedData|wallet_|eth_requestAccounts|eth_accounts$)/.test(method);

interface ClientParts {
  readonly node: RpcClient;
  readonly network: NetworkFacts;
  readonly account: Account;
  /** null where the account signs by itself. */
  readonly provider: Provider | null;
}

/** A client for the wallet actions of the SDK, which ask it for `request`, `account` and `chain`. */
function clientOf({ node, network, account, provider }: ClientParts): PrimeClient {
  const chain = definePrimeChain({
    id: network.chainId,
    name: network.name,
    http: [node.url],
    testnet: network.isTest,
  });
  const request: RpcClient['request'] = (call) =>
    provider !== null && isOfWallet(call.method) ? provider.request(call) : node.request(call);
  return { account, chain, request } as unknown as PrimeClient;
}

const traderOf = (client: PrimeClient): Trader => ({
  place: (order) => placeOrder(client, order),
  cancel: (orderId) => cancelOrder(client, { orderId }),
  cancelAll: (market) => cancelAllOrders(client, { market }),
  deposit: (amount) => depositCollateral(client, { amount }),
});

/** A wallet that signs for one address, and the network that it signs for. */
export interface WalletParts {
  readonly node: RpcClient;
  readonly network: NetworkFacts;
  readonly provider: Provider;
  readonly address: Address;
}

/** Each action is shown and signed in the wallet, as EIP-712 typed data. */
export function walletTrader(parts: WalletParts): Trader {
  const trader = traderOf(walletClient(parts));
  // A wallet signs typed data of the network only that it is on.
  const afterSwitch =
    <parameters extends readonly unknown[], result>(act: (...given: parameters) => Promise<result>) =>
    async (...given: parameters): Promise<result> => {
      await switchNetwork(parts);
      return act(...given);
    };
  return {
    place: afterSwitch(trader.place),
    cancel: afterSwitch(trader.cancel),
    cancelAll: afterSwitch(trader.cancelAll),
    deposit: afterSwitch(trader.deposit),
  };
}

const walletClient = ({ node, network, provider, address }: WalletParts): PrimeClient =>
  clientOf({ node, network, provider, account: { address, type: 'json-rpc' } });

/** Signs without asking, in this page, as far as the account allowed it. */
export function agentTrader(node: RpcClient, network: NetworkFacts, { privateKey, owner }: StoredAgent): Trader {
  const account = toAgentAccount(privateKeyToAccount(privateKey), { owner });
  return traderOf(clientOf({ node, network, account, provider: null }));
}

/** An agent ends by itself, so that a browser that is lost is no trouble for ever. */
const agentDays = 7;
const dayMs = 86_400_000;

/** Makes a key and lets the wallet allow it to trade and cancel. The key never left the page, and is worth nothing before the block of the approval. */
export async function createAgent(parts: WalletParts): Promise<StoredAgent> {
  await switchNetwork(parts);
  const privateKey = generatePrivateKey();
  const address = privateKeyToAccount(privateKey).address.toLowerCase() as Address;
  const validUntilMs = Date.now() + agentDays * dayMs;
  await approveAgent(walletClient(parts), {
    agent: address,
    permissions: ['trade', 'cancel'],
    validUntilMs,
    name: 'explorer page',
  });
  return { owner: parts.address, address, privateKey, validUntilMs };
}

/** Takes the permission back: from then on the key is worth nothing, wherever it is. */
export async function endAgent(parts: WalletParts, agent: Address): Promise<void> {
  await switchNetwork(parts);
  await revokeAgent(walletClient(parts), { agent });
}

/** EIP-3326: the wallet does not know the chain. */
const unknownChain = 4902;

/** Brings the wallet to this network, and tells it what that is where it has never heard of it. */
async function switchNetwork({ node, network, provider }: WalletParts): Promise<void> {
  const chainId = `0x${network.chainId.toString(16)}`;
  if ((await provider.request({ method: 'eth_chainId' })) === chainId) return;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== unknownChain) throw error;
    const added = chainParameter({ ...network, rpcUrl: node.url, explorerUrl: location.origin });
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] });
  }
}
