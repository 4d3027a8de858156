import { existsSync } from 'node:fs';

/** Programs of the system that tests need and this repository does not bring: proxies, a browser. */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Says aloud that a program is missing, so that its tests are left out on purpose; CI leaves none out.
 *
 * @param program its name, as people install it
 * @returns whether the tests that need it can run
 * @throws Error in CI, where it is missing
 */
export function isAtHand(program: string, isHere: boolean, environment: Environment = process.env): boolean {
  if (isHere) return true;
  if (isCi(environment))
    throw new Error(`${program} is not installed, and CI skips no test: .ci/programs installs what tests need`);
  process.stdout.write(`skipped: ${program} is not installed (.ci/programs installs it)\n`);
  return false;
}

/** As services of CI and .ci/run say it. */
const isCi = ({ CI = '' }: Environment): boolean => !['', '0', 'false'].includes(CI);

/** How a test launches the browser of the system with playwright-core. */
export interface ChromiumLaunch {
  readonly executablePath: string;
  readonly args: string[];
}

/** That without a user interface first: a page takes half the processor time. */
const chromiumPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Asks nobody but the pages of the test. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Chromium, or what the variable CHROMIUM names.
 *
 * @returns null where there is none and its tests are skipped
 * @throws Error in CI, where there is none
 */
export function chromiumAtHand(environment: Environment = process.env): ChromiumLaunch | null {
  const named = environment['CHROMIUM'];
  const path = [...(named === undefined ? [] : [named]), ...chromiumPaths].find((each) => existsSync(each));
  return isAtHand('Chromium', path !== undefined, environment) ? { executablePath: path!, args } : null;
}
