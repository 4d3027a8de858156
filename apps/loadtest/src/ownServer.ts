import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { loadUws } from '@prime/gateway';

type Library = ReturnType<typeof loadUws>['library'];

/** Runs something against a server that is a process of its own, and ends the server. @param program tells its port once it listens */
export async function withServer(
  program: URL,
  args: readonly string[],
  run: (port: number) => Promise<void>,
): Promise<void> {
  const server = fork(fileURLToPath(program), args);
  try {
    const [port] = (await once(server, 'message')) as [number];
    await run(port);
  } finally {
    server.kill();
  }
}

/** Listens on a free port, tells the parent which, and ends with it. */
export function serveParent(library: Library, app: ReturnType<Library['App']>): void {
  app.listen('127.0.0.1', 0, (socket) => {
    // What the typings do not say: false where no port is free.
    if (socket === (false as never)) throw new Error('no port is free');
    process.send!(library.us_socket_local_port(socket));
  });
  process.once('disconnect', () => process.exit(0));
}
