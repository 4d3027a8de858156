/** Which Node versions Prime runs on, in one place for all scripts. Written so that old Node versions can parse it. */
const major = 20;
const minor = 15;

/**
 * @param {string} version such as `20.15.1`
 * @returns {string | null} a sentence for people, or null when the version fits
 */
export function nodeVersionProblem(version) {
  const [actualMajor = 0, actualMinor = 0] = version.split('.').map(Number);
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return null;
  return (
    `Prime runs on Node.js ${major}.${minor} or newer (20, 22 and 24 are tested), and this is Node.js ${version}. ` +
    `Install a newer one, for example with "nvm install 24", and try again.`
  );
}
