import { afterEach, describe, expect, it } from '@jest/globals';
import { type ActionPayload, typedDataOf, verifyNativeTransaction } from '@prime/codec';
import { createCryptoProvider, keccakHex } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, type MarketId, type OrderId } from '@prime/primitives';
import { privateKeyToAccount } from 'viem/accounts';
import { addressOf, FakeNode, refusedBy } from '../testing/fakeNode.ts';
import { devAddress, devKey, type RunningGateway, startGateway } from '../testing/testGateway.ts';
import { defaultTerms } from '../testing/defaultTerms.ts';

/** Calls of the order book with a signature of their own, as wallets make it. */

const provider = await createCryptoProvider();
const account = privateKeyToAccount(bytesToHex(devKey) as `0x${string}`);
const owner = devAddress as Address;
const running: RunningGateway[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ gateway }) => gateway.close()));
});

/** A network that commits what it is given and answers with `value`. */
async function start(results: FakeNode['onAction'] | null = null): Promise<RunningGateway> {
  const node = new FakeNode();
  if (results !== null) node.onAction = results;
  const started = await startGateway({ node });
  running.push(started);
  node.onSubmit = (raw) => {
    const value = { type: 'done' } as const;
    const actions = [{ hash: keccakHex(raw), raw, result: { ok: true, value } as const }];
    setImmediate(() => started.gateway.applyDelta(node.commit({ actions })));
  };
  return started;
}

async function sign(payload: ActionPayload, nonce: number, expiresAt = 0, of = owner): Promise<string> {
  const unsigned = { chainId: 7919, nonce, expiresAt, account: of, payload, signatureKind: 'eip712' } as const;
  const { domain, primaryType, fields, message } = typedDataOf(unsigned);

  return account.signTypedData({ domain, primaryType, types: { [primaryType]: fields }, message } as never);
}

/** What the node was given: a native transaction of the owner, signed by its key. */
function submitted({ node }: RunningGateway) {
  const verified = verifyNativeTransaction(node.submitted.at(-1)!, 7919, provider);
  if ('failure' in verified) throw new Error(verified.failure);
  return verified;
}

const order = {
  type: 'order',
  marketId: 1 as MarketId,
  side: 'buy',
  price: 100n,
  size: 10n,
  ...defaultTerms,
} as const;

describe('an authorization in a call', () => {
  // What these calls answer with is tested where the network executes them; here: what reaches the network.
  it.each<[string, ActionPayload, readonly unknown[]]>([
    [
      'primeorders_submitOrder',
      order,
      [{ owner: devAddress, market_id: 1, side: 'buy', price: '0x64', size: '0xa', tif: 'gtc' }],
    ],
    ['primeorders_depositCollateral', { type: 'deposit', amount: 255n }, [devAddress, '0xff']],
    ['primeorders_cancelOrder', { type: 'cancel', orderId: 3 as OrderId }, ['0x3']],
    [
      'primeorders_addMarket',
      { type: 'addMarket', symbol: 'A/B', tickSize: 1n, lotSize: 2n, baseDecimals: 36, quoteDecimals: 0 },
      ['A/B', '0x1', '0x2', { base_decimals: 36, quote_decimals: 0 }],
    ],
    [
      'primeorders_addMarket',
      { type: 'addMarket', symbol: 'A/B', tickSize: 1n, lotSize: 2n, baseDecimals: 0, quoteDecimals: 18 },
      ['A/B', '0x1', '0x2', null],
    ],
    [
      'primeorders_setMarginParams',
      { type: 'setMargin', marketId: null, initialMarginBps: 1000, maintenanceMarginBps: 500 },
      [{ initialMarginBps: 1000, maintenanceMarginBps: 500 }],
    ],
  ])('%s becomes a native transaction that its owner signed, with both forms of v', async (method, payload, params) => {
    const started = await start();
    for (const [nonce, expires] of [
      [1_800_000_000_000, undefined],
      [1_800_000_000_001, 1_800_000_009_000],
    ] as const) {
      const signature = await sign(payload, nonce, expires ?? 0);
      const low = `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`;
      for (const form of [signature, low]) {
        const authorization = { nonce, signature: form, account: devAddress, ...(expires && { expires_at: expires }) };
        await started.call(method, ...params, authorization).catch(() => undefined);
        expect(submitted(started)).toMatchObject({
          signer: owner,
          transaction: { account: owner, nonce, expiresAt: expires ?? 0, payload, signatureKind: 'eip712' },
        });
      }
    }
    expect(started.node.actions).toEqual([]);
  });

  it('over something else: another signer comes out, and the network refuses it', async () => {
    const started = await start();
    const signature = await sign({ type: 'deposit', amount: 1n }, 5);
    await started
      .call('primeorders_depositCollateral', devAddress, '0x2', { nonce: 5, signature })
      .catch(() => undefined);
    expect(submitted(started).signer).not.toBe(owner);
  });

  it('malformed: invalid params, and nothing is submitted', async () => {
    const { failure, node } = await start();
    const signature = `0x${'11'.repeat(64)}1b`;
    const cases: readonly (readonly [unknown, string])[] = [
      [{ nonce: 1 }, 'authorization.signature is required'],
      [{ signature }, 'authorization.nonce is required'],
      [{ nonce: 1, signature: '0x11' }, 'authorization.signature must be 0x and 130 hex digits'],
      [{ nonce: 1, signature: `0x${'11'.repeat(65)}` }, 'authorization.signature must end in 00, 01, 1b or 1c'],
      [{ nonce: -1, signature }, 'authorization.nonce must be a hex quantity'],
      [{ nonce: 1, signature, gas: 1 }, 'authorization.gas is not a known field'],
      [
        { nonce: 1, signature, account: addressOf('bob') },
        `authorization.account is ${addressOf('bob')}, but the call is for`,
      ],
    ];
    for (const [authorization, words] of cases) {
      const error = await failure('primeorders_depositCollateral', devAddress, '0x1', authorization);
      expect([words, error.code, error.message]).toEqual([words, -32602, expect.stringContaining(words)]);
    }
    const unknown = await failure('primeorders_cancelOrder', '0x9', { nonce: 1, signature });
    expect(unknown.message).toContain('authorization.account is needed');
    expect(node.submitted).toEqual([]);
  });
});

describe('a call without a signature where one is needed', () => {
  for (const code of ['ENGINE_SIGNATURE_REQUIRED', 'ENGINE_ACCOUNT_LOCKED'])
    it(`${code}: the node signs for an account whose key it holds, and tells others what is missing`, async () => {
      const started = await start(async (): Promise<Hash> => {
        throw refusedBy(code, 'signature required');
      });
      const nonces: number[] = [];
      for (let count = 0; count < 3; count++) {
        await started.call('primeorders_depositCollateral', devAddress, '0x1').catch(() => undefined);
        const { signer, transaction } = submitted(started);
        expect([signer, transaction.signatureKind]).toEqual([owner, 'raw']);
        nonces.push(transaction.nonce);
      }
      expect(new Set(nonces).size).toBe(3);
      expect(await started.failure('primeorders_depositCollateral', addressOf('bob'), '0x1')).toEqual({
        code: -32001,
        message: 'signature required',
      });
    });
});
