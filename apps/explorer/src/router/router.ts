import { type ReadonlySignal, signal } from '@preact/signals';
import { parsePath, pathOf, type Route } from './routes.ts';

/** What the router needs of a browser: `window`, or what a test brings. */
export interface RouterWindow {
  readonly location: { readonly origin: string; readonly pathname: string };
  readonly history: {
    pushState(state: unknown, unused: string, url: string): void;
  };
  readonly document: { addEventListener(type: 'click', listener: (event: MouseEvent) => void): void };
  addEventListener(type: 'popstate', listener: () => void): void;
}

/** Where the page is: one signal that follows links, the back button, and {@link Router.go}. */
export interface Router {
  readonly route: ReadonlySignal<Route>;
  /** Path of a page with the base of the site, for `href`. */
  href(route: Route): string;
  go(route: Route): void;
}

/** @param base path below which the site is served; begins and ends with a slash */
export function createRouter(window: RouterWindow, base: string): Router {
  const prefix = base.replace(/\/$/, '');
  const routeOf = (pathname: string): Route =>
    parsePath(pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname);
  const route = signal(routeOf(window.location.pathname));
  const href = (target: Route): string => `${prefix}${pathOf(target)}`;
  const open = (path: string): void => {
    window.history.pushState(null, '', path);
    route.value = routeOf(path);
  };
  window.addEventListener('popstate', () => {
    route.value = routeOf(window.location.pathname);
  });
  window.document.addEventListener('click', (event) => {
    const path = followed(event, window.location.origin, prefix);
    if (path === null) return;
    event.preventDefault();
    open(path);
  });
  return { route, href, go: (target) => open(href(target)) };
}

/** The path that a click leads to within the site; null where the browser has to follow it. */
function followed(event: MouseEvent, origin: string, prefix: string): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || event.defaultPrevented) return null;
  const anchor = (event.target as Element | null)?.closest('a');
  if (anchor == null || anchor.target !== '' || anchor.hasAttribute('download')) return null;
  if (anchor.origin !== origin || anchor.hash !== '') return null;
  // Files of the site have a dot in their name, pages have none: as the servers that fall back to index.html decide.
  const isPage = anchor.pathname.startsWith(`${prefix}/`) && !/\.[a-z]+$/i.test(anchor.pathname);
  return isPage ? anchor.pathname : null;
}
