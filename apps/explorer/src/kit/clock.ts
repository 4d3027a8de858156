import { signal } from '@preact/signals';

/** Time of this machine, ms since 1970, once a second: what shows an age reads it. */
export const clock = signal(Date.now());

/** @returns what ends it */
export function startClock(): () => void {
  const timer = setInterval(() => {
    clock.value = Date.now();
  }, 1_000);
  return () => clearInterval(timer);
}
