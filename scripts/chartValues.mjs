/**
 * Values of the chart for the validators of a network that `prime testnet init` wrote, as JSON, which is YAML:
 *
 *   node scripts/chartValues.mjs net > values.yaml
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('prime: name the folder of a network, as prime testnet init wrote it\n');
  process.exit(64);
}

/** What `prime node show` prints for others is TOML of plain keys. */
function shown(home, key) {
  const program = join(root, 'apps', 'cli', 'dist', 'main.js');
  const text = execFileSync(process.execPath, [program, 'node', 'show', '--home', home], { encoding: 'utf8' });
  return new RegExp(`^${key} = "(0x[0-9a-f]+)"$`, 'm').exec(text)[1];
}

const homes = readdirSync(folder).filter((name) => /^validator\d+$/.test(name));
const validators = homes
  .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  .map((name) => ({
    name: name.replace('validator', 'v'),
    address: shown(join(folder, name), 'address'),
    spki: shown(join(folder, name), 'spki'),
  }));
process.stdout.write(`${JSON.stringify({ validators }, null, 2)}\n`);
