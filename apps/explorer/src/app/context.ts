import type { ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { Shared } from '../live/shared.ts';
import type { ExplorerNode } from '../node/node.ts';
import type { Router } from '../router/router.ts';
import type { Route } from '../router/routes.ts';

/** What every part of the page may use. */
export interface Explorer {
  readonly node: ExplorerNode;
  readonly router: Router;
  /** Origins of nodes that whoever serves the pages does not let them ask. */
  readonly forbidden: ReadonlySignal<ReadonlySet<string>>;
  /** Reads another node from now on; null is the one of whoever serves the page. */
  readonly choose: (url: string | null) => void;
}

const Context = createContext<Explorer | null>(null);
/** Gives the parts of the page to all components below it. */
export const ExplorerProvider = Context.Provider;

/** @throws Error outside of the provider */
export function useExplorer(): Explorer {
  const explorer = useContext(Context);
  if (explorer === null) throw new Error('no explorer above this component');
  return explorer;
}

/** The node that the page reads. It never changes while a component lives. */
export const useNode = (): ExplorerNode => useExplorer().node;

/** Path of a page, for `href`. */
export function useHref(): (route: Route) => string {
  return useExplorer().router.href;
}

/** Keeps subscriptions and polls running while the component is there. */
export function useHeld(...shared: readonly Shared[]): void {
  const held = useRef<readonly { readonly shared: Shared; readonly release: () => void }[]>([]);
  useEffect(() => {
    const before = held.current;
    held.current = shared.map(
      (one) => before.find((entry) => entry.shared === one) ?? { shared: one, release: one.hold() },
    );
    for (const entry of before) if (!held.current.includes(entry)) entry.release();
  });
  useEffect(
    () => () => {
      for (const { release } of held.current) release();
      held.current = [];
    },
    [],
  );
}
