/** How far a full or an empty block moves the base fee: one eighth (EIP-1559). */
const changeDenominator = 8n;
/** The target is half of the gas limit (EIP-1559). */
const elasticity = 2n;

/** What the base fee of a block follows from: gas limit, gas and base fee of its parent. */
export interface ParentGas {
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** wei per gas */
  readonly baseFee: bigint;
}

/**
 * Base fee of the block after `parent`, wei per gas (EIP-1559).
 *
 * @see https://eips.ethereum.org/EIPS/eip-1559
 */
export function nextBaseFee(parent: ParentGas): bigint {
  const target = parent.gasLimit / elasticity;
  if (target === 0n || parent.gasUsed === target) return parent.baseFee;
  if (parent.gasUsed > target) {
    const rise = (parent.baseFee * (parent.gasUsed - target)) / target / changeDenominator;
    return parent.baseFee + (rise > 0n ? rise : 1n);
  }
  return parent.baseFee - (parent.baseFee * (target - parent.gasUsed)) / target / changeDenominator;
}
