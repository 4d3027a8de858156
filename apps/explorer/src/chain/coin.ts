/** The native coin, in which fees, collateral and stakes are counted: 18 decimals. */
export const coin = 'PRIME';
