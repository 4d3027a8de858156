/** What makes the site of the documents, with types for tests. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../repository.ts';

export interface Page {
  /** Path in the repository. */
  readonly source: string;
  /** Path in the site, with `.md`. */
  readonly path: string;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly groups: readonly { readonly title: string; readonly pages: readonly string[] }[];
}

interface Item {
  readonly text: string;
  readonly link: string;
}

export interface Site {
  readonly pages: readonly (Page & { readonly text: string })[];
  readonly assets: readonly string[];
  readonly navigation: {
    readonly nav: readonly Item[];
    readonly sidebar: Readonly<Record<string, readonly { readonly items: readonly Item[] }[]>>;
  };
}

export interface Links {
  readonly pageAt: (path: string) => string | undefined;
  readonly isAsset: (path: string) => boolean;
  readonly repository: string | undefined;
}

export interface Decision {
  readonly number: string;
  readonly title: string;
  readonly status: string;
  readonly source: string;
}

export interface Repository {
  readonly files: readonly string[];
  readonly read: (path: string) => string;
  readonly manifest: { readonly description: string; readonly repository?: { readonly url: string } };
}

const load = async <T>(name: string): Promise<T> =>
  (await import(pathToFileURL(join(root, 'scripts', 'lib', 'site', name)).href)) as T;

export const { slug, headings, mapDocument } = await load<{
  readonly slug: (heading: string) => string;
  readonly headings: (markdown: string) => string[];
  readonly mapDocument: (
    markdown: string,
    source: string,
    links: Links,
  ) => { readonly text: string; readonly assets: string[] };
}>('markdown.mjs');
export const { isDocument, linkOf, planPages } = await load<{
  readonly isDocument: (path: string) => boolean;
  readonly linkOf: (path: string) => string;
  readonly planPages: (sources: readonly string[], wanted?: readonly Section[]) => Page[];
}>('plan.mjs');
export const { decisionOf } = await load<{
  readonly decisionOf: (source: string, markdown: string) => Decision;
}>('decisions.mjs');
export const { makeSite } = await load<{ readonly makeSite: (repository: Repository) => Site }>('site.mjs');
export const { readRepository } = await load<{ readonly readRepository: (folder: string) => Repository }>(
  'repository.mjs',
);
