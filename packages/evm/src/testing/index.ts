import type { Common } from '@ethereumjs/common';
import {
  createAccessList2930Tx,
  createEOACode7702Tx,
  createFeeMarket1559Tx,
  createLegacyTx,
  type TypedTransaction,
} from '@ethereumjs/tx';
import { type TransactionType, transactionTypes, type VerifiedTransaction } from '@prime/codec';
import { type CryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import { type Address, bytesToBigint, utf8ToBytes } from '@prime/primitives';
import { libraryAddress } from '../block/environment.ts';
import { createTransactionVerifier } from '../transaction/verify.ts';

export { callOf, overrideOf } from './calls.ts';
export { createMemoryDatabase, type MemoryDatabase } from './memoryDatabase.ts';

/** Signs transactions for tests and benchmarks. */
export interface TestAccount {
  readonly address: Address;
  sign(fields: TestTransaction): Uint8Array;
}

/** A transaction for tests; what is left out gets a value with which it is executed. */
export interface TestTransaction {
  /** `dynamicFee` unless said otherwise. */
  readonly type?: TransactionType;
  readonly nonce: number;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly value?: bigint;
  readonly data?: Uint8Array;
  readonly gasLimit?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  /** Types 1, 2 and 4; none unless said otherwise. */
  readonly accessList?: readonly (readonly [address: Uint8Array, slots: readonly Uint8Array[]])[];
  /** Accounts that delegate to a contract, type 4 only. */
  readonly authorizations?: readonly Uint8Array[][];
}

/** An account whose key is the hash of a name. */
export function createTestAccount(name: string, common: Common, provider: CryptoProvider): TestAccount {
  const privateKey = keccak256(utf8ToBytes(name));
  return {
    address: publicKeyToAddress(provider.publicKey(privateKey)),
    sign(fields) {
      const unsigned = unsignedTransaction(fields, common);
      const signature = provider.sign(unsigned.getHashedMessageToSign(), privateKey);
      const r = bytesToBigint(signature.subarray(0, 32));
      const s = bytesToBigint(signature.subarray(32, 64));
      return unsigned.addSignature(BigInt(signature[64]!), r, s, true).serialize();
    },
  };
}

function unsignedTransaction(fields: TestTransaction, common: Common): TypedTransaction {
  const {
    type = transactionTypes.dynamicFee,
    nonce,
    to,
    value = 0n,
    data = new Uint8Array(0),
    gasLimit = 21_000n,
  } = fields;
  const { maxFeePerGas = 10n ** 10n, maxPriorityFeePerGas = 10n ** 9n } = fields;
  const base = { nonce: BigInt(nonce), value, data, gasLimit, ...(to === null ? {} : { to: libraryAddress(to) }) };
  const options = { common };
  if (type === transactionTypes.legacy) return createLegacyTx({ ...base, gasPrice: maxFeePerGas }, options);
  const accessList = (fields.accessList ?? []) as never;
  if (type === transactionTypes.accessList)
    return createAccessList2930Tx({ ...base, gasPrice: maxFeePerGas, accessList }, options);
  const fees = { maxFeePerGas, maxPriorityFeePerGas, accessList };
  if (type === transactionTypes.dynamicFee) return createFeeMarket1559Tx({ ...base, ...fees }, options);
  const authorizationList = (fields.authorizations ?? []) as never;
  return createEOACode7702Tx({ ...base, ...fees, authorizationList }, options);
}

/** What the crypto pool makes of bytes that it accepts. @throws Error with the refusal's words */
export function createTestVerifier(
  chainId: number,
  provider: CryptoProvider,
  blockGasLimit = 30_000_000n,
): (raw: Uint8Array) => VerifiedTransaction {
  const verify = createTransactionVerifier({ chainId, blockGasLimit, provider });
  return (raw) => {
    const verified = verify(raw);
    if ('failure' in verified) throw new RangeError(verified.failure);
    return verified;
  };
}
