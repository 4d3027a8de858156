import { type Static, Type } from '@sinclair/typebox';
import type { StakingParams } from '@prime/codec';
import { bps, strict, uint32, whole, amount, address } from './genesisTypes.ts';

/** The `staking` section of genesis.json: every field may be left out, and an empty section is the defaults. */
export const stakingSchema = Type.Object(
  {
    minStake: Type.Optional(amount),
    maxValidators: Type.Optional(whole(1, 100)),
    minValidators: Type.Optional(whole(1, 100)),
    unbondingMs: Type.Optional(whole(0)),
    evidenceMaxAgeBlocks: Type.Optional(uint32),
    evidenceMaxAgeMs: Type.Optional(whole(0)),
    doubleSignSlashBps: Type.Optional(bps),
    downtimeWindowMs: Type.Optional(whole(100)),
    downtimeMinSignedBps: Type.Optional(bps),
    downtimeSlashBps: Type.Optional(bps),
    downtimeJailMs: Type.Optional(whole(0)),
    slashedTo: Type.Optional(address),
  },
  strict,
);

type StakingSection = Static<typeof stakingSchema>;

/** Undoes reading: the section as genesis.json has it, wei as decimal text. */
export const writeStaking = (params: StakingParams): StakingSection => ({
  ...params,
  minStake: String(params.minStake),
});
