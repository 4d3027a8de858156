import { WebSocket } from 'isows';

/** What streams need of a WebSocket: the part that browsers and `ws` have in common. */
export interface StreamSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Ends it without waiting for the other side; only Node's `ws` has it. */
  terminate?(): void;
}

/** The world around streams. Tests bring their own; a Node program that needs headers (API keys) brings `openSocket`. */
export interface StreamEnvironment {
  /** @param url ws: or wss: */
  openSocket(url: string): StreamSocket;
  /** ms of a clock that never goes back. */
  now(): number;
  /** @returns what cancels it */
  setTimer(run: () => void, delayMs: number): () => void;
  /** From 0 up to 1. */
  random(): number;
}

/** The platform's WebSocket, clock, timers and randomness, for browsers and Node.js alike. */
export const defaultEnvironment: StreamEnvironment = {
  openSocket: (url) => new WebSocket(url) as unknown as StreamSocket,
  now: () => performance.now(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
