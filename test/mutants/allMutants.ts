import { chainMutants } from './chainMutants.ts';
import { clobMutants } from './clobMutants.ts';
import { evmMutants } from './evmMutants.ts';
import { gatewayMutants } from './gatewayMutants.ts';
import { mempoolMutants } from './mempoolMutants.ts';
import type { Mutant } from './mutant.ts';

/** What `npm run mutants` plants: rates, bounds, roundings and limits that are wrong by one, and writes that are lost. */
export const allMutants: readonly Mutant[] = [
  ...clobMutants,
  ...chainMutants,
  ...mempoolMutants,
  ...gatewayMutants,
  ...evmMutants,
];
