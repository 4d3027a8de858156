import type { ActionPayload } from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { junkMnemonic } from '@prime/examples';
import { type Account, accountOfKey, signedAction, signedTransaction } from '@prime/load';
import { type Address, bytesToHex, type Hash, type Hex, utf8ToBytes } from '@prime/primitives';
import { mnemonicToAccount } from 'viem/accounts';

/** An account that signs; its next nonce of the EVM is counted here. */
export interface Sender extends Account {
  nonce: number;
}

/** What is sent, and the hash that it is found by in a block. */
export interface SignedItem {
  readonly raw: Hex;
  readonly hash: Hash;
}

/** An EVM transaction before it is signed: `to` null creates a contract, `value` in wei. */
export interface Call {
  readonly to: Address | null;
  readonly value?: bigint;
  readonly data?: Uint8Array;
  readonly gas: bigint;
}

/** Of the local network of `prime testnet`, and of anvil when it is started by `startAnvil`. */
const chainId = 7919;
const gwei = 10n ** 9n;
/** Full blocks raise the base fee by an eighth each: room for 45 of them in a row above 1 gwei. */
const fees = { maxFeePerGas: 200n * gwei, maxPriorityFeePerGas: gwei } as const;

/** Accounts of a run, the same in each; those of one load are none of another one. */
export const sendersOf = (count: number, provider: CryptoProvider, load: string): readonly Sender[] =>
  Array.from({ length: count }, (_, index) => ({
    ...accountOfKey(keccak256(utf8ToBytes(`prime-bench/${load}/${index}`)), provider),
    nonce: 0,
  }));

/** The account that genesis funded and that pays for everything. @param nonce its next one */
export function payerOf(provider: CryptoProvider, nonce: number): Sender {
  const key = mnemonicToAccount(junkMnemonic, { addressIndex: 0 }).getHdKey().privateKey!;
  return { ...accountOfKey(key, provider), nonce };
}

const itemOf = (raw: Uint8Array): SignedItem => ({ raw: bytesToHex(raw), hash: keccakHex(raw) });

/** Takes the sender's next nonce. */
export function signTransaction(provider: CryptoProvider, sender: Sender, call: Call): SignedItem {
  const { to, value = 0n, data = new Uint8Array(0), gas } = call;
  const transaction = { signer: sender, nonce: sender.nonce++, to, value, data, gas, fees };
  return itemOf(signedTransaction({ chainId, provider }, transaction));
}

/** @param nonce ms of the signer's clock, used once */
export const signAction = (
  provider: CryptoProvider,
  signer: Sender,
  nonce: number,
  payload: ActionPayload,
): SignedItem => itemOf(signedAction({ chainId, provider }, { signer, nonce, payload }));
