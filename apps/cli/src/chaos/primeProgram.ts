import type { PrimeProgram } from '@prime/chaos';
import { ownerKeyPath } from '@prime/config';
import { writeKeystore } from '../keys/keystores.ts';
import { protectionOf } from '../keys/passwordFlags.ts';
import { nodeClient } from '../node/rpc.ts';
import { writeTestnet } from '../testnet/files.ts';
import { freePlaces, nextFree } from '../testnet/ports.ts';
import { programPath } from '../testnet/program.ts';

/** This command, for the networks under chaos that it starts. */
export const primeProgram: PrimeProgram = {
  path: programPath,
  client: (url, timeoutMs) => nodeClient({ url, apiKey: null }, { timeoutMs }),
  freePlaces: (wanted) => freePlaces(wanted, () => undefined),
  freePort: nextFree,
  writeHomes: (network) => writeTestnet({ ...network, preset: 'local' }),
  async writeOwner(home, key) {
    const path = ownerKeyPath(home);
    writeKeystore(path, 'owner', key, await protectionOf(path, 'owner', {}, true));
  },
};
