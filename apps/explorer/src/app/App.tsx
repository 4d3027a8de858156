import { Component, type ComponentChildren, type ComponentType, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Card, Empty, Skeleton } from '../kit/layout.tsx';
import { pages } from '../pages/pages.ts';
import { type PageName, pathOf, type Route } from '../router/routes.ts';
import { useExplorer } from './context.ts';
import { Shell } from './Shell.tsx';

/** The page of the present address within what surrounds all pages. */
export function App(): JSX.Element {
  const { router } = useExplorer();
  const route = router.route.value;
  return (
    <Shell>
      <Fence key={pathOf(route)}>
        <CurrentPage route={route} />
      </Fence>
    </Shell>
  );
}

type AnyPage = ComponentType<{ readonly route: Route }>;

/** Pages that were loaded, so that going back shows one at once. */
const loaded = new Map<PageName, AnyPage>();

async function loadPage(name: PageName): Promise<AnyPage> {
  const { Page } = await pages[name]();
  // Which page belongs to which route is what the type of `pages` says, name by name.
  loaded.set(name, Page as AnyPage);
  return Page as AnyPage;
}

type Loading = { readonly state: 'loading' | 'failed' } | { readonly state: 'ready'; readonly Page: AnyPage };

function CurrentPage({ route }: { readonly route: Route }): JSX.Element {
  const [loading, setLoading] = useState<Loading>(() => {
    const Page = loaded.get(route.page);
    return Page === undefined ? { state: 'loading' } : { state: 'ready', Page };
  });
  useEffect(() => {
    if (loading.state !== 'loading') return;
    loadPage(route.page).then(
      (Page) => setLoading({ state: 'ready', Page }),
      () => setLoading({ state: 'failed' }),
    );
  }, [loading.state, route.page]);
  useArrival(loading.state === 'ready');
  switch (loading.state) {
    case 'ready':
      return <loading.Page route={route} />;
    case 'loading':
      return <Skeleton width="16ch" />;
    case 'failed':
      return (
        <Trouble title="The page could not be loaded">
          Whoever serves the explorer did not answer, or has a newer version of it. Reload the window.
        </Trouble>
      );
  }
}

const Trouble = ({ title, children }: { readonly title: string; readonly children: string }): JSX.Element => (
  <Card>
    <Empty title={title}>{children}</Empty>
  </Card>
);

let isFirstArrival = true;

/** After a link the focus is on the title of the new page, as it would be after loading one, and the page begins at its top. */
function useArrival(isReady: boolean): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!isReady || isDone.current) return;
    isDone.current = true;
    // The browser does it by itself for the page that it loaded.
    if (!isFirstArrival) {
      scrollTo({ top: 0 });
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
    }
    isFirstArrival = false;
  }, [isReady]);
}

/** Keeps what a page throws on that page. */
class Fence extends Component<object, { readonly error: unknown }> {
  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override state = { error: null };

  override render(): ComponentChildren {
    if (this.state.error === null) return this.props.children;
    return (
      <Trouble title="This page has a defect">
        It stopped while it was drawn. The other pages go on; reload to try this one again.
      </Trouble>
    );
  }
}
