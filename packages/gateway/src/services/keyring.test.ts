import { describe, expect, it } from '@jest/globals';
import { cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import type { Hash, Hex } from '@prime/primitives';
import type { SendRequest } from '@prime/rpc';
import type { ConsensusBackend } from './backends.ts';
import { Keyring } from './keyring.ts';

const provider = await cryptoProvider();
const privateKey = new Uint8Array(32).fill(1);
const from = publicKeyToAddress(provider.publicKey(privateKey));
const request: SendRequest = {
  from,
  to: from,
  value: 0n,
  data: '0x' as Hex,
  gas: 21_000n,
  nonce: null,
  accessList: [],
  authorizationList: [],
  fees: { kind: 'legacy', gasPrice: 1n },
};

describe('accounts whose keys the node holds', () => {
  it('a thousand transactions wait for their turn on one, and the next is refused', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let nonce = 0;
    const submitted: number[] = [];
    const consensus = {
      pendingNonce: async () => nonce,
      submitTransaction: async () => {
        await opened;
        submitted.push(nonce++);
        return `0x${'0'.repeat(64)}` as Hash;
      },
    } as unknown as ConsensusBackend;
    const keyring = new Keyring(provider, 7919, [privateKey], consensus);
    const waiting = Array.from({ length: 1000 }, () => keyring.send(request));
    await expect(keyring.send(request)).rejects.toThrow(
      /^1000 transactions of 0x[0-9a-f]{40} wait, the limit is 1000$/,
    );
    open();
    await Promise.all(waiting);
    expect(submitted).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    await expect(keyring.send(request)).resolves.toMatch(/^0x0+$/);
  });
});
