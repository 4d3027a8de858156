import { describe, expect, it } from '@jest/globals';
import { addChain, type AnnouncedWallet, discoverWallets, parseAnnouncement } from './wallets.ts';

const provider = { request: async () => null };
const info = { uuid: 'u', name: 'Wallet', icon: 'data:image/png;base64,AA' };
const chain = { chainId: 7919, name: 'prime-local', rpcUrl: 'http://a', explorerUrl: 'http://b' };

describe('a wallet', () => {
  it('is found when it announces itself, once, and also later', () => {
    const target = new EventTarget() as unknown as Window;
    const announce = (detail: unknown): boolean =>
      target.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
    target.addEventListener('eip6963:requestProvider', () => announce({ info, provider }));
    const seen: string[][] = [];
    const end = discoverWallets(target, (wallets) => seen.push(wallets.map(({ name }) => name)));
    announce({ info, provider });
    announce({ info: { ...info, uuid: 'v', name: 'Other' }, provider });
    end();
    announce({ info: { ...info, uuid: 'w' }, provider });
    expect(seen).toEqual([['Wallet'], ['Wallet', 'Other']]);
  });

  it.each([null, 1, {}, { info }, { provider }, { info: { uuid: 1, name: 'a' }, provider }, { info, provider: {} }])(
    'is none that announces itself as %j',
    (detail) => {
      expect(parseAnnouncement(detail)).toBeNull();
    },
  );

  it('shows a picture of its own only, and a name that is not endless', () => {
    const parsed = (more: object): AnnouncedWallet => parseAnnouncement({ info: { ...info, ...more }, provider })!;
    expect(parsed({}).icon).toBe(info.icon);
    for (const icon of ['https://elsewhere.example/a.png', 'javascript:alert(1)', 'data:text/html,x', 7])
      expect(parsed({ icon }).icon).toBeNull();
    expect(parsed({ name: 'x'.repeat(500) }).name.length).toBe(60);
    expect(parsed({ name: ' ' }).name).toBe('A wallet without a name');
  });

  it('is asked to add the network, and what it says is told', async () => {
    const asked: unknown[] = [];
    const wallet = (answer: () => unknown): AnnouncedWallet => ({
      uuid: 'u',
      name: 'Wallet',
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
