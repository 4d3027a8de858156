import { fileURLToPath } from 'node:url';

/**
 * The file that starts this program again as another process. The build keeps this module a file of its own, as deep below `dist` as
 * this folder (`scripts/bundle.mjs`), so the relative place is right from both; whoever needs it takes it from here.
 */
export const programPath = fileURLToPath(new URL('../main.js', import.meta.url));
