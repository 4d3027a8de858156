import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  type TransactionContent,
  unsignedTransaction,
} from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex } from '@prime/crypto';
import { type Address, bytesToHex } from '@prime/primitives';
import type { Account } from './keyring.ts';
import type { Operation, OperationKind } from './operation.ts';

/** For which chain is signed, and with what. */
export interface Signing {
  readonly chainId: number;
  readonly provider: CryptoProvider;
}

/** Fee cap and tip of EIP-1559 transactions, wei per gas. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** What an operation is called, who signs it, and the signer's nonce in the domain. */
interface Signed {
  readonly kind: OperationKind;
  readonly signer: Account;
  readonly nonce: number;
}

/** An action of the order book. `account` is for whom; default the signer itself. */
export interface NewAction extends Signed {
  readonly account?: Address;
  readonly payload: ActionPayload;
}

/** A transaction of the EVM; `to` null creates a contract, amounts are wei. */
export interface NewTransaction extends Signed, Pick<TransactionContent, 'to' | 'value' | 'data' | 'gas'> {
  readonly fees: Fees;
}

/** Signs an action. @returns the bytes that are sent */
export function signedAction({ chainId, provider }: Signing, action: Omit<NewAction, 'kind'>): Uint8Array {
  const { signer, nonce, account = signer.address, payload } = action;
  const unsigned = { chainId, nonce, expiresAt: 0, account, payload, signatureKind: 'raw' } as const;
  const signature = provider.sign(nativeSigningDigest(unsigned), signer.privateKey);
  return encodeNativeTransaction({ ...unsigned, signature });
}

/** Signs a transaction of EIP-1559. @returns the bytes that are sent */
export function signedTransaction(
  { chainId, provider }: Signing,
  transaction: Omit<NewTransaction, 'kind'>,
): Uint8Array {
  const { signer, nonce, fees, to, value, data, gas } = transaction;
  const content = { to, value, data, gas, accessList: [], authorizationList: [] };
  const unsigned = unsignedTransaction(chainId, nonce, { ...content, fees: { kind: 'dynamic', ...fees } });
  return unsigned.encode(provider.sign(keccak256(unsigned.message), signer.privateKey));
}

/** Signs an action: an operation that can be sent as it is. */
export const signAction = (signing: Signing, action: NewAction): Operation =>
  rawOperation(action, signedAction(signing, action));

/** Signs a transaction: an operation that can be sent as it is. */
export const signTransaction = (signing: Signing, transaction: NewTransaction): Operation =>
  rawOperation(transaction, signedTransaction(signing, transaction));

const rawOperation = ({ kind, signer }: Signed, raw: Uint8Array): Operation => ({
  kind,
  method: 'eth_sendRawTransaction',
  params: `["${bytesToHex(raw)}"]`,
  hash: keccakHex(raw),
  sender: signer.address,
});
