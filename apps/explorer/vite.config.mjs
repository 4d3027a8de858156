/** How the site is bundled: by scripts/build.mjs, and by `npx vite apps/explorer` for whoever works on a page. */
export default {
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
