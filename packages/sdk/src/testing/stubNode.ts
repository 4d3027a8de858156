import { type Account, createClient, custom, HttpRequestError, RpcRequestError } from 'viem';
import { primeActions } from '../publicActions.ts';
import { primeCallActions } from '../callActions.ts';
import { primeWalletActions } from '../walletActions.ts';
import { definePrimeChain } from '../chain.ts';

/** A call as it got to the node. */
export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

const chain = definePrimeChain({ id: 7919, http: ['http://node.invalid'] });

/** An error as a node answers it. */
export const rpcError = (code: number, message: string, data?: unknown): Error =>
  new RpcRequestError({ body: {}, error: { code, message, data }, url: 'http://node.invalid' });

/** A connection that broke: nobody knows what the node did. */
export const brokenConnection = (): Error =>
  new HttpRequestError({ url: 'http://node.invalid', details: 'ECONNRESET' });

/**
 * A client whose node is a function. It may give an answer or throw; what it was asked stands in `asked`.
 *
 * @param answer gets the method, its parameters, and how often the method was asked before
 */
export function stubNode(answer: (asked: Asked, before: number) => unknown, account?: Account) {
  const asked: Asked[] = [];
  const transport = custom(
    {
      async request({ method, params = [] }: { readonly method: string; readonly params?: readonly unknown[] }) {
        const call = { method, params };
        const before = asked.filter((earlier) => earlier.method === method).length;
        asked.push(call);
        return answer(call, before);
      },
    },
    { retryCount: 0 },
  );
  const client = createClient({ chain, transport, ...(account === undefined ? {} : { account }) })
    .extend(primeActions())
    .extend(primeCallActions())
    .extend(primeWalletActions());
  return { client, asked };
}
