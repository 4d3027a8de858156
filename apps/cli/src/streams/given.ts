import type { NodeSourceOptions, StreamsLog } from '@prime/streams';
import { openSocket } from '../client/socket.ts';
import { usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { headersOf } from '../node/rpc.ts';

/**
 * A secret from the file that is named, else from the environment: never from an argument, which everybody on the machine sees.
 *
 * @throws CliError `CLI_USAGE`, `CLI_NOT_FOUND`
 */
export async function secretOf(
  file: string | undefined,
  argument: string,
  variable: string,
): Promise<string | undefined> {
  const secret = file === undefined ? process.env[variable] : await readGiven(file, argument);
  const text = secret?.trim();
  return text === '' ? undefined : text;
}

/** @throws CliError `CLI_USAGE`, `CLI_NOT_FOUND` */
export async function postgresUrl(file: string | undefined, argument: string): Promise<string> {
  const url = await secretOf(file, argument, 'PRIME_STREAMS_POSTGRES_URL');
  // What it holds stays out of the error.
  if (url !== undefined && /^postgres(?:ql)?:\/\//.test(url)) return url;
  throw usageError(
    `${file === undefined ? 'PRIME_STREAMS_POSTGRES_URL' : argument} must hold a URL such as postgres://user:password@host:5432/database`,
    argument,
  );
}

/** How nodes are asked. */
export function nodesOf(
  urls: readonly string[],
  apiKey: string | null,
  log: StreamsLog,
  onUnanswered: () => void,
): NodeSourceOptions {
  const headers = headersOf(apiKey);
  return {
    urls,
    headers,
    log,
    onUnanswered,
    // A WebSocket of Node's own can carry no header.
    ...(apiKey === null ? {} : { openSocket: (url) => openSocket(url, headers) }),
  };
}
