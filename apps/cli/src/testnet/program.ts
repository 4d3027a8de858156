import { fileURLToPath } from 'node:url';

/**
 * The file that starts this program again as another process. The bundle of the build lies as deep below `dist` as this folder, so
 * the relative place is right from both; whoever needs it takes it from here.
 */
export const programPath = fileURLToPath(new URL('../main.js', import.meta.url));
