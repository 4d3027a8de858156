import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { junkMnemonic } from '@prime/examples';
import { rpc, RpcError } from '@prime/load/rpc';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { type Hex, keccak256, parseGwei } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** Clients that send more than blocks take are refused in time, and lose nothing that was taken. */

const senders = 8;
const perSender = 60;
/** Requests of one sender that are under way at once. */
const together = 20;
/** Ten payments fill a block, and five blocks come in a second. */
const paymentsPerBlock = 10;
const paymentGas = 21_000n;
const blockIntervalMs = 200;
const drainMs = 1_000;
const receiver = '0x00000000000000000000000000000000000000d7';

let testnet: Testnet;
beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    environment: { PRIME_LIMITS_MEMPOOL_DRAIN_MS: `${drainMs}` },
    genesis: (genesis) => {
      Object.assign(genesis['evm'] as object, { gasLimit: `${BigInt(paymentsPerBlock) * paymentGas}` });
      Object.assign(genesis['consensus'] as object, { minBlockIntervalMs: blockIntervalMs });
    },
  });
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const signAll = (addressIndex: number): Promise<Hex[]> => {
  const account = mnemonicToAccount(junkMnemonic, { addressIndex });
  return Promise.all(
    Array.from({ length: perSender }, (_, nonce) =>
      account.signTransaction({
        type: 'eip1559',
        chainId: 7919,
        nonce,
        to: receiver,
        value: 1n,
        gas: paymentGas,
        maxFeePerGas: parseGwei('100'),
        maxPriorityFeePerGas: parseGwei('1'),
      }),
    ),
  );
};

interface Told {
  /** Hashes that a node answered with. */
  readonly taken: Set<Hex>;
  readonly refusals: RpcError[];
}

/** Sends all of one account to one node, in the order of nonces; what is refused is sent again when the node said. */
async function sendAll(url: string, raws: readonly Hex[], { taken, refusals }: Told): Promise<void> {
  let left = [...raws];
  while (left.length > 0) {
    const portion = left.slice(0, together);
    const answers = await Promise.allSettled(portion.map((raw) => rpc<Hex>(url, 'eth_sendRawTransaction', [raw])));
    const refused: Hex[] = [];
    let waitMs = 0;
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') {
        taken.add(answer.value);
        continue;
      }
      const { reason } = answer;
      if (!(reason instanceof RpcError)) throw reason;
      refusals.push(reason);
      refused.push(portion[index]!);
      waitMs = Math.max(waitMs, (reason.data as { readonly retry_after_ms: number }).retry_after_ms);
    }
    left = [...refused, ...left.slice(together)];
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Each pays one wei to the same account. */
const untilMined = (url: string, payments: number): Promise<boolean> =>
  until(`${url} has mined ${payments}`, async () => {
    const balance = await rpc<string>(url, 'eth_getBalance', [receiver, 'latest']);
    return Number(balance) >= payments;
  });

describe('more than blocks take', () => {
  it('is refused with the code of a full pool and when to try again; what is taken is mined once, on all nodes', async () => {
    const signed = await Promise.all(Array.from({ length: senders }, (_, index) => signAll(index)));
    const told: Told = { taken: new Set(), refusals: [] };
    const send = (from: number, to: number): Promise<unknown> =>
      Promise.all(signed.map((raws, index) => sendAll(testnet.url(index % 4), raws.slice(from, to), told)));
    // Three blocks are full, and as much waits as many more hold: nodes know how much blocks take.
    await send(0, together);
    for (const url of testnet.urls()) await untilMined(url, 3 * paymentsPerBlock);
    await send(together, perSender);

    expect(told.refusals.length).toBeGreaterThan(0);
    for (const { code, message, data } of told.refusals) {
      expect({ code, message, data }).toEqual({
        code: -32_005,
        message: expect.stringContaining('txpool is full'),
        data: { limit: 'MEMPOOL_FULL', retry_after_ms: expect.any(Number) },
      });
      const { retry_after_ms: waitMs } = data as { readonly retry_after_ms: number };
      expect(Number.isSafeInteger(waitMs)).toBe(true);
      expect(waitMs).toBeGreaterThanOrEqual(50);
      expect(waitMs).toBeLessThanOrEqual(4 * drainMs);
    }

    const hashes = signed.flat().map((raw) => keccak256(raw));
    expect(told.taken).toEqual(new Set(hashes));
    for (const index of [0, 1, 2, 3]) {
      const url = testnet.url(index);
      await untilMined(url, hashes.length);
      for (const hash of hashes)
        expect(await rpc(url, 'eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' });
    }
  });

  it('does not keep out who comes afterwards', async () => {
    const [from] = await rpc<string[]>(testnet.url(1), 'eth_accounts');
    const payment = { from, to: receiver, value: '0x1', gas: '0x5208', gasPrice: '0x2540be400' };
    const hash = await rpc<string>(testnet.url(1), 'eth_sendTransaction', [payment]);
    const receipt = await until('it is mined', () =>
      rpc<{ readonly status: string } | null>(testnet.url(2), 'eth_getTransactionReceipt', [hash]),
    );
    expect(receipt.status).toBe('0x1');
  });
});
