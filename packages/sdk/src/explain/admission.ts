import { formatInteger, formatWei } from './words.ts';

/** What a node refuses before a block: its code in logs, how the words begin that callers hear, and what it means. */
interface Admission {
  /** Where callers are told in words that begin like this. */
  readonly words: readonly string[];
  readonly meaning: string;
}

const admissions = {
  MEMPOOL_ALREADY_KNOWN: {
    words: ['already known'],
    meaning: 'The node has it already: it waits for a block, or is in a recent one. Nothing has to be done.',
  },
  MEMPOOL_NONCE_TOO_LOW: {
    words: ['nonce too low'],
    meaning:
      'A transaction of the sender with this nonce is in a block already, and each counts once. Take the next one.',
  },
  MEMPOOL_INSUFFICIENT_FUNDS: {
    words: ['insufficient funds for gas'],
    meaning:
      'The balance does not cover what it may cost at most, together with what waits of the same sender: gas limit times highest price, and the value.',
  },
  MEMPOOL_TIP_TOO_LOW: {
    words: ['transaction gas price below minimum'],
    meaning: 'Its tip (maxPriorityFeePerGas) is below the least that the node takes.',
  },
  MEMPOOL_UNDERPRICED: {
    words: ['transaction underpriced'],
    meaning: 'The pool is full, and it pays no more than what would have to go for it. Pay a higher tip, or wait.',
  },
  MEMPOOL_REPLACEMENT_UNDERPRICED: {
    words: ['replacement transaction underpriced'],
    meaning:
      'Another transaction with this nonce waits, and both fees have to be higher than its own by the bump that the message names.',
  },
  MEMPOOL_FULL: {
    words: ['txpool is full'],
    meaning:
      'More waits than the pool takes, or than blocks take in good time. Send it again after retry_after_ms where that is told, or pay a higher tip.',
  },
  MEMPOOL_ACCOUNT_LIMIT: {
    words: ['account limit exceeded'],
    meaning: 'As much of this sender or signer waits as may. Send more when some of it is in blocks.',
  },
  MEMPOOL_INFLIGHT_LIMIT: {
    words: ['in-flight transaction limit reached'],
    meaning: 'Code may spend for the sender (EIP-7702), so only one of its transactions may wait at a time.',
  },
  MEMPOOL_DELEGATED_GAP: {
    words: ['gapped-nonce tx from delegated accounts'],
    meaning:
      'Code may spend for the sender (EIP-7702), so its transactions have to come in order, without a gap of nonces.',
  },
  MEMPOOL_AUTHORITY_RESERVED: {
    words: ['authority already reserved'],
    meaning: 'An account that it delegates for (EIP-7702) has more than one transaction waiting.',
  },
  MEMPOOL_GAS_LIMIT: {
    words: ['exceeds block gas limit'],
    meaning: 'Its gas limit is above that of a whole block, so no block could hold it.',
  },
  MEMPOOL_TIP_ABOVE_FEE_CAP: {
    words: ['max priority fee per gas higher than max fee per gas'],
    meaning: 'The tip (maxPriorityFeePerGas) is above the whole price (maxFeePerGas) that it may cost.',
  },
  MEMPOOL_OVERSIZED: {
    words: ['oversized data'],
    meaning: 'It is longer than the node takes, or than a block may be.',
  },
  MEMPOOL_CONTENT_TOO_LARGE: {
    words: ['the pooled transactions are longer than'],
    meaning: 'All that waits is too much for one answer: ask for one sender (txpool_contentFrom).',
  },
  MEMPOOL_ACTION_NONCE_TAKEN: {
    words: ['an action of'],
    meaning: 'Another action of the signer with this nonce waits, and only one of them can be carried out.',
  },
  MEMPOOL_REPORT_TOO_SOON: {
    words: ['prices of'],
    meaning: 'A node takes the prices of a validator once a second, and none that are older than those it has.',
  },
  MEMPOOL_ACTION_EXPIRED: {
    words: ['action expired at'],
    meaning: 'The time until which a block may take the action is past.',
  },
  ENGINE_BUSY: {
    words: [],
    meaning: 'As much waits for its signature check as may: the node has more to do than time. Send it again later.',
  },
  ENGINE_INVALID_TRANSACTION: {
    words: [],
    meaning: 'The bytes are not a transaction of this chain; the words of the node say what is wrong with them.',
  },
  ENGINE_NONCE_GAP: {
    words: ['nonce too high'],
    meaning:
      'Transactions of the sender with lower nonces are missing, and it was to be taken only if it can be carried out now.',
  },
  ENGINE_REPORT_TIME: {
    words: ['a report of prices'],
    meaning: 'The prices were seen too long ago, or by a clock that is ahead of the node.',
  },
  ENGINE_ACTION_NONCE: {
    words: ['nonce used', 'nonce too old', 'nonce too far ahead'],
    meaning:
      'The nonce of the action was used, or is too far from the time of the chain: a nonce is the time in milliseconds, and counts once.',
  },
  ENGINE_SIGNER_UNAUTHORIZED: {
    words: ['signer'],
    meaning: 'Who signed is neither the account nor an agent of it with that permission.',
  },
  ENGINE_SIGNER_OWNS_NOTHING: {
    words: [],
    meaning: 'Who signed has nothing on this chain yet, so it could only leave something behind. Deposit first.',
  },
  ENGINE_ACCOUNT_LOCKED: {
    words: ['owner'],
    meaning:
      'The account signs its actions since its first signed one: calls without a signature are not taken for it any more.',
  },
  ENGINE_NOT_FORWARDED: {
    words: [],
    meaning: 'The node follows and could hand the unsigned call to no validator. Sign it, or ask a validator.',
  },
  ENGINE_SIGNER_AWAY: {
    words: ['this node can not vouch for unsigned calls now'],
    meaning:
      'The remote signer of the node is away, so it can not vouch for unsigned calls. Sign it, or ask another node.',
  },
  ENGINE_SIGNATURE_REQUIRED: {
    words: ['signature required'],
    meaning: 'The network or the node takes signed actions only.',
  },
} as const satisfies Readonly<Record<string, Admission>>;

/** Code of a refusal before a block, as logs and limits name it. */
export type AdmissionCode = keyof typeof admissions;

/** Every code that has a meaning here. */
export const admissionCodes = Object.keys(admissions) as readonly AdmissionCode[];

/** What a code means; null for one that is not told by admission. */
export const admissionMeaning = (code: string): string | null =>
  Object.hasOwn(admissions, code) ? admissions[code as AdmissionCode].meaning : null;

/** The code that a node's words belong to, the longest match first; null where they are of none. */
export function admissionOf(words: string): AdmissionCode | null {
  const said = words.trim().toLowerCase();
  const matches = admissionCodes.flatMap((code) =>
    (admissions[code].words as readonly string[]).flatMap((begin) => (said.startsWith(begin) ? [{ code, begin }] : [])),
  );
  return matches.toSorted((a, b) => b.begin.length - a.begin.length)[0]?.code ?? null;
}

/** What decides when a transaction that waits gets into a block. */
export interface WaitingFacts {
  readonly nonce: bigint;
  /** Next nonce of the sender in blocks; null where nonces have no order, as of actions. */
  readonly nextNonce: bigint | null;
  /** Wei for its gas at most. */
  readonly maxFeePerGas: bigint;
  /** Of the newest block; null where nothing is paid for gas. */
  readonly baseFee: bigint | null;
}

const gwei = (wei: bigint): string => `${formatWei(wei, 9)} gwei`;

/** Why a transaction is in no block yet. */
export function explainWaiting({ nonce, nextNonce, maxFeePerGas, baseFee }: WaitingFacts): string {
  const before = nextNonce === null || nonce <= nextNonce ? 0n : nonce - nextNonce;
  if (before > 0n)
    return `Its nonce is ${formatInteger(nonce)}, and ${formatInteger(before)} ${
      before === 1n ? 'transaction' : 'transactions'
    } of its sender with a lower one ${before === 1n ? 'is' : 'are'} in no block yet. It goes on when ${
      before === 1n ? 'that one' : 'they'
    } came.`;
  if (baseFee !== null && maxFeePerGas < baseFee)
    return `It pays ${gwei(maxFeePerGas)} for its gas at most, and the base fee is ${gwei(baseFee)}. It goes on when the base fee falls, or when it is sent again with a higher price.`;
  return 'Nothing is in its way: one of the next blocks takes it in, unless another one with the same nonce comes first.';
}

/** Why a node may not know a transaction. */
export const unknownTransactionText =
  'It may not have arrived yet, may have been refused before a block, may have been replaced or have expired before a block took it in, or may be of another network.';
