import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a bot's metrics to Prometheus until it is closed. */
export interface MetricsServer {
  /** Where it listens, `http://host:port/metrics`. */
  readonly url: string;
  close(): void;
}

/** Serves `/metrics` for Prometheus. @param listen host and port; port 0 takes a free one */
export function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  render: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    render().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      resolve({
        url: `http://${host}:${address.port}/metrics`,
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
