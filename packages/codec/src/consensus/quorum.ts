/** Shares of voting power that the protocol asks for, Tendermint (arXiv:1807.04938), section III. */

/** More than 2/3: any two such groups share a correct validator while less than 1/3 is faulty. */
export const isQuorum = (power: bigint, total: bigint): boolean => 3n * power > 2n * total;

/** More than 1/3: at least one of them is correct. */
export const isSkipQuorum = (power: bigint, total: bigint): boolean => 3n * power > total;
