import { describe, expect, it } from '@jest/globals';
import { definePrimeChain, type PrimeClient } from '@prime/sdk';
import { createClient, custom } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { blockLaterThan, type Nodes, sendSurely } from './sendSurely.ts';

const account = privateKeyToAccount(generatePrivateKey());
const chain = definePrimeChain({ id: 7_919, http: ['http://127.0.0.1:1'] });
const block = (number: number, timestampMs: number) => ({
  number: `0x${number.toString(16)}`,
  timestamp_ms: `0x${timestampMs.toString(16)}`,
  gas_limit: '0x0',
  gas_used: '0x0',
  base_fee: '0x0',
  transaction_count: '0x0',
  action_count: '0x0',
  commit: null,
  last_commit_round: null,
  transactions: [],
  domain_events: [],
  evidence: [],
});

/** Nodes that answer as told; time goes on with each pause. */
function nodesThat(answer: (method: string, node: number) => unknown, count = 1): Nodes & { readonly asked: string[] } {
  const asked: string[] = [];
  let nowMs = 1_800_000_000_000;
  const clientOf = (node: number): PrimeClient =>
    createClient({
      account,
      chain,
      transport: custom(
        {
          request: ({ method }: { method: string }) => {
            asked.push(`${node} ${method}`);
            return Promise.resolve().then(() => answer(method, node));
          },
        },
        { retryCount: 0 },
      ),
    }) as PrimeClient;
  return {
    asked,
    wallet: clientOf(0),
    each: Array.from({ length: count }, (_, node) => clientOf(node)),
    now: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
}
const refusal = (code: number, message: string, data?: unknown): never => {
  throw Object.assign(new Error(message), { code, data });
};
const noop = { type: 'noop' } as const;
const expired = 1_800_000_000_000 - 5_000;

describe('an action', () => {
  it('that nobody answered for is over when a node has a later block and no receipt', async () => {
    const nodes = nodesThat((method) => {
      if (method === 'prime_getBlockByNumber') return block(9, expired + 1);
      if (method === 'eth_getTransactionReceipt') return null;
      throw new Error('connection refused');
    });
    expect(await sendSurely(nodes, noop, expired)).toEqual({ kind: 'expired', blockNumber: 9n });
  });

  it('is not over while all blocks are older: the next node is asked, too', async () => {
    let questions = 0;
    const nodes = nodesThat((method, node) => {
      if (method !== 'prime_getBlockByNumber') return null;
      questions++;
      if (node === 0) throw new Error('connection refused');
      return block(questions, questions < 6 ? expired : expired + 1);
    }, 2);
    expect((await blockLaterThan(nodes, expired)).blockNumber).toBe(6n);
  });

  it('of a key that may not sign is refused for good', async () => {
    const nodes = nodesThat(() => refusal(-32_001, 'signer 0x1 may not act for 0x2', { kind: 'unauthorized' }));
    expect(await sendSurely(nodes, noop, expired)).toMatchObject({
      kind: 'refused',
      refusal: 'unauthorized',
      reason: expect.stringContaining('signer 0x1 may not act for 0x2'),
      isFatal: true,
    });
  });

  it('of somebody who has nothing is refused, and may be sent later', async () => {
    const nodes = nodesThat(() => refusal(-32_001, 'owns nothing', { kind: 'owns_nothing' }));
    expect(await sendSurely(nodes, noop, expired)).toMatchObject({
      kind: 'refused',
      refusal: 'owns_nothing',
      isFatal: false,
    });
  });

  it('that can not be signed is refused for good', async () => {
    const nodes = nodesThat(() => null);
    const broken = { type: 'batch', items: [] } as const;
    expect(await sendSurely(nodes, broken, expired)).toMatchObject({ kind: 'refused', isFatal: true });
    expect(nodes.asked).toEqual([]);
  });
});
