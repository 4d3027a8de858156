import { verifyNativeTransaction } from '@prime/codec';
import type { EnginePorts } from '@prime/engine';
import type { Prng } from '@prime/primitives';
import type { NodeDisk } from './disk.ts';
import { createExecution } from './execution.ts';
import type { World } from '../world.ts';

/** What a node executes blocks with. */
export interface NodeEngines extends Pick<EnginePorts, 'execution' | 'accounts' | 'signers' | 'verifier'> {
  /** Of the block to come. */
  readonly baseFee: bigint;
}

/** Execution as a hash chain: no transactions, and actions that do nothing but what validators do. */
export function hashEngines(options: {
  readonly world: World;
  readonly disk: NodeDisk;
  readonly prng: Prng;
  readonly isAlive: () => boolean;
  readonly isHonest: boolean;
}): NodeEngines {
  const { world, isHonest } = options;
  const { genesis, provider, time } = world;
  return {
    execution: createExecution({
      ...options,
      genesis,
      time,
      provider,
      damage: isHonest ? world.options.membershipDamage : {},
    }),
    accounts: { account: () => ({ nonce: 0, balance: 0n }) },
    signers: {
      signerNonces: () => [],
      agent: () => null,
      authority: (account) => account,
      isLocked: () => false,
      isKnown: () => true,
    },
    verifier: {
      transactions: async (raws) => raws.map(() => ({ failure: 'no transactions here' })),
      actions: async (raws) => raws.map((raw) => verifyNativeTransaction(raw, genesis.chainId, provider)),
    },
    baseFee: genesis.evm.initialBaseFee,
  };
}
