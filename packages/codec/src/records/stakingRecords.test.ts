import { describe, expect, it } from '@jest/globals';
import { type Address, bytesToHex, type Height, type TimestampMs } from '@prime/primitives';
import fc from 'fast-check';
import {
  decodeStakingRecords,
  type StakedValidator,
  type StakingRecords,
  stakingRoot,
  stakingWrites,
  type Unbonding,
} from './stakingRecords.ts';

const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;

const validator = (index: number, stake: bigint): StakedValidator => ({
  address: addressOf(index),
  publicKey: new Uint8Array(33).fill(2),
  stake,
  moniker: `v${index}`,
  endpoint: null,
  oracleKey: null,
  status: 'active',
  jailedUntilMs: 0 as TimestampMs,
  tombstoned: false,
  periods: [{ fromHeight: 1 as Height, publicKey: new Uint8Array(33).fill(2) }],
  missed: [],
});

const unbonding = (id: number, amount: bigint): Unbonding => ({
  id,
  owner: addressOf(id),
  amount,
  releaseMs: 5 as TimestampMs,
});

const amount = fc.bigInt({ min: 1n, max: 3n });
const sparse = fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5'), amount, { maxKeys: 5 });
const records = fc
  .record({ stakes: sparse, amounts: sparse, nextUnbondingId: fc.integer({ min: 6, max: 7 }) })
  .map(({ stakes, amounts, nextUnbondingId }): StakingRecords => {
    const validators = Object.entries(stakes).map(([index, stake]) => validator(Number(index), stake));
    return {
      validators: new Map(validators.map((of) => [of.address, of])),
      unbondings: Object.entries(amounts).map(([id, wei]) => unbonding(Number(id), wei)),
      clock: {
        nextUnbondingId,
        downtimeMarks: [],
        evidenceMarks: [],
        jailing: { window: 0, totalPower: 0n, jailedPower: 0n },
      },
    };
  });

describe('writes of the staking state', () => {
  it('lead from any state to any other, and from none', () => {
    fc.assert(
      fc.property(fc.option(records), records, (before, after) => {
        const database = new Map<string, readonly [Uint8Array, Uint8Array]>();
        const apply = (writes: ReturnType<typeof stakingWrites>): void => {
          expect(new Set(writes.map(({ key }) => bytesToHex(key))).size).toBe(writes.length);
          for (const { key, value } of writes) {
            if (value === null) expect(database.delete(bytesToHex(key))).toBe(true);
            else database.set(bytesToHex(key), [key, value]);
          }
        };
        if (before !== null) apply(stakingWrites(null, before));
        apply(stakingWrites(before, after));
        expect(stakingRoot(decodeStakingRecords(database.values()))).toBe(stakingRoot(after));
      }),
    );
  });

  it('leave alone what both states share', () => {
    fc.assert(
      fc.property(records, amount, (before, stake) => {
        const changed = validator(3, stake + 3n);
        const after = { ...before, validators: new Map(before.validators).set(changed.address, changed) };
        expect(stakingWrites(before, after)).toHaveLength(1);
        expect(stakingWrites(before, { ...before })).toEqual([]);
      }),
    );
  });
});
