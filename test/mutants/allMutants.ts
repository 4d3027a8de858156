import { chainMutants } from './chainMutants.ts';
import { clobMutants } from './clobMutants.ts';
import { consensusMutants } from './consensusMutants.ts';
import { evmMutants } from './evmMutants.ts';
import { gatewayMutants } from './gatewayMutants.ts';
import { mempoolMutants } from './mempoolMutants.ts';
import type { Mutant } from './mutant.ts';
import { sdkMutants } from './sdkMutants.ts';

/** What `npm run mutants` plants: rates, bounds, roundings and limits that are wrong by one, writes that are lost, and checks that are left out. */
export const allMutants: readonly Mutant[] = [
  ...clobMutants,
  ...chainMutants,
  ...mempoolMutants,
  ...gatewayMutants,
  ...evmMutants,
  ...consensusMutants,
  ...sdkMutants,
];
