import type { StakingParams } from '@prime/codec';
import { createNobleProvider, keccak256 } from '@prime/crypto';
import { utf8ToBytes } from '@prime/primitives';
import { type Act, ether, owner, StakingHarness } from './stakingHarness.ts';

/** The staking actions of a validator as a block carries them, and a network to carry them out. */

const provider = createNobleProvider();

/** Public keys of those who may stake, by their index. */
export const stakerKeys: readonly Uint8Array[] = Array.from({ length: 20 }, (_, index) =>
  provider.publicKey(keccak256(utf8ToBytes(`staker ${index}`))),
);

/** A network of so many validators with 100 coins of stake each. */
export const openStaking = (count = 5, params: Partial<StakingParams> = {}): StakingHarness =>
  new StakingHarness(
    stakerKeys,
    Array.from({ length: count }, () => 100n * ether),
    params,
  );

/** Leaves the set for good. */
export const leave = (index: number): Act => ({ account: owner(index), payload: { type: 'validatorLeave' } });
/** Returns from jail into the set. */
export const unjail = (index: number): Act => ({ account: owner(index), payload: { type: 'validatorUnjail' } });
/** Leaves the set for a while. */
export const jailSelf = (index: number): Act => ({ account: owner(index), payload: { type: 'validatorJail' } });
/** Adds stake, in wei; `funded` says whether the owner has it. */
export const bond = (index: number, amount: bigint, funded = true): Act => ({
  account: owner(index),
  payload: { type: 'validatorBond', amount },
  funded,
});
/** Takes stake out, in wei. */
export const unbond = (index: number, amount: bigint): Act => ({
  account: owner(index),
  payload: { type: 'validatorUnbond', amount },
});
