/** The addresses of the explorer: which page a path means, and which path shows something. No effects: the browser is in router.ts. */

/** What a page is about. Hashes and addresses are in lower case. */
export type Route =
  | { readonly page: 'home' }
  /** Number in decimal, or hash. */
  | { readonly page: 'block'; readonly block: string }
  | { readonly page: 'transaction'; readonly hash: `0x${string}` }
  | { readonly page: 'address'; readonly address: `0x${string}` }
  /** Name of the market as {@link marketSlug} makes it. */
  | { readonly page: 'market'; readonly market: string }
  | { readonly page: 'validators' }
  | { readonly page: 'validator'; readonly address: `0x${string}` }
  | { readonly page: 'bridge' }
  | { readonly page: 'risk' }
  | { readonly page: 'events' }
  | { readonly page: 'network' }
  | { readonly page: 'developer' }
  /** No page: the path as it was asked for, and what it should have been where that can be told. */
  | { readonly page: 'unknown'; readonly path: string; readonly reason: string };

/** Name of a page in a route. */
export type PageName = Route['page'];
/** Routes of one page, with what its path names. */
export type RouteOf<name extends PageName> = Extract<Route, { readonly page: name }>;

const hashPattern = /^0x[0-9a-f]{64}$/;
const addressPattern = /^0x[0-9a-f]{40}$/;
const numberPattern = /^(?:0|[1-9]\d{0,18})$/;

/** Whether it is `0x` and 64 hex digits in lower case. */
export const isHash = (text: unknown): text is `0x${string}` => typeof text === 'string' && hashPattern.test(text);
/** Whether it is `0x` and 40 hex digits in lower case. */
export const isAddress = (text: unknown): text is `0x${string}` =>
  typeof text === 'string' && addressPattern.test(text);
/** Whether it is a decimal without leading zeros, of at most 19 digits. */
export const isBlockNumber = (text: string): boolean => numberPattern.test(text);

/** `ETH/USD` as it stands in a path: `ETH-USD`. */
export const marketSlug = (symbol: string): string => symbol.replaceAll('/', '-');

const plainPages = ['validators', 'bridge', 'risk', 'events', 'network', 'developer'] as const;
type PlainPage = (typeof plainPages)[number];
const isPlainPage = (name: string): name is PlainPage => plainPages.includes(name as PlainPage);

/** Pages about one thing: what the path has to name. */
const pagesOfOne: Readonly<Record<string, (text: string) => Route | string>> = {
  block: (text) => {
    const block = text.toLowerCase();
    return isBlockNumber(block) || isHash(block)
      ? { page: 'block', block }
      : 'A block is named by its number, such as /block/1200, or by its hash of 64 hex digits.';
  },
  tx: (text) => {
    const hash = text.toLowerCase();
    return isHash(hash) ? { page: 'transaction', hash } : 'A transaction is named by its hash: 0x and 64 hex digits.';
  },
  address: (text) => {
    const address = text.toLowerCase();
    return isAddress(address) ? { page: 'address', address } : 'An account is named by 0x and 40 hex digits.';
  },
  validator: (text) => {
    const address = text.toLowerCase();
    return isAddress(address) ? { page: 'validator', address } : 'A validator is named by 0x and 40 hex digits.';
  },
  market: (text) =>
    text.length <= 64 ? { page: 'market', market: marketSlug(text) } : 'No market has a name as long as this.',
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The page that a path means. @param path as `location.pathname` has it, below the base of the site */
export function parsePath(path: string): Route {
  const [first = '', second, ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  const unknown = (reason: string): Route => ({ page: 'unknown', path, reason });
  if (first === '') return { page: 'home' };
  if (rest.length > 0) return unknown('No address of the explorer has so many parts.');
  const ofOne = Object.hasOwn(pagesOfOne, first) ? pagesOfOne[first] : undefined;
  if (ofOne !== undefined) {
    const route = ofOne(second ?? '');
    return typeof route === 'string' ? unknown(route) : route;
  }
  if (second === undefined && isPlainPage(first)) return { page: first };
  return unknown('The explorer has no page of this name.');
}

/** The path of a page, below the base of the site. */
export function pathOf(route: Route): string {
  switch (route.page) {
    case 'home':
      return '/';
    case 'block':
      return `/block/${route.block}`;
    case 'transaction':
      return `/tx/${route.hash}`;
    case 'address':
    case 'validator':
      return `/${route.page}/${route.address}`;
    case 'market':
      return `/market/${encodeURIComponent(route.market)}`;
    case 'unknown':
      return route.path;
    default:
      return `/${route.page}`;
  }
}
