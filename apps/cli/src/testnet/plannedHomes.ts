import { join } from 'node:path';
import type { TestnetPlace } from '@prime/config';
import { moveKeyToSigner } from '../signer/signerHome.ts';
import { writeTestnet } from './files.ts';
import { type NetworkPlan, sizeOfPlan } from './manifest/plan.ts';

/**
 * Writes the homes of a planned network: nodes, and remote signers with the keys of their validators.
 *
 * @param places of the nodes, in their order
 * @throws CliError `CLI_NOT_EMPTY`
 */
export async function writePlannedNetwork(
  directory: string,
  plan: NetworkPlan,
  places: readonly TestnetPlace[],
): Promise<void> {
  const { validators } = sizeOfPlan(plan);
  await writeTestnet({
    directory,
    preset: plan.preset,
    seed: plan.seed,
    prices: plan.prices,
    timestampMs: plan.timestampMs,
    places: places.slice(0, validators),
    followerPlaces: places.slice(validators),
    ...plan.made,
  });
  for (const { name, validator, ports } of plan.signers)
    await moveKeyToSigner(
      { home: join(directory, name), listen: `127.0.0.1:${ports.signerPort}` },
      join(directory, validator),
    );
}
