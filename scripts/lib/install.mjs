/** Keeps the node_modules of a project equal to its package-lock.json, and does nothing when they already are. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const stampName = '.prime-install';

/**
 * @param {string} root folder of a package.json and its package-lock.json
 * @param {string} what for the line that tells people what they wait for
 * @param {number} [timeoutMs] npm is ended after that; npm itself waits hours for a registry that takes its requests and never answers
 * @returns {Promise<boolean>} whether something was installed
 * @throws Error with npm's output; with the code ETIMEDOUT when the time was over
 */
export async function ensureInstalled(root, what = 'dependencies', timeoutMs) {
  const modules = join(root, 'node_modules');
  const stampPath = join(modules, stampName);
  const wanted = stampOf(root);
  if (readText(stampPath) === wanted) return false;
  // Somebody who typed `npm install` or `npm ci` has done the work already.
  const installed = !matchesLockfile(root);
  if (installed) {
    process.stderr.write(`prime: installing ${what} (npm ci) ...\n`);
    // Every native dependency ships a prebuilt binary or has a fallback, so no package needs to run code of its own here.
    // The flag says so to npm 10, which does not know "allowScripts".
    // The prefix stands on the command line, because npm tells its children of the project that it was started in.
    const options = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['ci', `--prefix=${root}`, ...options], {
      cwd: root,
      shell: process.platform === 'win32',
      timeout: timeoutMs,
    });
  }
  linkCommand(modules);
  writeFileSync(stampPath, wanted);
  return installed;
}

const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/;

/** Whether an installation failed because npm could not talk to its registry. */
export const isUnreachable = (error) => unreachable.test(error.message);

/** npm links commands of workspaces while it installs; where it installed before there was one to link, this does. */
function linkCommand(modules) {
  const link = join(modules, '.bin', 'prime');
  const target = join('..', '..', 'apps', 'cli', 'bin', 'prime.js');
  if (process.platform === 'win32' || existsSync(link) || !existsSync(join(modules, '.bin', target))) return;
  symlinkSync(target, link);
}

/** What decides on the content of node_modules. */
function stampOf(root) {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lockfile} ${process.platform}-${process.arch} abi${process.versions.modules}\n`;
}

/** Whether npm's own record of what it installed names every package of the lockfile in its version. */
function matchesLockfile(root) {
  const recordPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recordPath)) return false;
  try {
    const installed = JSON.parse(readFileSync(recordPath, 'utf8')).packages;
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.includes('node_modules/') || entry.optional) return true;
      const found = installed[path];
      return found !== undefined && found.version === entry.version && existsSync(join(root, path));
    });
  } catch {
    return false;
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
