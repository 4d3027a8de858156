import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** A WebSocket server of a test, to which clients send JSON. */
export interface SocketServer {
  readonly url: string;
  /** Ends it with all of its connections. */
  close(): void;
}

/** @param onRequest told each message of each client */
export async function serveSockets<Request>(
  onRequest: (request: Request, socket: WebSocket) => void,
): Promise<SocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) =>
    socket.on('message', (data) => onRequest(JSON.parse((data as Buffer).toString()) as Request, socket)),
  );
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}
