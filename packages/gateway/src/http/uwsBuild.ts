import { createRequire } from 'node:module';
import { PrimeError } from '@prime/primitives';
import type * as Uws from 'uWebSockets.js-20.30';

/**
 * Finds the build of uWebSockets.js that this machine can load (docs/adr/0002-uwebsockets-unofficial-build.md). What the older one can not do
 * is in docs/operate/proxies.md.
 */

/** What both builds have; the typings are those of the older one, and lack the option of listen(). */
export type UwsLibrary = Pick<typeof Uws, 'App' | 'DISABLED' | 'us_listen_socket_close' | 'us_socket_local_port'> & {
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
};

/** The newer build, and the older one for machines on which that does not load. */
export type UwsVersion = '20.57.0' | '20.30.0';

/** The build of uWebSockets.js that was loaded. */
export interface UwsBuild {
  readonly version: UwsVersion;
  readonly library: UwsLibrary;
}

/** Why no port is served. */
export type HttpServerErrorDetail =
  /** The address is taken or not ours. */
  | { readonly code: 'GATEWAY_LISTEN_FAILED'; readonly host: string; readonly port: number }
  /** No build of the HTTP server loads on this machine. */
  | { readonly code: 'GATEWAY_HTTP_UNAVAILABLE'; readonly node: string; readonly platform: string };

/** Thrown where a port cannot be listened on, or no build of the library loads; never for a request. */
export class HttpServerError extends PrimeError<HttpServerErrorDetail> {}

/** What decides which build loads. */
export interface UwsMachine {
  /** Version of Node.js: `20.20.2`. */
  readonly node: string;
  /** Version of Node's binary interface: `115` is that of Node.js 20. */
  readonly modules: string;
  readonly platform: string;
  readonly arch: string;
  /** Version of the C library; null where there is no glibc. Asked for only when nothing loads. */
  readonly glibc: () => string | null;
}

/** The binary interface of Node.js 20, the newest that the older build was made for. */
const modulesOfNode20 = '115';

const thisMachine: UwsMachine = {
  node: process.versions.node,
  modules: process.versions.modules,
  platform: process.platform,
  arch: process.arch,
  glibc: () => {
    const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
    return header?.glibcVersionRuntime ?? null;
  },
};

/**
 * @param load loads a module by its name
 * @throws HttpServerError `GATEWAY_HTTP_UNAVAILABLE`
 */
export function loadUws(
  load: (name: string) => unknown = createRequire(import.meta.url),
  machine: UwsMachine = thisMachine,
): UwsBuild {
  const { node, modules, platform, arch } = machine;
  try {
    return { version: '20.57.0', library: load('uWebSockets.js') as UwsLibrary };
  } catch {
    // Its binary is not for this machine; the words for people are below.
  }
  // The binary itself: the package's own entry would fall back to a server in JavaScript without being asked.
  const binary = `uWebSockets.js-20.30/binaries/uws_${platform}_${arch}_${modules}.node`;
  try {
    if (modules === modulesOfNode20) return { version: '20.30.0', library: load(binary) as UwsLibrary };
  } catch {
    // As above.
  }
  const glibc = machine.glibc();
  throw new HttpServerError(
    `the HTTP server (uWebSockets.js) has no build for Node.js ${node} on ${platform} ${arch}${
      glibc === null ? '' : ` with glibc ${glibc}`
    }. It needs Node.js 20, 22, 24 or 25 on Linux x64 or arm64 with glibc 2.38 or newer (Debian 13, Ubuntu 24.04), on macOS or ` +
      'on Windows x64; with an older glibc it needs Node.js 20',
    { code: 'GATEWAY_HTTP_UNAVAILABLE', node, platform: `${platform}-${arch}` },
  );
}
