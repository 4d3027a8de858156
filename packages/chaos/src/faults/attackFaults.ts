/** People outside of the network who wish it ill. */
import { genesisHash } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { beginAttack } from '../attack/runAttack.ts';
import type { Fault } from '../schedule/faults.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';
import { beginOverload } from './overload.ts';

const attemptsPerSecond = 30;
const overloadClients = 16;

/** Attacks the peer port of a validator until it is healed. Default: 30 attempts a second. */
export async function attack(
  network: ChaosNetwork,
  { validator, how, per_second }: Fault & { readonly kind: 'attack' },
): Promise<Heal> {
  const { addresses, p2pPorts, spkis, genesis } = network.homes;
  const { stop } = await beginAttack(how, per_second ?? attemptsPerSecond, {
    target: {
      port: p2pPorts[validator]!,
      spki: spkis[validator]!,
      address: addresses[validator]!,
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      validators: addresses.slice(0, network.validators),
      head: () => network.watch.highest(network.all),
    },
    prng: network.prng.fork(),
    provider: await cryptoProvider(),
    onIdentity: (address) => network.outlaws.add(address),
  });
  const end = network.untilClosed(stop);
  return async () => network.say(`${how} at ${network.name(validator)}: ${await end()} attempts`);
}

/** Floods the public JSON-RPC surface of a validator until it is healed. Default: 16 clients, each with requests one after another. */
export async function overload(
  network: ChaosNetwork,
  { validator, clients }: Fault & { readonly kind: 'overload' },
): Promise<Heal> {
  const prng = network.prng.fork();
  const url = network.homes.publicUrls[validator]!;
  const { stop } = beginOverload(url, clients ?? overloadClients, (bound) => prng.below(bound));
  const end = network.untilClosed(stop);
  return async () => network.say(`${network.name(validator)} answered ${await end()} requests`);
}
