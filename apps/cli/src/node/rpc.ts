import type { Command } from 'commander';
import {
  type PrimeActions,
  type PrimeCallActions,
  type PrimeRpcSchema,
  primeActions,
  primeCallActions,
} from '@prime/sdk';
import { createPublicClient, http, type PublicClient, rpcSchema, type Transport } from 'viem';
import { asCommand } from '../client/errors.ts';
import { usageError } from '../errors.ts';
import { readGiven } from '../files.ts';
import { answerDeadline } from './noAnswer.ts';

/** A node that is asked. */
export interface RpcNode {
  readonly url: string;
  /** Sent as a bearer token. */
  readonly apiKey: string | null;
}

/** The flag for nodes that ask callers for an API key: a file, so that no key stands in a command line. */
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
    throw usageError(
      `--api-key-file must hold one API key, as prime apikey new prints it: ${apiKeyFile}`,
      '--api-key-file',
    );
  return { url, apiKey };
}

/** @throws CliError `CLI_USAGE` for what no request can be sent to */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw usageError(`--rpc must be the address of a node, http://host:port, got ${url}`, '--rpc');
}

/** The node of this machine that listens where nodes do by default. */
export const localUrl = 'http://127.0.0.1:8545';

/** Addresses of nodes, between commas. @throws CliError `CLI_USAGE` for what no request can be sent to */
export function urlsIn(list: string): readonly [string, ...string[]] {
  const urls = list.split(',').map((url) => url.trim());
  for (const url of urls) checkUrl(url);
  return urls as [string, ...string[]];
}

/** How a client of one node asks it. */
interface Asking {
  /** For a whole answer, ms. Default that of `answerDeadline`. */
  readonly timeoutMs?: number;
  /** How often it is asked again where no answer came. Default 0: who looks at a node is told what is there now. */
  readonly retryCount?: number;
  /** Ends what is asked. */
  readonly signal?: AbortSignal;
}

/** For who wants something done: again where a node was not there for a moment. */
export const patiently: Asking = { retryCount: 2 };

/** @throws CliError `CLI_USAGE` for what no request can be sent to */
export function nodeTransport({ url, apiKey }: RpcNode, { timeoutMs, retryCount = 0, signal }: Asking = {}): Transport {
  checkUrl(url);
  // viem's own deadline ends when an answer begins, and a node may stop in the middle of one.
  const fetchFn: typeof fetch = (input, init) => {
    const deadline = answerDeadline(timeoutMs);
    return fetch(input, { ...init, signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]) });
  };
  return http(url, { fetchFn, fetchOptions: { headers: headersOf(apiKey) }, retryCount, timeout: 0 });
}

/** A client of the SDK for one node. @throws as {@link nodeTransport} */
export const nodeClient = (node: RpcNode, asking?: Asking): NodeClient =>
  createPublicClient({ transport: nodeTransport(node, asking), rpcSchema: rpcSchema<PrimeRpcSchema>() })
    .extend(primeActions())
    .extend(primeCallActions());

/** Actions of the SDK take answers apart; `request` gives them as the node writes them. */
export type NodeClient = PublicClient<Transport, undefined, undefined, PrimeRpcSchema> &
  PrimeActions &
  PrimeCallActions;

/**
 * Asks a node something.
 *
 * @throws CliError `CLI_UNREACHABLE`, also when it is too busy; `CLI_NODE_REFUSED` with the node's words
 */
export const askNode = <Result>(
  node: RpcNode,
  ask: (client: NodeClient) => Promise<Result>,
  asking?: Asking,
): Promise<Result> => asCommand(node.url, () => ask(nodeClient(node, asking)));

/** Of requests that carry a key. */
export const headersOf = (apiKey: string | null): Record<string, string> =>
  apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
