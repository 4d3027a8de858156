import type { ComponentType } from 'preact';
import type { PageName } from '../router/routes.ts';
import type { PageProps } from './props.ts';

/** What the module of a page exports. */
interface PageModule<name extends PageName> {
  readonly Page: ComponentType<PageProps<name>>;
}

type Pages = { readonly [name in PageName]: () => Promise<PageModule<name>> };

/** Each page in a chunk of its own, which is loaded when somebody goes there. */
export const pages: Pages = {
  home: () => import('./home/page.tsx'),
  block: () => import('./block/page.tsx'),
  validators: () => import('./validators/page.tsx'),
  validator: () => import('./validator/page.tsx'),
  network: () => import('./network/page.tsx'),
  developer: () => import('./developer/page.tsx'),
  transaction: () => import('./transaction/page.tsx'),
  address: () => import('./address/page.tsx'),
  bridge: () => import('./bridge/page.tsx'),
  risk: () => import('./risk/page.tsx'),
  events: () => import('./events/page.tsx'),
  market: () => import('./market/page.tsx'),
  unknown: () => import('./unknown/page.tsx'),
};

type PageWithoutSubject = Exclude<PageName, 'block' | 'transaction' | 'address' | 'market' | 'validator' | 'unknown'>;

interface NavigationEntry {
  readonly page: PageWithoutSubject;
  readonly title: string;
  /** Pages that belong to it. */
  readonly also: readonly PageName[];
}

/** What the head of every page leads to. */
export const navigation: readonly NavigationEntry[] = [
  { page: 'home', title: 'Overview', also: ['block', 'transaction', 'address', 'market'] },
  { page: 'validators', title: 'Validators', also: ['validator'] },
  { page: 'bridge', title: 'Bridge', also: [] },
  { page: 'risk', title: 'Risk', also: [] },
  { page: 'events', title: 'Events', also: [] },
  { page: 'network', title: 'Network', also: [] },
  { page: 'developer', title: 'Developer', also: [] },
];
