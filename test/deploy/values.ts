/** Values of the chart for tests. */

const hex = (bytes: number, digits: string): string => `0x${digits.padStart(2 * bytes, '0')}`;

export interface ValidatorValues {
  readonly name: string;
  readonly address: string;
  readonly spki: string;
}

/** So many validators, none of which is like another. */
export const validatorValues = (count: number): ValidatorValues[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `v${index}`,
    address: hex(20, (0xa000 + index).toString(16)),
    spki: hex(32, (0xa000 + index).toString(16)),
  }));
