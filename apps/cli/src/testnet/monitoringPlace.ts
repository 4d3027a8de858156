import { fileURLToPath } from 'node:url';

/**
 * Where the build puts alerts, dashboards and what Grafana finds them by (`scripts/bundle.mjs`). As `testnet/program.ts` this module stays a file of its
 * own, as deep below `dist` from the bundle as from its source, so the relative place is right from both.
 */
export const builtMonitoring = fileURLToPath(new URL('../monitoring', import.meta.url));
