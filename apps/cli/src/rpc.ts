import type { Command } from 'commander';
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

/** Of refusals that say nothing about the request: too many of them, or a busy node. */
const limitExceeded = -32_005;

/** One call of a node. @throws CliError `CLI_UNREACHABLE`, also when it is too busy; `CLI_NODE_REFUSED` with the node's words */
export async function callRpc<Result>(
  { url, apiKey }: RpcNode,
  method: string,
  params: readonly unknown[],
): Promise<Result> {
  checkUrl(url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
  };
  let answer: { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
  try {
    answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as typeof answer;
  } catch (cause) {
    throw new CliError(`no answer from ${url}: is the node running?`, { code: 'CLI_UNREACHABLE', url }, { cause });
  }
  if (answer.error?.code === limitExceeded)
    throw new CliError(`${url} answers: ${answer.error.message}`, { code: 'CLI_UNREACHABLE', url });
  if (answer.error !== undefined)
    throw new CliError(`${url} answers: ${answer.error.message}`, {
      code: 'CLI_NODE_REFUSED',
      refusal: `${answer.error.code}`,
    });
  return answer.result as Result;
}
