import type { ListenAddress } from '@prime/config';
import { untilEnd } from '../terminal/untilEnd.ts';
import { checkNodes, parseRpcUrls } from './nodes.ts';
import { readSite } from './site.ts';
import { builtSite } from './sitePlace.ts';
import { serveSite } from './siteServer.ts';

/** What `prime explorer` serves, where, and which nodes it asks. */
export interface ExplorerOptions {
  /** Addresses between commas. */
  readonly rpc: string;
  /** Lets the pages ask nodes that `rpc` does not name. */
  readonly anyNode: boolean;
  readonly listen: ListenAddress;
  /** Null: the pages that were built with this program. */
  readonly site: string | null;
  /** One line of JSON in place of words. */
  readonly json: boolean;
}

/**
 * Serves the pages until SIGINT or SIGTERM, or until the process is gone that started this one.
 *
 * @throws CliError `CLI_USAGE`, `CLI_NOT_FOUND` without pages, `CLI_OTHER_NETWORK`, `CLI_LISTEN_FAILED`
 */
export async function runExplorer({ rpc, anyNode, listen, site, json }: ExplorerOptions): Promise<void> {
  const rpcUrls = parseRpcUrls(rpc);
  const pages = await readSite(site ?? builtSite);
  const warnings = await checkNodes(rpcUrls);
  const server = await serveSite({ listen, site: pages, rpcUrls, anyNode });
  const ended = untilEnd();
  if (json) console.log(JSON.stringify({ url: server.url, rpcs: rpcUrls, warnings }));
  else {
    for (const warning of warnings) console.error(`warning: ${warning}; the pages will go on asking`);
    console.log(`the explorer of ${rpcUrls.join(', ')} is at ${server.url}`);
  }
  await ended;
  await server.close();
}
