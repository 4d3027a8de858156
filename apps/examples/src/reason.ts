import { BaseError, HttpRequestError } from 'viem';

/** Why something failed, in one line: of viem's messages the first says only that a request failed, and the others are the whole request. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return firstLine(error instanceof Error ? error.message : String(error));
  const failed = error.walk((cause) => cause instanceof HttpRequestError);
  if (!(failed instanceof HttpRequestError)) return firstLine(`${error.shortMessage} ${error.details ?? ''}`.trim());
  const { url, status, details } = failed;
  if (status !== undefined) return firstLine(`${url} answers HTTP ${status}: ${details}`);
  // fetch says that it failed, and what is below it says why.
  const { message, code = details } = failed.walk() as NodeJS.ErrnoException;
  return firstLine(`${url} does not answer: ${message === '' ? code : message}`);
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!;
