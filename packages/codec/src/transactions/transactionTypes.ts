/** Types of the Ethereum transactions that the chain executes (EIP-2718). */
export const transactionTypes = { legacy: 0, accessList: 1, dynamicFee: 2, setCode: 4 } as const;

/** Number of a type that the chain executes. Type 3, with blobs, is not among them. */
export type TransactionType = (typeof transactionTypes)[keyof typeof transactionTypes];

/** EIP-4844: its blobs have no data layer here. */
export const blobTransactionType = 3;

/** A legacy transaction has no type in front: it begins as the RLP list that it is. */
const listBase = 0xc0;

/**
 * Type of the Ethereum transaction that begins with a byte.
 *
 * @returns null where the chain executes none that does
 */
export function transactionTypeOf(first: number): TransactionType | null {
  if (first >= listBase) return transactionTypes.legacy;
  const { accessList, dynamicFee, setCode } = transactionTypes;
  return first === accessList || first === dynamicFee || first === setCode ? first : null;
}
