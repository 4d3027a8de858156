/** Which Node versions Prime runs on, in one place for all scripts. Written so that old Node versions can parse it. */
const major = 20;
const minor = 11;

/**
 * @param {string} version such as `20.11.1`
 * @returns {string | null} a sentence for people, or null when the version fits
 */
export function nodeVersionProblem(version) {
  const [actualMajor = 0, actualMinor = 0] = version.split('.').map(Number);
  if (actualMajor === major && actualMinor >= minor) return null;
  return (
    `Prime runs on Node.js ${major} (${major}.${minor} or newer), and this is Node.js ${version}. ` +
    `Install Node.js ${major}, for example with "nvm install ${major}", and try again.`
  );
}
