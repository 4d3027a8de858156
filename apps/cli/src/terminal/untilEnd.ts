import { exitCode } from '@prime/node';

/** Resolves at the first SIGINT or SIGTERM, and where the process that started this one is gone; a second signal ends the process at once. */
export function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    let seen = false;
    const onSignal = (): void => {
      if (seen) process.exit(1);
      seen = true;
      // Who listens to the channel keeps the process alive by that.
      process.off('disconnect', onSignal);
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    process.on('disconnect', onSignal);
  });
}

/** The first SIGINT or SIGTERM ends what goes on, and what has been is judged; a second one ends the process. To be called once. */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    // Nodes that this process started notice that it is gone.
    if (controller.signal.aborted) process.exit(exitCode.internal);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}
