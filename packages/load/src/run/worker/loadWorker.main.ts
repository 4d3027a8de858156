/** A worker of a load run as a process of its own, which hears its coordinator over the channel that it was forked with. */
import type { ToWorker } from './messages.ts';
import { WorkerService } from './serveWorker.ts';
import { operationsOfWork } from './work.ts';

const service = new WorkerService(operationsOfWork, (message) => void process.send?.(message));
process.on('message', (message) => void service.take(message as ToWorker));
// The coordinator is gone: nobody hears what would still be sent.
process.on('disconnect', () => process.exit(0));
// Ctrl+C is for the coordinator, which ends its workers once they have told everything.
process.on('SIGINT', () => undefined);
