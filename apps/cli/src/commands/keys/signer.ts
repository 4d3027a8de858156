import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { genesisHash, signerProofDigest } from '@prime/codec';
import { homePaths, parseSignerConfig } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { readHomeFile, runSigner } from '@prime/node';
import { type Address, bytesToHex, parseAddress } from '@prime/primitives';
import type { Command } from 'commander';
import { parseChoice, usageError } from '../../errors.ts';
import { readGiven, refuseOtherKind } from '../../files.ts';
import { makeKeystore, openKeystore } from '../../keys/keystores.ts';
import {
  type NewPasswordFlags,
  type PasswordFlags,
  passwordSources,
  withNewPassword,
  withPassword,
} from '../../keys/passwordFlags.ts';
import { type ProvisionInput, provisionHome } from '../../home/provision.ts';
import { makeSigner, moveKeyToSigner } from '../../signer/signerHome.ts';
import { openHome } from '../../home/openHome.ts';
import { answerDeadline, noAnswer } from '../../node/noAnswer.ts';

interface InitFlags extends NewPasswordFlags {
  readonly home: string;
  readonly nodeHome?: string;
  readonly genesis?: string;
  readonly nodeCertificate?: string;
  readonly listen: string;
}

interface StartFlags extends PasswordFlags {
  readonly home: string;
  readonly logFormat: string;
}

const defaultListen = '127.0.0.1:26670';

/** `prime signer init | provision | start | status | claim`: the hot key of a validator in a process of its own. */
export function addSignerCommands(program: Command): void {
  const signer = program
    .command('signer')
    .description('A remote signer: holds the hot key of a validator and the watermark of what it signed');
  withNewPassword(signer.command('init'), 'signer')
    .description('Make the home of a signer: move the key of a stopped node into it, or make a new key')
    .requiredOption('--home <dir>', 'home folder of the signer')
    .option('--node-home <dir>', 'home of a stopped node on this machine, whose key and watermark are moved')
    .option('--genesis <file>', 'for a new key: the genesis of the network')
    .option('--node-certificate <file>', 'for a new key: keys/tls.cert.pem of the node that will ask')
    .option('--listen <host:port>', 'where the signer listens for its node', defaultListen)
    .action(init);
  signer
    .command('provision')
    .description('Make the home of a signer of files that a platform mounts, or bring one up to date')
    .requiredOption('--home <dir>', 'home folder of the signer, on a volume of its own')
    .requiredOption('--config <dir>', 'folder with signer.toml and genesis.json')
    .requiredOption('--keys <dir>', 'folder with the files of keys/')
    .action((given: Omit<ProvisionInput, 'kind'>) => provisionHome({ kind: 'signer', ...given }));
  withPassword(signer.command('start'), 'signer')
    .description('Run a signer in the foreground until SIGINT or SIGTERM')
    .requiredOption('--home <dir>', 'home folder of the signer')
    .option('--log-format <format>', 'json or pretty', 'json')
    .action(async ({ home, logFormat, ...flags }: StartFlags) => {
      const format = parseChoice(logFormat, '--log-format', ['json', 'pretty']);
      refuseOtherKind(home, 'signer');
      process.exit(await runSigner({ home, logFormat: format, passwords: passwordSources(flags) }));
    });
  signer
    .command('status')
    .description('Nodes, counts and newest signature of a running signer, from its admin endpoint')
    .requiredOption('--home <dir>', 'home folder of the signer')
    .action(showStatus);
  withPassword(signer.command('claim'), 'signer')
    .description("Let an owner register this signer's key: for prime validator join and rotate-signer --signer-claim")
    .requiredOption('--home <dir>', 'home folder of the signer')
    .requiredOption('--owner <address>', 'owner of the validator')
    .option(
      '--next',
      'of the next key (keys/signer.next.json), made when there is none; send the signer SIGHUP to use it',
    )
    .option('--out <file>', 'where to write it; printed without')
    .action(claim);
}

async function init({ home, nodeHome, genesis, nodeCertificate, listen, ...flags }: InitFlags): Promise<void> {
  if ((nodeHome === undefined) === (genesis === undefined || nodeCertificate === undefined))
    throw usageError('give either --node-home, or both --genesis and --node-certificate', '--node-home');
  // Refused before anything is written.
  parseSignerConfig(
    `listen = ${JSON.stringify(listen)}\nnodes = [{ name = "n", spki = "0x${'0'.repeat(64)}" }]`,
    '--listen',
  );
  if (nodeHome !== undefined) {
    const { address, spki } = await moveKeyToSigner({ home, listen }, nodeHome, flags);
    console.log(`moved key ${address} and its watermark from ${resolve(nodeHome)} to ${resolve(home)}`);
    console.log(`${homePaths(nodeHome).config} names the signer now: ${listen}, pin ${spki}`);
    console.log(`start it with: prime signer start --home ${home}`);
    return;
  }
  const node = {
    genesis: await readGiven(genesis!, '--genesis'),
    certificate: await readGiven(nodeCertificate!, '--node-certificate'),
  };
  const { address, spki } = await makeSigner({ home, listen }, node, flags);
  console.log(`made signer key ${address} in ${resolve(home)}; put this into config.toml of the node:`);
  console.log(`\n[signer]\naddress = "${listen}"\nspki = "${spki}"`);
}

async function showStatus({ home }: { readonly home: string }): Promise<void> {
  refuseOtherKind(home, 'signer');
  const { signerConfig } = homePaths(home);
  const { admin } = parseSignerConfig(await readHomeFile(signerConfig), signerConfig);
  if (admin === null) throw usageError(`this signer has no admin endpoint: set admin in ${signerConfig}`, 'admin');
  const url = `http://${admin.host}:${admin.port}/status`;
  try {
    console.log(JSON.stringify(await (await fetch(url, { signal: answerDeadline() })).json(), null, 2));
  } catch (cause) {
    throw noAnswer(url, cause, 'signer');
  }
}

interface ClaimFlags extends PasswordFlags {
  readonly home: string;
  readonly owner: string;
  readonly next?: boolean;
  readonly out?: string;
}

/** What the owner of a validator needs to register a key of this signer. */
async function claim(flags: ClaimFlags): Promise<void> {
  const { paths, genesis } = await openHome(flags.home);
  const provider = await cryptoProvider();
  const path = flags.next === true ? paths.nextSignerKey : paths.signerKey;
  // Under the password of the one before it, which is what the running signer has.
  const key =
    flags.next === true && !existsSync(path)
      ? await makeKeystore(path, 'signer', await openKeystore(paths.signerKey, 'signer', '--home', flags))
      : (await openKeystore(path, 'signer', '--home', flags)).key;
  const owner = ownerOf(flags.owner);
  const proof = provider.sign(signerProofDigest(genesis.chainId, genesisHash(genesis), owner), key.privateKey);
  const text = JSON.stringify({ owner, publicKey: bytesToHex(key.publicKey), proof: bytesToHex(proof) }, null, 2);
  if (flags.out === undefined) console.log(text);
  else writeFileSync(flags.out, `${text}\n`);
}

function ownerOf(text: string): Address {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw usageError(`--owner must be an address of 0x and 40 hex digits, got ${text}`, '--owner');
  return parseAddress(text);
}
