import type { GenesisValidator, StakedValidator } from '@prime/codec';
import type { Height, TimestampMs } from '@prime/primitives';
import type { StakingState } from './state.ts';

/** The state before block 1: the validators of genesis are in the set. */
export function genesisStaking(validators: readonly GenesisValidator[]): StakingState {
  const staked = validators.map(
    ({ address, publicKey, stake, moniker }): StakedValidator => ({
      address,
      publicKey,
      stake,
      moniker,
      endpoint: null,
      oracleKey: null,
      status: 'active',
      jailedUntilMs: 0 as TimestampMs,
      tombstoned: false,
      periods: [{ fromHeight: 1 as Height, publicKey }],
      missed: [],
    }),
  );
  return {
    validators: new Map(staked.map((validator) => [validator.address, validator])),
    unbondings: [],
    clock: {
      nextUnbondingId: 1,
      downtimeMarks: [],
      evidenceMarks: [],
      jailing: { window: 0, totalPower: 0n, jailedPower: 0n },
    },
  };
}
