import { describe, expect, it } from '@jest/globals';
import { bannerLines } from './banner.ts';
import type { NetworkFile } from './networkFile.ts';

const ports = { rpcPort: 8545, p2pPort: 26656, adminPort: 9100 };
const network: NetworkFile = {
  name: 'prime-local',
  chainId: 7919,
  genesisHash: `0x${'ab'.repeat(32)}` as NetworkFile['genesisHash'],
  rpcUrls: ['http://127.0.0.1:8545'],
  wsUrls: ['ws://127.0.0.1:8545'],
  explorerUrl: 'http://127.0.0.1:8500',
  dashboards: { prometheus: null, grafana: null },
  validators: [
    {
      name: 'validator0',
      home: 'net/validator0',
      log: 'net/validator0/node.log',
      rpc: 'http://127.0.0.1:8545',
      ws: 'ws://127.0.0.1:8545',
      admin: 'http://127.0.0.1:9100',
      ports,
      wantedPorts: ports,
    },
  ],
  sentries: [],
  followers: [],
  signers: [],
  mnemonic: 'test test junk',
  accounts: [{ address: '0x01', privateKey: '0x02' }],
  blockIntervalMs: 50,
  emptyBlockIntervalMs: 1_000,
  markets: [
    { id: 1, symbol: 'PRM/USD', tickSize: '1', lotSize: '5', baseDecimals: 16, quoteDecimals: 18, hasOracle: true },
  ],
};
const commands = {
  demo: 'npm run demo',
  prime: 'npx prime',
  status: 'npx prime node status',
  follow: 'npm start -- --logs',
  fresh: 'npm start -- --fresh',
};
const show = (
  change: Partial<NetworkFile>,
  balances: readonly bigint[] = [10n ** 18n],
  explorerUrl: string | null = null,
): string =>
  bannerLines({
    network: { ...network, ...change },
    balances,
    explorerUrl,
    reached: '1 validator',
    folder: 'net',
    commands,
  }).join('\n');

describe('what a network says when it runs', () => {
  it('has all that is needed to talk to it', () => {
    const text = show({});
    for (const part of [
      '(0) 0x01  1 ETH',
      '(0) 0x02',
      'test test junk',
      'http://127.0.0.1:8545',
      'ws://127.0.0.1:8545',
      'http://127.0.0.1:9100/status',
      'PRM/USD      market_id 1, prices in steps of 0.01, sizes of 0.0000000000000005; over JSON-RPC 1 and 5',
      'npx prime deposit 1000 --from 0x01 --rpc http://127.0.0.1:8545',
      'npx prime order place sell 0.5 PRM-USD @ 3012.55 --from 0x01 --rpc http://127.0.0.1:8545',
      'npx prime book PRM-USD --rpc http://127.0.0.1:8545',
      '50 ms or more apart with work, 1 s without',
      'net/network.json',
      'net/validator*/node.log',
      ...Object.values(commands),
    ])
      expect(text).toContain(part);
  });

  it.each([
    [0n, '0 ETH'],
    [10n ** 14n - 1n, '0 ETH'],
    [10n ** 14n, '0.0001 ETH'],
    [10_000n * 10n ** 18n - 1n, '9999.9999 ETH'],
    [10_000n * 10n ** 18n, '10000 ETH'],
  ])('%i wei is %s', (wei, words) => {
    expect(show({}, [wei])).toContain(`0x01  ${words}\n`);
  });

  it('names the explorer where one is served', () => {
    expect(show({}, [], 'http://127.0.0.1:8501')).toContain('  Open http://127.0.0.1:8501 in a browser');
    expect(show({})).not.toContain('browser');
  });

  it('of a network whose nodes hold no keys: neither accounts nor keys nor mnemonic', () => {
    const text = show({ accounts: [], mnemonic: null }, []);
    for (const part of ['Accounts', 'Private keys', 'Mnemonic', '(0)', '--from']) expect(text).not.toContain(part);
    expect(text).toContain('eth_blockNumber');
  });
});
