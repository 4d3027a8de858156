/** Positions and what open orders could make of them stay below this, base units: half of what a record can hold. */
export const positionMax: bigint = 1n << 127n;
