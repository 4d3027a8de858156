/** Something that runs while anybody uses it: a subscription, a poll. */
export interface Shared {
  /** @returns what lets it go; the last one stops it */
  hold(): () => void;
}

/** A page that is left for another one that needs the same does not end it. */
const lingerMsDefault = 2_000;

/** @param start begins it, and returns what ends it @param lingerMs how long it goes on when nobody holds it any more */
export function createShared(start: () => () => void, lingerMs = lingerMsDefault): Shared {
  let holders = 0;
  let stop: (() => void) | null = null;
  return {
    hold() {
      holders++;
      stop ??= start();
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders--;
        setTimeout(() => {
          if (holders > 0) return;
          stop?.();
          stop = null;
        }, lingerMs);
      };
    },
  };
}
