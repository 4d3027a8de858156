import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from './messages.ts';

/** A coordinator's hold on one worker. */
export interface WorkerLink {
  readonly name: string;
  send(message: ToWorker): void;
  close(): void;
}

/** Who hears what comes from a worker. */
export interface WorkerLinkEvents {
  readonly onMessage: (message: FromWorker) => void;
  /** The worker is gone, and {@link WorkerLink.close} was not called. */
  readonly onEnd: (words: string) => void;
}

/** Starts a worker on this machine. */
export function forkWorker(index: number, { onMessage, onEnd }: WorkerLinkEvents): WorkerLink {
  const program = fileURLToPath(new URL('./loadWorker.main.js', import.meta.url));
  const child = fork(program, [], { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let isClosed = false;
  child.on('message', (message) => onMessage(message as FromWorker));
  child.on('error', (error) => {
    if (!isClosed) onEnd(error.message);
    isClosed = true;
  });
  child.on('exit', (code, signal) => {
    if (!isClosed) onEnd(`ended with ${code ?? signal}`);
    isClosed = true;
  });
  return {
    name: `worker${index}`,
    send: (message) => {
      if (!isClosed) child.send(message);
    },
    close: () => {
      isClosed = true;
      child.disconnect();
    },
  };
}
