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
 * @param say told of the ports that moved, a line for each validator
 */
export async function freePlaces(
  wanted: readonly TestnetPlace[],
  say: (line: string) => void,
): Promise<TestnetPlace[]> {
  // What the others want is not taken from them: else one busy port would move all that come after it.
  const taken = new Set(wanted.flatMap((place) => portNames.map((name) => place[name])));
  const places: TestnetPlace[] = [];
  for (const [index, place] of wanted.entries()) {
    const moved = { ...place };
    for (const name of portNames) {
      if (await isFree(place.listenHost, place[name])) continue;
      moved[name] = await nextFree(place.listenHost, place[name] + 1, taken);
      taken.add(moved[name]);
    }
    const busy = portNames.filter((name) => moved[name] !== place[name]);
    if (busy.length > 0) say(busyWords(index, place, moved, busy));
    places.push(moved);
  }
  return places;
}

function busyWords(index: number, place: TestnetPlace, moved: TestnetPlace, busy: readonly PortName[]): string {
  const list = (from: TestnetPlace): string => busy.map((name) => from[name]).join(', ');
  const are = busy.length === 1 ? `port ${list(place)} is` : `ports ${list(place)} are`;
  return `${are} busy: validator${index} uses ${list(moved)}`;
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
