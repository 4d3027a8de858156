import { describe, expect, it } from '@jest/globals';
import { privateKeyToAccount } from 'viem/accounts';
import { toAgentAccount } from '../accounts/agentAccount.ts';
import { toDigestAccount } from '../accounts/digestAccount.ts';
import { AccountMissingError, InvalidActionError } from '../errors/own.ts';
import { stubNode } from '../testing/stubNode.ts';
import type { Action } from '../types/action.ts';

const account = privateKeyToAccount(`0x${'42'.repeat(32)}`);
const nobody = `0x${'11'.repeat(20)}` as const;
const silent = () => {
  throw new Error('nothing is asked of a node');
};
const order = { type: 'order', market: 1, side: 'buy', price: 100n, size: 10n } as const;

describe('what no node would take is refused before it is signed', () => {
  it.each([
    ['market 0', { ...order, market: 0 }, 'market'],
    ['a market beyond 32 bits', { ...order, market: 2 ** 32 }, 'market'],
    ['a price of zero', { ...order, price: 0n }, 'price'],
    ['a negative size', { ...order, size: -1n }, 'size'],
    ['a price beyond 128 bits', { ...order, price: 1n << 128n }, 'price'],
    ['a size beyond 128 bits', { ...order, size: 1n << 128n }, 'size'],
    ['post-only that does not rest', { ...order, tif: 'ioc', postOnly: true }, 'postOnly'],
    ['a stop at no price', { ...order, stop: { triggerPrice: 0n } }, 'stop'],
    [
      'a take-profit that closes nothing',
      { ...order, reduceOnly: true, takeProfit: { triggerPrice: 9n } },
      'takeProfit',
    ],
    ['an end in milliseconds', { ...order, expiresAtSeconds: 1_750_000_000_000 }, 'expiresAtSeconds'],
    ['a client id of 15 bytes', { ...order, clientId: `0x${'11'.repeat(15)}` }, 'clientId'],
    ['order 0', { type: 'cancel', orderId: 0 }, 'orderId'],
    ['half an order id', { type: 'cancel', orderId: 1.5 }, 'orderId'],
    ['an amount of zero', { type: 'deposit', amount: 0n }, 'amount'],
    ['an amount beyond 256 bits', { type: 'deposit', amount: 1n << 256n }, 'amount'],
    ['half an address', { type: 'transfer', amount: 1n, to: '0x1234' }, 'to'],
    [
      'a name of 65 bytes',
      { type: 'approveAgent', agent: nobody, permissions: ['trade'], name: 'x'.repeat(65) },
      'name',
    ],
    ['another side', { ...order, side: 'long' }, 'side'],
    ['another tif', { ...order, tif: 'day' }, 'tif'],
  ])('%s', async (_, action, field) => {
    const { client } = stubNode(silent, account);
    const thrown: unknown = await client.submitAction({ action: action as Action }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(InvalidActionError);
    expect(thrown).toMatchObject({ code: 'INVALID_ACTION', field });
  });

  it('an end of the action in seconds', async () => {
    const { client } = stubNode(silent, account);
    await expect(client.sendNoop({ expiresAtMs: 1_750_000_000 })).rejects.toThrow('is in milliseconds');
  });

  it('without an account', async () => {
    const { client } = stubNode(silent);
    await expect(client.sendNoop()).rejects.toThrow(AccountMissingError);
  });

  it('a hash where the account signs none, and a signature that is none', async () => {
    const { client } = stubNode(silent);
    const wallet = { address: account.address, type: 'json-rpc' } as const;
    const action = { type: 'noop' } as const;
    await expect(client.signAction({ account: wallet, signatureKind: 'raw', action })).rejects.toThrow('signs hashes');
    for (const bytes of [new Uint8Array(64), new Uint8Array(65).fill(2)]) {
      const broken = toDigestAccount({ address: account.address, signDigest: () => bytes });
      await expect(client.signAction({ account: broken, action })).rejects.toThrow('65 bytes');
    }
  });
});

describe('for whom an action is', () => {
  it('the signer, the owner of its agent key, or whom the call names', async () => {
    const { client } = stubNode(silent, account);
    const agent = toAgentAccount(account, { owner: `0x${'AB'.repeat(20)}` });
    const action = { type: 'noop' } as const;
    const owners = [
      await client.signAction({ action }),
      await client.signAction({ action, account: agent }),
      await client.signAction({ action, account: agent, owner: nobody }),
    ].map(({ owner }) => owner);
    expect(owners).toEqual([account.address.toLowerCase(), `0x${'ab'.repeat(20)}`, nobody]);
  });
});
