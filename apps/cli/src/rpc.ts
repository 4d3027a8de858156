import { CliError } from './errors.ts';

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

/** One call of a node. @throws CliError `CLI_UNREACHABLE`, also when it is too busy; `CLI_USAGE` with the node's words when it refuses */
export async function callRpc<Result>(url: string, method: string, params: readonly unknown[]): Promise<Result> {
  checkUrl(url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  let answer: { readonly result?: unknown; readonly error?: { readonly code: number; readonly message: string } };
  try {
    answer = (await (await fetch(url, { method: 'POST', headers, body })).json()) as typeof answer;
  } catch (cause) {
    throw new CliError(`no answer from ${url}: is the node running?`, { code: 'CLI_UNREACHABLE', url }, { cause });
  }
  if (answer.error?.code === limitExceeded)
    throw new CliError(`${url} answers: ${answer.error.message}`, { code: 'CLI_UNREACHABLE', url });
  if (answer.error !== undefined)
    throw new CliError(`${url} answers: ${answer.error.message}`, { code: 'CLI_USAGE', argument: method });
  return answer.result as Result;
}
