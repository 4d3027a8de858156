import { factsOf, type VerifiedAction, type VerifiedTransaction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import type { MempoolCommit } from '../commit.ts';
import { createMempool, type Mempool } from '../mempool.ts';
import type { MempoolOptions } from '../options.ts';

/** What mempools are filled with in tests. */

export const alice = `0x${'a1'.repeat(20)}` as Address;
export const bob = `0x${'b2'.repeat(20)}` as Address;
export const gwei = 10n ** 9n;
export const ether = 10n ** 18n;

let counter = 0;
const nextHash = (): Hash => `0x${(++counter).toString(16).padStart(64, '0')}` as Hash;

export const transaction = (fields: Partial<VerifiedTransaction> = {}): VerifiedTransaction => ({
  raw: new Uint8Array(110),
  hash: nextHash(),
  type: 2,
  sender: alice,
  nonce: 0,
  gasLimit: 21_000n,
  maxFeePerGas: 10n * gwei,
  maxPriorityFeePerGas: gwei,
  value: 0n,
  to: bob,
  ...fields,
});

interface ActionFields {
  readonly signer?: Address;
  readonly nonce?: number;
  readonly expiresAt?: number;
  readonly size?: number;
}
export const action = ({
  signer = alice,
  nonce = 1,
  expiresAt = 0,
  size = 120,
}: ActionFields = {}): VerifiedAction => ({
  raw: new Uint8Array(size),
  hash: nextHash(),
  signer,
  facts: factsOf({ type: 'noop' }),
  transaction: {
    chainId: 7919,
    nonce,
    expiresAt,
    account: signer,
    payload: { type: 'noop' },
    signatureKind: 'raw',
    signature: new Uint8Array(65),
  },
});

export const create = (limits: MempoolOptions['limits'] = {}): Mempool =>
  createMempool({ blockGasLimit: 30_000_000n, baseFee: gwei, limits });
export const rich = { nonce: 0, balance: ether };
export const room = { baseFee: gwei, gasLimit: 30_000_000n, maxBytes: 1 << 20 };
export const commit = (fields: Partial<MempoolCommit>): MempoolCommit => ({
  transactions: [],
  gasUsed: [],
  actions: [],
  accounts: [],
  nextBaseFee: gwei,
  timestampMs: 1000,
  ...fields,
});
export const hashesOf = (items: readonly { readonly hash: Hash }[]): Hash[] => items.map(({ hash }) => hash);
