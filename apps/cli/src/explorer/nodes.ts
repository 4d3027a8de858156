import { CliError, usageError } from '../errors.ts';
import { askNode, checkUrl, type NodeClient } from '../node/rpc.ts';
import { isPrimeError } from '@prime/primitives';

/** The nodes that the pages of an explorer ask. */

const urlsMax = 16;
/** A node that says nothing for so long is told as one that does not answer, ms. */
const answerTimeoutMs = 5_000;

/**
 * Addresses between commas, as everybody who opens the pages will be told them.
 *
 * @throws CliError `CLI_USAGE` for what a page can not ask: no http address, one with a user, one that a content security policy can not name
 */
export function parseRpcUrls(text: string): readonly [string, ...string[]] {
  const [first = '', ...others] = text.split(',').map((url) => url.trim());
  if (others.length >= urlsMax) throw usage(`--rpc names at most ${urlsMax} nodes, got ${others.length + 1}`);
  const known = [first, ...others].map((url) => {
    checkUrl(url);
    const { username, password, hostname, hash, href } = new URL(url);
    if (username !== '' || password !== '' || hash !== '')
      throw usage(`--rpc must not have a user or a fragment, because everybody is told it: ${hostname}`);
    // Brackets of IPv6 are no host of a content security policy, nor is what ends one of its words.
    if (!/^[a-z0-9.-]+$/.test(hostname))
      throw usage(
        `--rpc must name its host by a name or an IPv4 address, else no browser lets the pages ask it: ${url}`,
      );
    return href.replace(/\/$/, '');
  });
  return [...new Set(known)] as unknown as [string, ...string[]];
}

const usage = (message: string): CliError => usageError(message, '--rpc');

/**
 * Asks each node of which network it is.
 *
 * @returns what a person should know: nodes that do not answer from here, which may well answer the browsers
 * @throws CliError `CLI_OTHER_NETWORK` where one answers that is no node of Prime, or of another network than those before it
 */
export async function checkNodes(urls: readonly string[]): Promise<string[]> {
  const found = await Promise.all(urls.map(lookAt));
  const warnings: string[] = [];
  let first: { readonly url: string; readonly genesis: string } | null = null;
  for (const [index, node] of found.entries()) {
    const url = urls[index]!;
    if (typeof node === 'string') {
      warnings.push(node);
      continue;
    }
    const { version, genesis } = node;
    if (!/^prime\//i.test(version))
      throw otherNetwork(url, genesis, `${url} is no node of Prime: it calls itself ${version}`);
    first ??= { url, genesis };
    if (genesis !== first.genesis)
      throw otherNetwork(
        url,
        genesis,
        `${url} is another network: its genesis is ${genesis}, that of ${first.url} is ${first.genesis}`,
      );
  }
  return warnings;
}

const otherNetwork = (url: string, genesisHash: string, message: string): CliError =>
  new CliError(message, { code: 'CLI_OTHER_NETWORK', url, genesisHash });

async function lookAt(url: string): Promise<{ readonly version: string; readonly genesis: string } | string> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const node = { url, apiKey: null };
  try {
    const ask = (client: NodeClient) =>
      Promise.all([client.request({ method: 'web3_clientVersion' }), client.getBlock({ blockNumber: 0n })]);
    const [version, { hash: genesis }] = await askNode(node, ask, { signal });
    return { version, genesis };
  } catch (error) {
    if (signal.aborted) return `no answer from ${url} within ${answerTimeoutMs} ms`;
    if (isPrimeError(error)) return error.message;
    throw error;
  }
}
