import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  nativeTransactionHash,
  unsignedTransaction,
} from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex, recoverAddress } from '@prime/crypto';
import { junkMnemonic } from '@prime/examples';
import { type Address, bytesToHex, type Hash, type Hex, utf8ToBytes } from '@prime/primitives';
import { mnemonicToAccount } from 'viem/accounts';

/** An account that signs; its next nonce of the EVM is counted here. */
export interface Sender {
  readonly address: Address;
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
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
const fees = { kind: 'dynamic', maxFeePerGas: 200n * gwei, maxPriorityFeePerGas: gwei } as const;

const anyDigest = keccak256(utf8ToBytes('prime-bench'));

const senderOf = (privateKey: Uint8Array, provider: CryptoProvider): Sender => ({
  address: recoverAddress(provider, anyDigest, provider.sign(anyDigest, privateKey))!,
  privateKey,
  nonce: 0,
});

/** Accounts of a run, the same in each; those of one load are none of another one. */
export const sendersOf = (count: number, provider: CryptoProvider, load: string): readonly Sender[] =>
  Array.from({ length: count }, (_, index) =>
    senderOf(keccak256(utf8ToBytes(`prime-bench/${load}/${index}`)), provider),
  );

/** The account that genesis funded and that pays for everything. @param nonce its next one */
export function payerOf(provider: CryptoProvider, nonce: number): Sender {
  const key = mnemonicToAccount(junkMnemonic, { addressIndex: 0 }).getHdKey().privateKey!;
  return { ...senderOf(key, provider), nonce };
}

/** Takes the sender's next nonce. */
export function signTransaction(provider: CryptoProvider, sender: Sender, call: Call): SignedItem {
  const { to, value = 0n, data = new Uint8Array(0), gas } = call;
  const content = { to, value, data, gas, accessList: [], authorizationList: [], fees };
  const unsigned = unsignedTransaction(chainId, sender.nonce++, content);
  const raw = unsigned.encode(provider.sign(keccak256(unsigned.message), sender.privateKey));
  return { raw: bytesToHex(raw), hash: keccakHex(raw) };
}

/** @param nonce ms of the signer's clock, used once */
export function signAction(
  provider: CryptoProvider,
  { address, privateKey }: Sender,
  nonce: number,
  payload: ActionPayload,
): SignedItem {
  const unsigned = { chainId, nonce, expiresAt: 0, account: address, payload, signatureKind: 'raw' } as const;
  const signature = provider.sign(nativeSigningDigest(unsigned), privateKey);
  const raw = encodeNativeTransaction({ ...unsigned, signature });
  return { raw: bytesToHex(raw), hash: nativeTransactionHash(raw) };
}
