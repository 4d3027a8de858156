import { ChaosError, type ChaosErrorDetail, type PrimeProgram } from '@prime/chaos';
import { ownerKeyPath } from '@prime/config';
import { writeKeystore } from '../keys/keystores.ts';
import { protectionOf } from '../keys/passwordFlags.ts';
import { nodeClient } from '../node/rpc.ts';
import { writeTestnet } from '../testnet/files.ts';
import { freePlaces, nextFree } from '../testnet/ports.ts';
import { programPath } from '../testnet/program.ts';
import { CliError, type CliErrorDetail } from '../errors.ts';

/** This command, for the networks under chaos that it starts. */
export const primeProgram: PrimeProgram = {
  path: programPath,
  client: (url, timeoutMs) => nodeClient({ url, apiKey: null }, { timeoutMs }),
  freePlaces: (wanted) => freePlaces(wanted, () => undefined),
  freePort: nextFree,
  writeHomes: (network) => writeTestnet({ ...network, preset: 'local', genesis: { oracle: false } }),
  async writeOwner(home, key) {
    const path = ownerKeyPath(home);
    writeKeystore(path, 'owner', key, await protectionOf(path, 'owner', {}, true));
  },
};

/** Carries out what a command does with a network under chaos; what does not take place becomes an error of the command line. */
export async function asRun<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof ChaosError)) throw thrown;
    throw new CliError(thrown.message, detailOf(thrown.detail), { cause: thrown });
  }
}

function detailOf(detail: ChaosErrorDetail): CliErrorDetail {
  switch (detail.code) {
    case 'CHAOS_MANIFEST_INVALID':
      return { code: 'CLI_MANIFEST_INVALID', reason: detail.reason };
    case 'CHAOS_NODE_ENDED':
      return { code: 'CLI_VALIDATOR_ENDED', name: detail.name, exitCode: detail.exitCode };
  }
}
