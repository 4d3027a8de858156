import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Where the build puts the pages of the explorer. As `testnet/program.ts` this module stays a file of its own, as deep below `dist` from the
 * bundle as from its source (`scripts/bundle.mjs`), so the relative place is right from both.
 */
export const builtSite = fileURLToPath(new URL('../site', import.meta.url));

/** The file that makes a folder a site. */
export const startPage = 'index.html';

/** Whether a folder holds built pages: whether the start page is there. */
export const isSite = (folder: string): boolean => existsSync(join(folder, startPage));
