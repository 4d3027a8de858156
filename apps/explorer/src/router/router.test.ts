import { describe, expect, it } from '@jest/globals';
import { createRouter, type RouterWindow } from './router.ts';

/** A window with a history, whose links can be clicked. */
function openWindow(pathname: string, base = '/') {
  const entries = [pathname];
  let onPop: () => void = () => undefined;
  let onClick: (event: MouseEvent) => void = () => undefined;
  const location = { origin: 'http://site', pathname };
  const window: RouterWindow = {
    location,
    history: {
      pushState: (_state, _unused, url) => {
        entries.push(url);
        location.pathname = url;
      },
    },
    document: { addEventListener: (_type, listener) => void (onClick = listener) },
    addEventListener: (_type, listener) => void (onPop = listener),
  };
  return {
    router: createRouter(window, base),
    entries,
    back() {
      entries.pop();
      location.pathname = entries.at(-1)!;
      onPop();
    },
    /** @returns whether the browser was kept from following the link by itself */
    click(href: string, more: object = {}, anchorMore: object = {}): boolean {
      const { origin, pathname: path, hash } = new URL(href, 'http://site');
      const anchor = { target: '', origin, pathname: path, hash, hasAttribute: () => false, ...anchorMore };
      let isKept = false;
      const event = {
        button: 0,
        target: { closest: () => anchor },
        preventDefault: () => void (isKept = true),
        ...more,
      };
      onClick(event as unknown as MouseEvent);
      return isKept;
    },
  };
}

describe('the router', () => {
  it('follows links and the back button', () => {
    const { router, click, back, entries } = openWindow('/');
    expect(click('/block/7')).toBe(true);
    expect(router.route.value).toEqual({ page: 'block', block: '7' });
    router.go({ page: 'validators' });
    expect(entries).toEqual(['/', '/block/7', '/validators']);
    back();
    expect(router.route.value).toEqual({ page: 'block', block: '7' });
  });

  it('leaves to the browser what is not a page of the site, and what is to open elsewhere', () => {
    const { router, click } = openWindow('/');
    expect(click('http://other/block/7')).toBe(false);
    expect(click('/mark.svg')).toBe(false);
    expect(click('/#page')).toBe(false);
    for (const more of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }])
      expect(click('/block/7', more)).toBe(false);
    expect(click('/block/7', {}, { target: '_blank' })).toBe(false);
    expect(click('/block/7', {}, { hasAttribute: () => true })).toBe(false);
    expect(click('/block/7', { target: { closest: () => null } })).toBe(false);
    expect(router.route.value).toEqual({ page: 'home' });
  });

  it('works below a path', () => {
    const { router, click, entries } = openWindow('/explorer/block/7', '/explorer/');
    expect(router.route.value).toEqual({ page: 'block', block: '7' });
    expect(router.href({ page: 'home' })).toBe('/explorer/');
    expect(click('/elsewhere')).toBe(false);
    expect(click('/explorer/events')).toBe(true);
    expect(entries.at(-1)).toBe('/explorer/events');
    expect(router.route.value).toEqual({ page: 'events' });
  });
});
