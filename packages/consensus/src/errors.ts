import { type Address, PrimeError } from '@prime/primitives';

/** A validator set, or a change of one, that cannot be. */
export type ConsensusErrorDetail =
  /** No validator, or a total power of zero. */
  | { readonly code: 'CONSENSUS_EMPTY_VALIDATOR_SET' }
  /** An address or a signer occurs twice. */
  | { readonly code: 'CONSENSUS_DUPLICATE_VALIDATOR'; readonly validator: Address }
  /** Power is below 1 (or below 0 in a change). */
  | { readonly code: 'CONSENSUS_INVALID_POWER'; readonly validator: Address; readonly power: string }
  /** A change removes a validator that is not in the set. */
  | { readonly code: 'CONSENSUS_UNKNOWN_VALIDATOR'; readonly validator: Address };

/** A caller's mistake; inputs from the network are refused with a result, never with this. */
export class ConsensusError extends PrimeError<ConsensusErrorDetail> {}
