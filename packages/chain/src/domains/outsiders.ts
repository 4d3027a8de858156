import type { ClobBlock } from '@prime/clob';
import type { Genesis, VerifiedAction } from '@prime/codec';
import type { EvmBlock } from '@prime/evm';
import type { StakingDomain } from './staking.ts';

/**
 * Which of a block's signed actions come from somebody who has no wei and is no validator: what the order book can not know, and asks for
 * where genesis has `ownersOnly`. To be asked before anything of the block moves wei.
 */
export function outsidersOf(
  actions: readonly VerifiedAction[],
  { clob }: Pick<Genesis, 'clob'>,
  evm: Pick<EvmBlock, 'balance'>,
  staking: StakingDomain | null,
  { oracle }: Pick<ClobBlock, 'oracle'>,
): Pick<ClobBlock, 'outsiders'> {
  if (clob.ownersOnly !== true) return {};
  const outsiders = actions.flatMap(({ signer, transaction }, index) =>
    transaction.signatureKind !== 'gateway' &&
    evm.balance(signer) === 0n &&
    !isValidator(signer, staking) &&
    oracle?.reporters.some(({ keys }) => keys.includes(signer)) !== true
      ? [index]
      : [],
  );
  return outsiders.length === 0 ? {} : { outsiders };
}

const isValidator = (signer: VerifiedAction['signer'], staking: StakingDomain | null): boolean =>
  staking?.state.validators.has(signer) === true;
