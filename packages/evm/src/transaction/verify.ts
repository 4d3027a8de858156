import {
  decodeSignedTransaction,
  encodeRlp,
  type SignedAuthorization,
  type SignedTransaction,
  type TransactionFields,
  transactionTypes,
  type VerifiedTransaction,
} from '@prime/codec';
import { type CryptoProvider, keccak256, keccakHex, recoverAddress } from '@prime/crypto';
import { type Address, bigintToNumber, concatBytes, isPrimeError } from '@prime/primitives';
import { floorDataGas, initCodeBytesMax, intrinsicGas } from './gas.ts';

/** Most bytes of a transaction, as go-ethereum's pool has it. */
export const transactionBytesMax = 128 * 1024;

/** What the verdict on a transaction depends on beside its bytes. */
export interface VerificationContext {
  readonly chainId: number;
  /** A transaction with a higher limit never fits into a block. */
  readonly blockGasLimit: bigint;
  readonly provider: CryptoProvider;
}

/** A refusal in go-ethereum's words, on which clients match. */
export interface TransactionFailure {
  readonly failure: string;
}

/** Takes an EIP-2718 encoding and throws nothing: a refusal is a result. */
export type TransactionVerifier = (raw: Uint8Array) => VerifiedTransaction | TransactionFailure;

const secp256k1HalfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const authorizationMagic = 5;
const nonceMax = (1n << 64n) - 1n;

/**
 * What can be said about a transaction without the state: its form, its signature, and the rules that no state can heal. Loads
 * no EVM and no library of transactions, so that the threads of the crypto pool stay small; a test holds its verdicts against the library's.
 *
 * The result is a function of the bytes, the chain id and the block gas limit: every validator gives the same verdict.
 */
export function createTransactionVerifier(context: VerificationContext): TransactionVerifier {
  return (raw) => {
    if (raw.length > transactionBytesMax)
      return { failure: `oversized data: transaction size ${raw.length}, limit ${transactionBytesMax}` };
    let signed: SignedTransaction;
    try {
      signed = decodeSignedTransaction(raw);
    } catch (error) {
      if (!isPrimeError(error)) throw error;
      return { failure: error.message };
    }
    const { fields, signature } = signed;
    const failure = checkFields(fields, context);
    if (failure !== null) return { failure };
    const sender = recoverAddress(context.provider, signed.digest(), signature);
    if (sender === null) return { failure: 'invalid sender: invalid transaction v, r, s values' };
    const maxFeePerGas = fields.maxFeePerGas ?? fields.gasPrice ?? 0n;
    return {
      raw,
      hash: keccakHex(raw),
      type: fields.type,
      sender,
      nonce: bigintToNumber(fields.nonce),
      gasLimit: fields.gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas: fields.maxPriorityFeePerGas ?? maxFeePerGas,
      value: fields.value,
      to: fields.to,
      ...(fields.authorizationList !== null && { authorities: authoritiesOf(fields.authorizationList, context) }),
    };
  };
}

/** Verifies a batch: one message to a worker thread for many transactions. */
export const verifyTransactions = (
  raws: readonly Uint8Array[],
  verify: TransactionVerifier,
): readonly (VerifiedTransaction | TransactionFailure)[] => raws.map((raw) => verify(raw));

/** {@link createTransactionVerifier} for one transaction. */
export const verifyTransaction = (
  raw: Uint8Array,
  context: VerificationContext,
): VerifiedTransaction | TransactionFailure => createTransactionVerifier(context)(raw);

function checkFields(fields: TransactionFields, context: VerificationContext): string | null {
  return (
    checkForm(fields, context) ??
    checkSigner(fields, context.chainId) ??
    checkGas(fields) ??
    checkCost(fields) ??
    (fields.nonce > BigInt(Number.MAX_SAFE_INTEGER) ? nonceFailure(fields.nonce) : null)
  );
}

/** Nonces are numbers in this program; nobody sends 2^53 transactions from one account. */
const nonceFailure = (nonce: bigint): string =>
  nonce >= nonceMax ? 'nonce has max value' : `nonce too high: ${nonce} is above 2^53`;

function checkForm(fields: TransactionFields, context: VerificationContext): string | null {
  if (fields.to === null && fields.input.length > initCodeBytesMax)
    return `max initcode size exceeded: code size ${fields.input.length}, limit ${initCodeBytesMax}`;
  if (fields.gasLimit > context.blockGasLimit) return 'exceeds block gas limit';
  const { maxFeePerGas, maxPriorityFeePerGas, authorizationList } = fields;
  if (maxFeePerGas !== null && maxPriorityFeePerGas !== null && maxPriorityFeePerGas > maxFeePerGas)
    return 'max priority fee per gas higher than max fee per gas';
  if (authorizationList !== null && authorizationList.length === 0)
    return 'set code tx must have at least one authorization tuple';
  if (fields.type === transactionTypes.setCode && fields.to === null)
    return 'input string too short for common.Address';
  return null;
}

function checkSigner(fields: TransactionFields, chainId: number): string | null {
  if (fields.chainId === null && (fields.v === 27n || fields.v === 28n))
    return 'only replay-protected (EIP-155) transactions allowed over RPC';
  if (fields.chainId !== null && fields.chainId !== BigInt(chainId))
    return `invalid sender: invalid chain id for signer: have ${fields.chainId} want ${chainId}`;
  const { r, s, yParity } = fields;
  const canonical = r > 0n && s > 0n && s <= secp256k1HalfOrder && (yParity === 0n || yParity === 1n);
  return canonical && fields.chainId !== null ? null : 'invalid sender: invalid transaction v, r, s values';
}

function checkGas(fields: TransactionFields): string | null {
  const accessList = fields.accessList ?? [];
  const intrinsic = intrinsicGas({
    data: fields.input,
    isCreation: fields.to === null,
    accessListAddresses: accessList.length,
    accessListSlots: accessList.reduce((count, { storageKeys }) => count + storageKeys.length, 0),
    authorizations: fields.authorizationList?.length ?? 0,
  });
  if (fields.gasLimit < intrinsic) return `intrinsic gas too low: gas ${fields.gasLimit}, minimum needed ${intrinsic}`;
  const floor = floorDataGas(fields.input);
  if (fields.gasLimit < floor)
    return `insufficient gas for floor data gas cost: gas ${fields.gasLimit}, minimum needed ${floor}`;
  return null;
}

const uint256Max = (1n << 256n) - 1n;

/** The library has no such amounts, and nobody owns them. */
const checkCost = ({ gasLimit, gasPrice, maxFeePerGas }: TransactionFields): string | null =>
  gasLimit * (maxFeePerGas ?? gasPrice ?? 0n) > uint256Max
    ? 'insufficient funds for gas * price + value: required balance exceeds 256 bits'
    : null;

/** Authorizations of one transaction whose signers are looked for: what the mempool knows about the others costs it nothing. */
const authoritiesMax = 64;

/** EIP-7702: who signed the authorizations that count on this chain. An invalid one is ignored, as execution ignores it. */
function authoritiesOf(list: readonly SignedAuthorization[], { chainId, provider }: VerificationContext): Address[] {
  const authorities = new Set<Address>();
  for (const authorization of list.slice(0, authoritiesMax)) {
    if (authorization.chainId !== 0n && authorization.chainId !== BigInt(chainId)) continue;
    if (authorization.yParity > 1n || authorization.s > secp256k1HalfOrder) continue;
    const message = encodeRlp([authorization.chainId, authorization.address, authorization.nonce]);
    const digest = keccak256(concatBytes(Uint8Array.of(authorizationMagic), message));
    const authority = recoverAddress(provider, digest, signatureOf(authorization));
    if (authority !== null) authorities.add(authority);
  }
  return [...authorities];
}

function signatureOf({ r, s, yParity }: SignedAuthorization): Uint8Array {
  const signature = new Uint8Array(65);
  writeWord(signature, 0, r);
  writeWord(signature, 32, s);
  signature[64] = Number(yParity);
  return signature;
}

function writeWord(target: Uint8Array, offset: number, value: bigint): void {
  const digits = value.toString(16).padStart(64, '0');
  for (let index = 0; index < 32; index++)
    target[offset + index] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16);
}
