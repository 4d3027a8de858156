import { createServer } from 'node:net';
import { CliError } from '../errors.ts';
import { defaultPlace, placeFrom, type TestnetPlace, validatorName } from '@prime/config';
import { lastPort } from './manifest/places.ts';
import type { PlannedSigner } from './manifest/plan.ts';

type PortName = 'rpcPort' | 'p2pPort' | 'adminPort';
const portNames: readonly PortName[] = ['rpcPort', 'p2pPort', 'adminPort'];

const portsOf = (places: readonly TestnetPlace[]): Set<number> =>
  new Set(places.flatMap((place) => portNames.map((name) => place[name])));

/** Where each validator would listen if nothing were in the way. */
export const wantedPlaces = (validators: number, basePort: number | null): TestnetPlace[] =>
  Array.from({ length: validators }, (_, index) =>
    basePort === null ? defaultPlace(index) : placeFrom(basePort, index),
  );

/**
 * Moves ports that are in use to the next free ones.
 *
 * @param say told of the ports that moved, a line for each validator
 */
export async function freePlaces(
  wanted: readonly TestnetPlace[],
  say: (line: string) => void,
  names: readonly string[] = wanted.map((_, index) => validatorName(index)),
): Promise<TestnetPlace[]> {
  // What the others want is not taken from them: else one busy port would move all that come after it.
  const taken = portsOf(wanted);
  const places: TestnetPlace[] = [];
  for (const [index, place] of wanted.entries()) {
    const moved = { ...place };
    for (const name of portNames) {
      if (await isFree(place.listenHost, place[name])) continue;
      moved[name] = await nextFree(place.listenHost, place[name] + 1, taken);
      taken.add(moved[name]);
    }
    const busy = portNames.filter((name) => moved[name] !== place[name]);
    if (busy.length > 0) say(busyWords(names[index]!, place, moved, busy));
    places.push(moved);
  }
  return places;
}

/**
 * Where something beside a network listens: the wanted port, or the next free one.
 *
 * @param name as people call it
 * @param others what the nodes have, and want
 */
export async function freePort(
  name: string,
  wanted: number,
  others: readonly TestnetPlace[],
  say: (line: string) => void,
): Promise<number> {
  const port = await nextFree(explorerHost, wanted, portsOf(others));
  if (port !== wanted) say(`port ${wanted} is busy: ${name} uses ${port}`);
  return port;
}

/** A remote signer on this machine: nobody but its validator and operators looks for it, so its ports go where there is room. */
export interface SignerHere {
  readonly name: string;
  /** Whose key it has. */
  readonly validator: string;
  /** `host:port` */
  readonly listen: string;
  /** Where operators look. */
  readonly admin: string;
}

/** Finds ports for signers that no node has and nobody listens on. */
export async function freeSigners(
  planned: readonly PlannedSigner[],
  others: readonly TestnetPlace[],
): Promise<SignerHere[]> {
  const taken = portsOf(others);
  const take = async (wanted: number): Promise<string> => {
    const port = await nextFree(explorerHost, wanted, taken);
    taken.add(port);
    return `${explorerHost}:${port}`;
  };
  const signers: SignerHere[] = [];
  for (const { name, validator, ports } of planned)
    signers.push({ name, validator, listen: await take(ports.signerPort), admin: await take(ports.adminPort) });
  return signers;
}

/** The explorer of a network on this machine is for this machine. */
export const explorerHost = '127.0.0.1';

function busyWords(name: string, place: TestnetPlace, moved: TestnetPlace, busy: readonly PortName[]): string {
  const list = (from: TestnetPlace): string => busy.map((name) => from[name]).join(', ');
  const are = busy.length === 1 ? `port ${list(place)} is` : `ports ${list(place)} are`;
  return `${are} busy: ${name} uses ${list(moved)}`;
}

/** The first port from `wanted` on that is neither taken nor in use. @throws CliError `CLI_LISTEN_FAILED` where there is none */
export async function nextFree(host: string, wanted: number, taken: ReadonlySet<number>): Promise<number> {
  let port = wanted;
  while (port <= lastPort && (taken.has(port) || !(await isFree(host, port)))) port += 1;
  if (port > lastPort)
    throw new CliError(`no port from ${wanted} on is free`, { code: 'CLI_LISTEN_FAILED', host, port: wanted });
  return port;
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
