/**
 * jest's `globalTeardown`: a run whose tests are over ends, whatever they left open. jest itself would wait for ever for a socket, a
 * child process or a timer that a test forgot, and with it whoever waits for the verdict. What is open is told, so that the test
 * can be mended, its processes are ended, and the verdict stays what the tests said.
 */

/** Connections that are kept for a next request end by themselves in less. */
const graceMs = 10_000;

// jest calls the module's default export.
// oxlint-disable-next-line import/no-default-export
export default function endWhenAllIsSaid() {
  // Without a reference: where nothing is open, the process ends long before.
  setTimeout(() => {
    const handles = process._getActiveHandles();
    const told = handles.map(describe).filter((text) => text !== null);
    // Timers are no handles; the list of kinds has them.
    told.push(process.getActiveResourcesInfo().join(', '));
    process.stderr.write(`\nprime: the tests are over, but this is still open:\n  ${told.join('\n  ')}\n`);
    for (const handle of handles) if (isChild(handle)) handle.kill('SIGKILL');
    process.exit();
  }, graceMs).unref();
}

const isChild = (handle) => typeof handle.spawnfile === 'string';

function describe(handle) {
  if (isChild(handle)) return `process ${handle.pid}: ${handle.spawnargs.join(' ')}`;
  const kind = handle.constructor?.name ?? 'handle';
  // The process's own output.
  if (handle.fd === 1 || handle.fd === 2) return null;
  if (kind === 'Server') return `server at ${JSON.stringify(handle.address())}`;
  if (handle.remotePort !== undefined) return `${kind} to ${handle.remoteAddress}:${handle.remotePort}`;
  return `${kind} ${handle.destroyed === false ? '(open)' : ''}`.trim();
}
