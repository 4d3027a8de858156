/** How the site is bundled: by scripts/build.mjs, and by `npx vite apps/explorer` for whoever works on a page. */
export default {
  plugins: [
    {
      name: 'without-policy',
      apply: 'serve',
      // What is worked on gets its styles from scripts, which the page itself does not allow.
      transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
    },
  ],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    // The strict policy of the page allows no inline code and no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    reportCompressedSize: false,
  },
};
