import { beforeAll, describe, expect, it } from '@jest/globals';
import { createCryptoProvider, type CryptoProvider } from '@prime/crypto';
import { type Address, bytesToHex, type Hash, type Hex } from '@prime/primitives';
import type { SendRequest } from '@prime/rpc';
import { privateKeyToAccount } from 'viem/accounts';
import { signTransaction } from './signTransaction.ts';
import { devAddress, devKey } from '../testing/testGateway.ts';

let provider: CryptoProvider;
beforeAll(async () => {
  provider = await createCryptoProvider();
});

const to = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const account = privateKeyToAccount(bytesToHex(devKey) as `0x${string}`);
const accessList = [{ address: to as Address, storageKeys: [`0x${'22'.repeat(32)}` as Hash] }];
const request: SendRequest = {
  from: devAddress as Address,
  to: to as Address,
  value: 10n ** 18n,
  data: '0xabcd' as Hex,
  gas: 50_000n,
  nonce: null,
  accessList: [],
  authorizationList: [],
  fees: { kind: 'dynamic', maxFeePerGas: 9n, maxPriorityFeePerGas: 2n },
};
const sign = (changes: Partial<SendRequest>, nonce = 3): string =>
  bytesToHex(signTransaction(provider, devKey, 7919, nonce, { ...request, ...changes }));
const common = { chainId: 7919, nonce: 3, gas: 50_000n, to, value: 10n ** 18n, data: '0xabcd' } as const;

describe('signTransaction', () => {
  it('makes the bytes that viem makes: EIP-1559, with and without recipient, data and access list', async () => {
    const fees = { type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 2n } as const;
    expect(sign({})).toBe(await account.signTransaction({ ...common, ...fees }));
    expect(sign({ accessList })).toBe(await account.signTransaction({ ...common, ...fees, accessList } as never));
    const creation = await account.signTransaction({ ...common, ...fees, to: null, value: 0n, nonce: 0 });
    expect(sign({ to: null, value: 0n }, 0)).toBe(creation);
  });

  it('makes the bytes that viem makes: legacy with EIP-155, and EIP-2930 when there is an access list', async () => {
    const fees = { kind: 'legacy', gasPrice: 5n } as const;
    expect(sign({ fees })).toBe(await account.signTransaction({ ...common, type: 'legacy', gasPrice: 5n }));
    const withList = await account.signTransaction({ ...common, type: 'eip2930', gasPrice: 5n, accessList } as never);
    expect(sign({ fees, accessList })).toBe(withList);
  });
});
