import type { Subscriptions } from '../ports/streamPorts.ts';

/**
 * Who asks, and where. A transport makes one of these for each HTTP request or WebSocket connection; the dispatcher hands it to
 * admission and to the handlers.
 */

/** The listener for everyone, or the operator's own, which also serves what the privacy fork hides. */
export type Surface = 'public' | 'operator';

/** A caller as limits know it: an API key, or everyone behind one network address. */
export interface Client {
  /** `key:<name>` or `address:<address>`; what is counted per client is counted under this name. */
  readonly id: string;
  /** Name of the API key; null for a caller without one. */
  readonly apiKey: string | null;
  /** Of its connection, or what trusted proxies say. Read it before the request is answered. */
  readonly address: string;
}

/** Who calls, and over what; the same for all requests of a batch. */
export interface RequestContext {
  readonly surface: Surface;
  readonly transport: 'http' | 'webSocket';
  readonly client: Client;
  /** Absent where nothing can be sent but answers. */
  readonly subscriptions?: Subscriptions;
}
