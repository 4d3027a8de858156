import type { Account, Chain, Client, Transport } from 'viem';
import { errorFromRpc } from './errors/fromRpc.ts';
import type { RpcMethodName, RpcParameters, RpcResult } from './generated/methods.ts';

/** Any client of viem: public, wallet, or a plain one. */
export type PrimeClient<
  chain extends Chain | undefined = Chain | undefined,
  account extends Account | undefined = Account | undefined,
> = Client<Transport, chain, account>;

interface CallOptions {
  /** How often viem asks again where a node could not be asked or was busy. Default: that of the transport. */
  readonly retryCount?: number | undefined;
}

type Request = (args: { readonly method: string; readonly params: unknown }, options?: CallOptions) => Promise<unknown>;

/**
 * Calls a method and gives its answer as JSON has it.
 *
 * @throws RefusalError, RpcAnswerError and their kin for what a node answers; viem's HttpRequestError, TimeoutError,
 *   WebSocketRequestError where no answer came
 */
export async function callRpc<method extends RpcMethodName>(
  client: PrimeClient,
  method: method,
  parameters: RpcParameters<method>,
  options?: CallOptions,
): Promise<RpcResult<method>> {
  const params = trimmed((parameters ?? []) as readonly unknown[]);
  try {
    return (await (client.request as Request)({ method, params }, options)) as RpcResult<method>;
  } catch (thrown) {
    throw errorFromRpc(thrown);
  }
}

/** What is left out at the end is not sent; in the middle null stands for it. */
function trimmed(parameters: readonly unknown[]): readonly unknown[] {
  let length = parameters.length;
  while (length > 0 && parameters[length - 1] == null) length--;
  return parameters.slice(0, length).map((parameter) => parameter ?? null);
}
