import type { ReadStream } from 'node:tty';

/** What ends a live view: q, Q, and Ctrl-C, which a terminal in raw mode gives as a key. */
const endKeys = ['q', 'Q', '\u0003'] as const;

/** Takes keys of a terminal one by one, until {@link Keys.close}, which gives it back as it was. */
export interface Keys {
  close(): void;
}

/** @param onEnd at the first key that ends the view */
export function openKeys(input: ReadStream, onEnd: () => void): Keys {
  const wasRaw = input.isRaw;
  const onData = (data: Buffer): void => {
    // Several may come at once.
    const keys = data.toString('latin1');
    if (endKeys.some((key) => keys.includes(key))) onEnd();
  };
  const restore = (): void => void input.setRawMode(wasRaw);
  input.setRawMode(true);
  input.on('data', onData);
  input.resume();
  // Whatever ends the process, a shell gets back the keys that it edits lines with.
  process.once('exit', restore);
  return {
    close() {
      process.removeListener('exit', restore);
      input.off('data', onData);
      restore();
      input.pause();
    },
  };
}
