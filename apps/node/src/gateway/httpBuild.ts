/**
 * The build of uWebSockets.js that a node would serve with on this machine.
 *
 * @returns its version
 * @throws HttpServerError `GATEWAY_HTTP_UNAVAILABLE` where none loads
 */
export async function httpBuild(): Promise<string> {
  // Most commands need nothing of HTTP.
  const { loadUws } = await import('@prime/gateway');
  return loadUws().version;
}
