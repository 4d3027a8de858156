/** People outside of the network who wish it ill. */
import { genesisHash } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { toHex } from '@prime/load';
import { beginAttack } from '../attack/runAttack.ts';
import type { Fault } from '../schedule/faults.ts';
import type { ChaosNetwork, Heal } from '../run/network.ts';

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

/** Clients that ask for more than they should. */
interface Overload {
  /** @returns how many requests were answered */
  stop(): Promise<number>;
}

/** An endless loop, as the init code of a contract: it costs all the gas that a call may have. */
const endlessLoop = '0x5b600056';
const timeoutMs = 10_000;

/** @param random uniform below a bound */
function beginOverload(url: string, clients: number, random: (bound: number) => number): Overload {
  const stop = new AbortController();
  let answered = 0;
  const client = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: bodies[random(bodies.length)]!(),
          signal: AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]),
        });
        await response.arrayBuffer();
        answered += 1;
      } catch {
        // Refused, late or stopped: the next one may be answered. A node that is down is not asked in a tight loop.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    async stop() {
      stop.abort();
      await Promise.all(running);
      return answered;
    },
  };
}

const call = (method: string, params: readonly unknown[], id = 1): object => ({ jsonrpc: '2.0', id, method, params });
const bodies: readonly (() => string)[] = [
  () => JSON.stringify(call('eth_call', [{ data: endlessLoop }, 'latest'])),
  () => JSON.stringify(call('eth_estimateGas', [{ data: endlessLoop }])),
  () => JSON.stringify(call('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])),
  () => JSON.stringify(Array.from({ length: 50 }, (_, id) => call('eth_getBlockByNumber', [toHex(id), true], id))),
  () => JSON.stringify(Array.from({ length: 50 }, (_, id) => call('eth_getBalance', [address(id), 'latest'], id))),
  () => JSON.stringify(call('eth_sendRawTransaction', ['0x02f8'.padEnd(2_000, '7')])),
  () => JSON.stringify(call('debug_traceBlockByNumber', ['latest'])),
  () => '['.repeat(10_000),
  () => `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(100_000)}"}`,
];

const address = (id: number): string => `0x${id.toString(16).padStart(40, '0')}`;
