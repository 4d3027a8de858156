/**
 * Makes the network of compose.yaml, once: a home in the volume of each validator and of the signer of the last one. Later starts find it and change nothing.
 *
 *   node init.mjs --volumes DIR --uid 1000 --program main.js
 *
 * Below DIR are validator0 to validator3, signer3, and network: the volume with genesis, what the feeder reads, the keys that own the stakes, and the file that says that all of it is
 * there. Validators start when this has ended with 0, so what is there without that file was never run, and is removed.
 */
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { volumes: { type: 'string' }, uid: { type: 'string' }, program: { type: 'string' } },
});
const { volumes, program } = values;
const uid = Number(values.uid);

const validators = ['validator0', 'validator1', 'validator2', 'validator3'];
const signed = 'validator3';
const signer = 'signer3';
const volume = (name) => join(volumes, name);
const complete = join(volume('network'), 'complete');

const prime = (...args) =>
  execFileSync(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

/** Gives a folder and all below it to the user of the nodes, the inmost first: what is given away may be closed to us. */
function give(path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  chownSync(path, uid, uid);
}

if (existsSync(complete)) process.exit(0);
const work = mkdtempSync(join(tmpdir(), 'network-'));
const made = join(work, 'net');
prime('testnet', 'init', '--validators', String(validators.length), '--out', made, '--hosts', validators.join(','));
prime('signer', 'init', '--home', join(made, signer), '--node-home', join(made, signed), '--listen', '0.0.0.0:26670');
// For Prometheus.
const settings = join(made, signer, 'signer.toml');
writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^# admin = .*$/m, 'admin = "0.0.0.0:9200"'));
for (const name of [...validators, signer, 'network'])
  for (const old of readdirSync(volume(name))) rmSync(join(volume(name), old), { recursive: true });
cpSync(join(made, validators[0], 'genesis.json'), join(volume('network'), 'genesis.json'));
cpSync(join(made, 'feeder.toml'), join(volume('network'), 'feeder.toml'));
// Not needed to run, and so not beside the others.
cpSync(join(made, 'owners'), join(volume('network'), 'owners'), { recursive: true });
for (const name of [...validators, signer]) {
  cpSync(join(made, name), volume(name), { recursive: true });
  give(volume(name));
}
rmSync(work, { recursive: true });
writeFileSync(complete, '');
