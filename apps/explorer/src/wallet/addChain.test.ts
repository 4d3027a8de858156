import { describe, expect, it } from '@jest/globals';
import { addChain } from './addChain.ts';
import type { AnnouncedWallet } from './providers.ts';

const chain = { chainId: 7919, name: 'prime-local', rpcUrl: 'http://a', explorerUrl: 'http://b' };

describe('a wallet', () => {
  it('is asked to add the network, and what it says is told', async () => {
    const asked: unknown[] = [];
    const wallet = (answer: () => unknown): AnnouncedWallet => ({
      uuid: 'u',
      name: 'Wallet',
      rdns: 'org.example',
      icon: null,
      provider: {
        async request(call) {
          asked.push(call);
          return answer();
        },
      },
    });
    const refusing = (error: unknown) =>
      wallet(() => {
        throw error;
      });
    expect(
      await addChain(
        wallet(() => null),
        chain,
      ),
    ).toEqual({ isDone: true, words: 'Wallet has the network now.' });
    expect(asked).toEqual([
      {
        method: 'wallet_addEthereumChain',
        params: [
          {
            chainId: '0x1eef',
            chainName: 'prime-local',
            nativeCurrency: { name: 'Prime', symbol: 'PRIME', decimals: 18 },
            rpcUrls: ['http://a'],
            blockExplorerUrls: ['http://b'],
          },
        ],
      },
    ]);
    expect((await addChain(refusing({ code: 4001 }), chain)).words).toContain('declined');
    expect((await addChain(refusing({ code: 4200 }), chain)).words).toContain('by hand');
    expect((await addChain(refusing(new Error('no')), chain)).words).toBe('Wallet refused: no');
    expect((await addChain(refusing(null), chain)).isDone).toBe(false);
  });
});
