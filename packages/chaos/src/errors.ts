import { PrimeError } from '@prime/primitives';

/** Codes of chaos runs, each with what is needed to find the cause. */
export type ChaosErrorDetail =
  /** The manifest of a run is not one, or promises what can not be. */
  | { readonly code: 'CHAOS_MANIFEST_INVALID'; readonly reason: string }
  /** A node of a run ended before it served, or the network of a run decides no blocks. */
  | { readonly code: 'CHAOS_NODE_ENDED'; readonly name: string; readonly exitCode: number | null };

/** Why a run does not take place. */
export class ChaosError extends PrimeError<ChaosErrorDetail> {}
