import { httpBuild, openFilesLimit, openFilesMin } from '@prime/node';
import { type Check, fail, ok, warn } from './check.ts';
import { memoryCheck, memoryLimit } from './memory.ts';

/** What a node has to do with before it has a home. */
export interface MachineFacts {
  /** Of Node.js: `20.20.2`. */
  readonly node: string;
  /** Version of the C library; null where there is no glibc. */
  readonly glibc: string | null;
  /** The build of uWebSockets.js that loads, or why none does. */
  readonly http: { readonly build: string } | { readonly reason: string };
  /** null where there is no limit or the system does not tell. */
  readonly openFiles: number | null;
  readonly memory: ReturnType<typeof memoryLimit>;
}

/** Releases of Node.js that tests run on, by their first number; within each from this version on. */
const testedNodes: Readonly<Record<number, readonly [number, number]>> = { 20: [15, 0], 22: [0, 0], 24: [0, 0] };
const openFilesAdvised = 65_536;

/** Looks at this process and its system; loads the HTTP library, because only that shows whether it loads. */
export async function readMachine(): Promise<MachineFacts> {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const http = await httpBuild().then(
    (build) => ({ build }),
    (error: unknown) => ({ reason: (error as Error).message }),
  );
  return {
    node: process.versions.node,
    glibc: header?.glibcVersionRuntime ?? null,
    http,
    openFiles: openFilesLimit(),
    memory: memoryLimit(),
  };
}

/** All that can be said without a home. The same facts give the same checks. */
export const machineChecks = ({ node, glibc, http, openFiles, memory }: MachineFacts): Check[] => [
  nodeCheck(node),
  httpCheck(http, glibc),
  openFilesCheck(openFiles),
  memoryCheck(memory),
];

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const from = testedNodes[major];
  const wanted = {
    why: 'releases that tests do not run on may lack what a node uses, or have what stops it',
    advice: 'use Node.js 20 (20.15 or newer), 22 or 24',
  };
  if (from !== undefined && minor >= from[0]) return ok('node', version);
  if (major < 20 || from !== undefined) return fail('node', `${version} is too old`, wanted);
  return warn('node', `${version} is not tested with`, wanted);
}

function httpCheck(http: MachineFacts['http'], glibc: string | null): Check {
  const library = glibc === null ? 'no glibc' : `glibc ${glibc}`;
  if ('reason' in http)
    return fail('http', `${library}: ${http.reason}`, {
      why: 'without the HTTP server a node does not start',
      advice: 'take such a system and Node.js; the container image has both',
    });
  if (http.build.startsWith('20.57')) return ok('http', `uWebSockets.js ${http.build}, ${library}`);
  return warn('http', `uWebSockets.js ${http.build}, ${library}: proxies have to be set up for it`, {
    why: 'this older build closes idle connections after 10 s, and proxies that use them again meet closed ones',
    advice: 'glibc 2.38 or newer (Debian 13, Ubuntu 24.04) loads 20.57; else see docs/operate/proxies.md',
  });
}

function openFilesCheck(limit: number | null): Check {
  const advice = {
    why: 'each connection is an open file, and so are logs and tables of the databases',
    advice: `raise it to ${openFilesAdvised}: ulimit -n, LimitNOFILE of systemd, ulimits of a container`,
  };
  if (limit === null) return ok('open files', 'no limit, or the system does not tell');
  if (limit < openFilesMin) return fail('open files', `${limit}: a node needs ${openFilesMin}`, advice);
  if (limit < openFilesAdvised) return warn('open files', `${limit}`, advice);
  return ok('open files', `${limit}`);
}
