import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** `testnet init --base-port` gives each validator ten ports. */
export const portsPerValidator = 10;
/** Of the admin port in a validator's ten ports; RPC and p2p stand before it. */
export const adminPortOffset = 2;
/** Of the operator's port in a validator's ten ports, behind those that `testnet init` gives. */
export const operatorPortOffset = 3;

/**
 * Ports that systems do not give to outgoing connections by themselves (Linux: 32768 to 60999): a closed connection keeps its port
 * for a minute, and after thousands of them no ten ports in a row are free up there.
 */
const [firstPort, afterPorts] = [10_000, 32_000] as const;
/** Test processes that take ports at one time: each has a part for itself, because a node that is stopped does not hold its own. */
const portParts = 4;

/** The ports of this test process. jest numbers its workers from 1. */
function ownPorts(
  worker = Number(process.env['JEST_WORKER_ID'] ?? portParts),
): readonly [first: number, after: number] {
  const size = Math.floor((afterPorts - firstPort) / portParts);
  const first = firstPort + ((worker - 1) % portParts) * size;
  return [first, first + size];
}

/** A base port from which the ports of all roles are free. @throws Error when none is found */
export async function freeBasePort(validators: number): Promise<number> {
  const count = validators * portsPerValidator;
  const [first, after] = ownPorts();
  for (let attempt = 0; attempt < 200; attempt++) {
    const base = randomInt(first, after - count);
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no range of free ports was found');
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
