/** Which node the page reads. */

/** Where the page learns of a node, best first: its own address, what was said before, who serves it, where it was served from. */
export interface RpcSources {
  /** `location.search` */
  readonly search: string;
  readonly remembered: string | null;
  /** Content of `config.json` beside the page; null where there is none. */
  readonly config: unknown;
  readonly origin: string;
}

/** The node that was chosen, and who named it. */
export interface ChosenRpc {
  readonly url: string;
  readonly from: 'address' | 'memory' | 'server' | 'origin';
  /** What was named in the page's address and is no URL of a node; null where nothing was wrong. */
  readonly refused: string | null;
}

/** An http(s) URL of a node in the one form that is remembered; null for anything else. */
export function parseRpcUrl(text: unknown): string | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  url.hash = '';
  return url.href.replace(/\/$/, '');
}

const named = (config: unknown): unknown =>
  typeof config === 'object' && config !== null && 'rpc' in config ? config.rpc : null;

/**
 * The page's address counts before an earlier choice, that before the server's, and all before the page's own origin.
 */
export function chooseRpcUrl({ search, remembered, config, origin }: RpcSources): ChosenRpc {
  const asked = new URLSearchParams(search).get('rpc');
  const fromAddress = parseRpcUrl(asked);
  const refused = asked !== null && asked !== '' && fromAddress === null ? asked : null;
  if (fromAddress !== null) return { url: fromAddress, from: 'address', refused };
  // `?rpc=` without a value forgets.
  const fromMemory = asked === '' ? null : parseRpcUrl(remembered);
  if (fromMemory !== null) return { url: fromMemory, from: 'memory', refused };
  const fromServer = parseRpcUrl(named(config));
  if (fromServer !== null) return { url: fromServer, from: 'server', refused };
  return { url: origin, from: 'origin', refused };
}
