/**
 * Installs the clients of `test/clients`, or the ccxt of `test/ccxt`, when they are missing.
 *
 *   node scripts/clients.mjs          prints the folder of the project
 *   node scripts/clients.mjs ccxt     prints the folder of test/ccxt
 *   node scripts/clients.mjs anvil    prints the path of a Foundry program: anvil, cast or forge
 *
 * Exit code 3: they are not installed and the package registry is out of reach.
 */
import { ensureClients, foundryBinary } from './lib/clients.mjs';

const unreachableExit = 3;

try {
  const tool = process.argv[2] === 'ccxt' ? undefined : process.argv[2];
  const directory = await ensureClients(process.argv[2] === 'ccxt' ? 'ccxt' : 'clients');
  process.stdout.write(`${tool === undefined ? directory : foundryBinary(tool)}\n`);
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = error.code === 'REGISTRY_UNREACHABLE' ? unreachableExit : 1;
}
