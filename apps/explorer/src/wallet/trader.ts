import {
  type Address,
  callCancelAll,
  callCancelOrder,
  callDepositCollateral,
  callSubmitOrder,
  type OrderRequest,
  type PlacedOrder,
  type PrimeClient,
} from '@prime/sdk';

/** What somebody can do, whatever signs it. Each is settled when a block has carried it out, and throws what the SDK throws. */
export interface Trader {
  place(order: OrderRequest): Promise<PlacedOrder>;
  cancel(orderId: number): Promise<unknown>;
  cancelAll(marketId: number): Promise<unknown>;
  /** Moves money of the account into its collateral. @param amount wei */
  deposit(amount: bigint): Promise<unknown>;
}

/** For a network that takes accounts at their word: nothing is signed. */
export const openTrader = (client: PrimeClient, address: Address): Trader => ({
  place: (order) => callSubmitOrder(client, { owner: address, ...order }),
  cancel: (orderId) => callCancelOrder(client, { orderId }),
  cancelAll: (market) => callCancelAll(client, { owner: address, market }),
  deposit: (amount) => callDepositCollateral(client, { address, amount }),
});

/** The number of an EIP-1193 error for a person who said no. */
const declined = 4001;

/** Why something was not done, in words for the person who wanted it. */
export function whyNot(error: unknown): string {
  const { code, shortMessage, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly shortMessage?: unknown;
    readonly message?: unknown;
  };
  if (isDeclined(error)) return 'You declined it in the wallet. Nothing was sent.';
  if (typeof shortMessage === 'string') return shortMessage;
  if (typeof message === 'string' && message !== '') return message.split('\n')[0]!;
  return `The wallet did not say why${typeof code === 'number' ? ` (${code})` : ''}.`;
}

function isDeclined(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth++) {
    if ((at as { readonly code?: unknown }).code === declined) return true;
    at = (at as { readonly cause?: unknown }).cause;
  }
  return false;
}
