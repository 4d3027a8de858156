/** Options of our scripts that npm takes for its own when the two dashes before them are missing. */
const ownOptions = [
  'validators',
  'dir',
  'fresh',
  'logs',
  'log-level',
  'network',
  'seed',
  'seeds',
  'seconds',
  'minutes',
  'blocks',
  'block-bytes',
  'warmup',
  'rounds',
  'anvil',
  'results',
];

/** Those without a value. */
const flags = new Set(['fresh', 'logs']);

/**
 * npm 10 and 11 take what they do not know as settings, say so in a warning, and start the script without it: `npm start --validators 7` would be
 * a network of four.
 *
 * @param {Record<string, string | undefined>} environment that npm gave to this script
 * @returns {string | null} a sentence for people that says what to type; null when nothing was lost
 */
export function lostArgumentsProblem(environment) {
  const lost = ownOptions.flatMap((name) => {
    const value = environment[`npm_config_${name.replaceAll('-', '_')}`];
    if (value === undefined || value === '') return [];
    // npm keeps the value apart when a space is before it.
    const given = value === 'true' ? 'N' : value;
    return [flags.has(name) ? `--${name}` : `--${name} ${given}`];
  });
  if (lost.length === 0) return null;
  const script = (environment.npm_lifecycle_event ?? 'start').replace(/^pre/, '');
  const command = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`;
  return (
    `npm took ${lost.join(' ')} for itself; options of a script stand behind two dashes. ` +
    `Type: ${command} -- ${lost.join(' ')}`
  );
}
