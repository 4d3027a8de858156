declare module '*.css';

/** What the bundler puts in. */
interface ImportMeta {
  readonly env: { readonly BASE_URL: string };
}
