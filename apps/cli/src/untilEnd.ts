/** Resolves at the first SIGINT or SIGTERM, and where the process that started this one is gone; a second signal ends the process at once. */
export function untilEnd(): Promise<void> {
  return new Promise((resolve) => {
    let seen = false;
    const onSignal = (): void => {
      if (seen) process.exit(1);
      seen = true;
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    process.on('disconnect', onSignal);
  });
}
