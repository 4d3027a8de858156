import { prime, primeActions, primeCallActions, primeWalletActions } from '@prime/sdk';
import { type Testnet, until } from '@prime/testkit';
import { type Account, createPublicClient, createWalletClient, fallback, http } from 'viem';

/** Clients of a network of processes, as developers make them. */
export class Clients {
  readonly #testnet: Testnet;

  constructor(testnet: Testnet) {
    this.#testnet = testnet;
  }

  reader(node = 0) {
    return createPublicClient({ chain: prime, transport: http(this.#testnet.url(node)) })
      .extend(primeActions())
      .extend(primeCallActions());
  }

  /** A node once it has the block in which something was carried out. */
  async after({ blockNumber }: { readonly blockNumber: bigint }, node: number) {
    const client = this.reader(node);
    await until(
      `node ${node} has block ${blockNumber}`,
      async () => (await client.getBlockNumber({ cacheTime: 0 })) >= blockNumber,
    );
    return client;
  }

  async openOrders({ address }: Account, carriedOut: { readonly blockNumber: bigint }) {
    return (await this.after(carriedOut, 0)).getOpenOrders({ address });
  }

  /** @param urls of nodes, which are asked in turn; default: the first node */
  walletOf(account: Account, ...urls: readonly string[]) {
    const asked = urls.length > 0 ? urls : [this.#testnet.url(0)];
    const transport = fallback(asked.map((url) => http(url, { retryCount: 0 })));
    return createWalletClient({ account, chain: prime, transport }).extend(primeActions()).extend(primeWalletActions());
  }
}

/** What a promise is rejected with. @throws Error when it is not */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => null,
    (thrown: unknown) => ({ thrown }),
  );
  if (outcome === null) throw new Error('it was not refused');
  return outcome.thrown;
}
