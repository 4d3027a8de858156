import { createServer } from 'node:net';
import { defaultPlace, placeFrom, type TestnetPlace } from '@prime/config';

type PortName = 'rpcPort' | 'p2pPort' | 'adminPort';
const portNames: readonly PortName[] = ['rpcPort', 'p2pPort', 'adminPort'];

/** Where each validator would listen if nothing were in the way. */
export const wantedPlaces = (validators: number, basePort: number | null): TestnetPlace[] =>
  Array.from({ length: validators }, (_, index) =>
    basePort === null ? defaultPlace(index) : placeFrom(basePort, index),
  );

/**
 * Moves ports that are in use to the next free ones.
 *
 * @param say told of each port that moved
 */
export async function freePlaces(
  wanted: readonly TestnetPlace[],
  say: (line: string) => void,
): Promise<TestnetPlace[]> {
  const taken = new Set<number>();
  const places: TestnetPlace[] = [];
  for (const [index, place] of wanted.entries()) {
    const moved = { ...place };
    for (const name of portNames) {
      const port = await nextFree(place.listenHost, place[name], taken);
      if (port !== place[name]) say(`port ${place[name]} is busy: validator${index} uses ${port}`);
      taken.add(port);
      moved[name] = port;
    }
    places.push(moved);
  }
  return places;
}

/** The first port from `wanted` on that is neither taken nor in use. */
export async function nextFree(host: string, wanted: number, taken: ReadonlySet<number>): Promise<number> {
  let port = wanted;
  while (taken.has(port) || !(await isFree(host, port))) port += 1;
  return port;
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
