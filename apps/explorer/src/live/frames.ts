/**
 * Drawing follows the screen and not the network: however many messages come, what they change is applied once per frame. A page in the
 * background gets no frames, so a timer stands in for them and nothing piles up.
 */

/** Calls back before the next frame, or soon where there are none. */
export type RequestFrame = (run: () => void) => void;

const hiddenFrameMs = 250;

/** Frames of a browser. */
export const browserFrames: RequestFrame = (run) => {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    run();
  };
  const timer = setTimeout(once, hiddenFrameMs);
  const frame = requestAnimationFrame(once);
};

/** Runs `apply` in the next frame, once, however often it is asked for until then. */
export function coalesce(requestFrame: RequestFrame, apply: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestFrame(() => {
      isAsked = false;
      apply();
    });
  };
}

/** Collects what comes between two frames. @param itemsMax oldest ones beyond this are dropped, so choose what is shown at most */
export function collect<T>(
  requestFrame: RequestFrame,
  itemsMax: number,
  apply: (items: readonly T[]) => void,
): (item: T) => void {
  let items: T[] = [];
  const ask = coalesce(requestFrame, () => {
    const all = items;
    items = [];
    apply(all);
  });
  return (item) => {
    items.push(item);
    if (items.length > itemsMax) items.shift();
    ask();
  };
}
