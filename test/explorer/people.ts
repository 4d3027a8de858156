/** Who does things on the network that the pages show. */
import { prime, primeActions, primeWalletActions } from '@prime/sdk';
import { createPublicClient, createWalletClient, type Hex, http, numberToHex, size } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Keys that every development network gives money to; they are public. */
const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const;
export const [alice, bob, carol] = keys.map((key) => privateKeyToAccount(key)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
];

/** @param url of a node */
export const readerOf = (url: string) =>
  createPublicClient({ chain: prime, transport: http(url), pollingInterval: 50 }).extend(primeActions());

/** @param url of a node */
export const walletOf = (url: string, account: typeof alice) =>
  createWalletClient({ account, chain: prime, transport: http(url), pollingInterval: 50 })
    .extend(primeActions())
    .extend(primeWalletActions());

const word16 = (value: number): string => numberToHex(value, { size: 2 }).slice(2);

/** Code that copies what stands behind it to memory, and ends with it: 0xf3 returns it, 0xfd reverts with it. */
const endingWith = (data: Hex, end: 'f3' | 'fd'): Hex => {
  const length = word16(size(data));
  return `0x61${length}61000f60003961${length}6000${end}${data.slice(2)}`;
};

/** Code for a transaction that makes a contract. @param runtime code of the contract */
export const makingOf = (runtime: Hex): Hex => endingWith(runtime, 'f3');

/** Code of a contract that reverts every call with these bytes. */
export const revertingWith = (data: Hex): Hex => endingWith(data, 'fd');

/** Code of a contract that logs the transfer of one token on every call. */
export function transferring(from: Hex, to: Hex): Hex {
  const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  return `0x7f${'1'.padStart(64, '0')}60005273${to.slice(2)}73${from.slice(2)}7f${transfer}60206000a300`;
}
