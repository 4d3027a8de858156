/** A network on which `projects/stranger/trade.ts` runs, and what has to come of it wherever that is. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junkMnemonic } from '@prime/examples';
import { type Genesis, trustGenesis } from '@prime/sdk/light';
import { createTestnet, type Testnet } from '@prime/testkit';
import { bytesToHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

const symbol = 'ETH/USD';

/** Signed actions only, human prices of 5 cents, sizes of a thousandth. */
export const tradingTestnet = (): Promise<Testnet> =>
  createTestnet({
    validators: 2,
    genesis: (genesis) => {
      genesis['actions'] = 'signed';
      Object.assign(genesis['clob'] as object, { levelProofs: true });
      genesis['markets'] = [
        { symbol, tickSize: `${5n * 10n ** 13n}`, lotSize: '1', baseDecimals: 3, quoteDecimals: 18 },
      ];
    },
  });

const keyOf = (addressIndex: number): string =>
  bytesToHex(mnemonicToAccount(junkMnemonic, { addressIndex }).getHdKey().privateKey!);

/** Parameters of `trade`. @param first number of the first of three accounts that nobody used before */
export async function settingOf(testnet: Testnet, first: number): Promise<Readonly<Record<string, string>>> {
  const genesis = JSON.parse(await readFile(join(testnet.home(0), 'genesis.json'), 'utf8')) as Genesis;
  return {
    url: testnet.url(0),
    symbol,
    makerKey: keyOf(first),
    takerKey: keyOf(first + 1),
    agentKey: keyOf(first + 2),
    genesisHash: trustGenesis(genesis).genesisHash,
  };
}

/** What `trade` gives. */
export const traded = {
  refused: 'InvalidPriceError',
  errors: [],
  spread: '3000/3010.05',
  batch: [true, true],
  filled: '0.2',
  at: ['3010.05'],
  position: ['0.2'],
  cancelled: '0.5',
  proven: {
    remaining: '0.3',
    isGone: true,
    level: '0.3',
    position: ['0.2'],
    blocksLater: 1,
    deceived: 'wrong_network',
  },
} as const;
