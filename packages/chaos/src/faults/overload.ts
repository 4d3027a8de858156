import { toHex } from '@prime/load';

/** Clients that ask for more than they should. */
export interface Overload {
  /** @returns how many requests were answered */
  stop(): Promise<number>;
}

/** An endless loop, as the init code of a contract: it costs all the gas that a call may have. */
const endlessLoop = '0x5b600056';
const timeoutMs = 10_000;

/** @param random uniform below a bound */
export function beginOverload(url: string, clients: number, random: (bound: number) => number): Overload {
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
