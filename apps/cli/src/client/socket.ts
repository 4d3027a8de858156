import type { StreamSocket } from '@prime/sdk';
import { WebSocket } from 'ws';

/** A WebSocket whose request carries headers, such as an API key. */
export const openSocket = (url: string, headers: Readonly<Record<string, string>>): StreamSocket =>
  new WebSocket(url, { headers }) as unknown as StreamSocket;
