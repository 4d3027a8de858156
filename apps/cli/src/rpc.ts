import type { Command } from 'commander';
import { createClient, http } from 'viem';
import { asCommand } from './client/errors.ts';
import { CliError } from './errors.ts';
import { readGiven } from './files.ts';

/** A node that is asked. */
export interface RpcNode {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly apiKey: string | null;
}

export interface ApiKeyFlags {
  readonly apiKeyFile?: string;
}

/** Lets a command ask a node with `rpc.access = "keys"`. In a file, because arguments are shown to everybody on the machine. */
export const withApiKey = (command: Command): Command =>
  command.option('--api-key-file <file>', 'file with an API key of the node, where it wants one');

/** @throws CliError `CLI_USAGE` when the file can not be read or holds no key */
export async function rpcNode(url: string, { apiKeyFile }: ApiKeyFlags): Promise<RpcNode> {
  if (apiKeyFile === undefined) return { url, apiKey: null };
  const apiKey = (await readGiven(apiKeyFile, '--api-key-file')).trim();
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new CliError(`--api-key-file must hold one API key, as prime apikey new prints it: ${apiKeyFile}`, {
      code: 'CLI_USAGE',
      argument: '--api-key-file',
    });
  return { url, apiKey };
}

/** @throws CliError `CLI_USAGE` for what no request can be sent to */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CliError(`--rpc must be the address of a node, http://host:port, got ${url}`, {
      code: 'CLI_USAGE',
      argument: '--rpc',
    });
}

/**
 * One call of a node, as it is: no retries, and no words of the SDK, because operators' commands ask nodes that may be of another version.
 *
 * @param signal ends it
 * @throws CliError `CLI_UNREACHABLE`, also when it is too busy; `CLI_NODE_REFUSED` with the node's words
 */
export async function callRpc<Result>(
  { url, apiKey }: RpcNode,
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
): Promise<Result> {
  checkUrl(url);
  const fetchOptions = { headers: headersOf(apiKey), ...(signal !== undefined && { signal }) };
  const { request } = createClient({ transport: http(url, { fetchOptions, retryCount: 0 }) });
  // viem's types know the methods of Ethereum alone.
  const ask = request as (call: { readonly method: string; readonly params: readonly unknown[] }) => Promise<unknown>;
  return (await asCommand(url, () => ask({ method, params }))) as Result;
}

/** Of requests that carry a key. */
export const headersOf = (apiKey: string | null): Record<string, string> =>
  apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
