import type { ClobBlock, PriceReporter } from '@prime/clob';
import { publicKeyToAddress } from '@prime/crypto';
import { type Genesis, powerOfStake, type StakedValidator } from '@prime/codec';
import type { StakingDomain } from './staking.ts';

/** States never change: who reports is worked out once for each. */
const known = new WeakMap<object, readonly PriceReporter[]>();

/** Whose reports of prices count in the block after a state: of the validators that are active in it, else of those of genesis. */
export function oracleSetOf(
  genesis: Pick<Genesis, 'clob' | 'consensus' | 'validators'>,
  staking: StakingDomain | null,
): Pick<ClobBlock, 'oracle'> {
  if (genesis.clob.oracle === undefined) return {};
  const of = staking?.state ?? genesis;
  let reporters = known.get(of);
  if (reporters === undefined) {
    reporters =
      staking === null
        ? genesis.validators.map((validator) => reporterOf({ ...validator, oracleKey: null }))
        : [...staking.state.validators.values()].filter(({ status }) => status === 'active').map(reporterOf);
    known.set(of, reporters);
  }
  return { oracle: { reporters, precisionMs: genesis.consensus.precisionMs } };
}

const reporterOf = ({
  address,
  publicKey,
  stake,
  oracleKey,
}: Pick<StakedValidator, 'address' | 'publicKey' | 'stake' | 'oracleKey'>): PriceReporter => ({
  validator: address,
  keys: [publicKeyToAddress(publicKey), ...(oracleKey === null ? [] : [oracleKey])],
  power: powerOfStake(stake),
});
