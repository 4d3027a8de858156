import { afterEach } from '@jest/globals';

interface Closable {
  close(): void;
}

/** Closes what it is given when the test is over. */
export function closedAfterwards(): <T extends Closable>(endpoint: T) => T {
  const open: Closable[] = [];
  afterEach(() => {
    for (const endpoint of open.splice(0)) endpoint.close();
  });
  return (endpoint) => {
    open.push(endpoint);
    return endpoint;
  };
}
