import type { ClobBlock, PriceReporter } from '@prime/clob';
import { publicKeyToAddress } from '@prime/crypto';
import { type Genesis, powerOfStake, type StakedValidator, type VerifiedAction } from '@prime/codec';
import type { StakingDomain } from './staking.ts';

/** States never change: who reports is worked out once for each. */
const known = new WeakMap<object, readonly PriceReporter[]>();

/**
 * Whose reports of prices and whose votes count in the block after a state: of the validators that are active in it, else of those of genesis. Left out of
 * a block that has neither to do with.
 */
export function oracleSetOf(
  genesis: Pick<Genesis, 'clob' | 'consensus' | 'validators'>,
  staking: StakingDomain | null,
  actions: readonly Pick<VerifiedAction, 'facts'>[],
): Pick<ClobBlock, 'oracle'> {
  if (genesis.clob.oracle === undefined && !actions.some(isGoverning)) return {};
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

const isGoverning = ({ facts: { type } }: Pick<VerifiedAction, 'facts'>): boolean =>
  type === 'propose' || type === 'vote';

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
