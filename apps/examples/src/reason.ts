import { BaseError, HttpRequestError } from 'viem';

/** Why something failed, in one line: of viem's messages the first says only that a request failed, and the others are the whole request. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return firstLine(error instanceof Error ? error.message : String(error));
  const failed = error.walk((cause) => cause instanceof HttpRequestError);
  if (failed instanceof HttpRequestError) {
    const { url, status, details } = failed;
    return firstLine(`${url} ${status === undefined ? 'does not answer' : `answers HTTP ${status}`}: ${details}`);
  }
  return firstLine(error.message);
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!;
