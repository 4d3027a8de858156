import { existsSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { genesisHash } from '@prime/codec';
import {
  formatRemoteSigner,
  homePaths,
  type HomePaths,
  type KeyPair,
  parseGenesis,
  renderSignerConfig,
} from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { createSigningDesk, generateTlsIdentity, spkiOf } from '@prime/network';
import { readHomeFile } from '@prime/node';
import type { Address } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { CliError, usageError, notEmpty } from '../errors.ts';
import { makeKeystore, openKeystore } from '../keys/keystores.ts';
import { type NewPasswordFlags, type PasswordFlags, protectionOf } from '../keys/passwordFlags.ts';
import { whileLocked, withSignState } from '../home/openHome.ts';

/** A signer process that is to be made. */
export interface NewSigner {
  /** Folder of the signer, empty or missing. */
  readonly home: string;
  /** Where it listens, `host:port`. */
  readonly listen: string;
}

/** What the nodes of a new signer have to know of it. */
export interface MadeSigner {
  readonly address: Address;
  /** Pin of the signer, for `signer.spki` of its nodes. */
  readonly spki: string;
}

const secret = 0o600;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const put = (path: string, text: string, mode = 0o644): void => writeFileDurably(path, bytes(text), mode);

/** A signer with a new key, for a node that is known by its certificate. @throws CliError `CLI_NOT_EMPTY` */
export async function makeSigner(
  { home, listen }: NewSigner,
  node: { readonly genesis: string; readonly certificate: string },
  flags: NewPasswordFlags,
): Promise<MadeSigner> {
  const { testNetwork } = parseGenesis(node.genesis);
  const paths = homePaths(home);
  refuseFilled(paths);
  const protection = await protectionOf(paths.signerKey, 'signer', flags, testNetwork);
  await makeKeysFolder(paths);
  const spki = await writeSignerHome(paths, { ...node, listen });
  const { address } = await makeKeystore(paths.signerKey, 'signer', protection);
  return { address, spki };
}

/**
 * Moves the hot key of a stopped node, with what it signed, into the home of a new signer, and makes the node ask that one.
 *
 * The watermark goes first and the key last, so that at no moment a key is anywhere without what it signed; a move that is cut off is begun again with
 * another folder.
 *
 * @throws CliError `CLI_NOT_EMPTY`, `CLI_USAGE` when the node has a remote signer already; StorageError `DATA_DIR_LOCKED` while the node runs
 */
export async function moveKeyToSigner(
  { home, listen }: NewSigner,
  nodeHome: string,
  flags: PasswordFlags = {},
): Promise<MadeSigner> {
  const node = homePaths(nodeHome);
  const config = await readHomeFile(node.config);
  if (!existsSync(node.signerKey))
    throw usageError(`${node.signerKey} is not there: is the key in a remote signer already?`, '--node-home');
  return whileLocked(node, async () => {
    const paths = homePaths(home);
    refuseFilled(paths);
    const provider = await cryptoProvider();
    const genesisText = await readHomeFile(node.genesis);
    const certificate = await readHomeFile(node.tlsCertificate);
    const held = keysOf(node);
    // One after the other: whoever is asked for a password is asked once at a time.
    const keys: KeyPair[] = [];
    for (const path of held) keys.push((await openKeystore(path, 'signer', '--node-home', flags)).key);
    await makeKeysFolder(paths);
    if (existsSync(node.signState)) {
      if (withSignState(node.signState, parseGenesis(genesisText), (store) => store.isSealed()))
        throw new CliError(
          `${node.home} was restored from a backup, and has not signed since: a signer would not know when it may. Start the node, and move the key when it signs`,
          { code: 'CLI_SIGN_STATE_SEALED', path: node.home },
        );
      writeFileDurably(paths.signState, await readFile(node.signState), secret);
    }
    const spki = await writeSignerHome(paths, { genesis: genesisText, certificate, listen });
    if (existsSync(node.keyPassword)) put(paths.keyPassword, await readHomeFile(node.keyPassword), secret);
    for (const path of held) put(join(paths.keys, basename(path)), await readHomeFile(path), secret);
    const genesis = parseGenesis(genesisText);
    const network = { chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
    const credentials = credentialsOf(network, keys, provider, spkiOf(certificate));
    put(node.remoteSigner, formatRemoteSigner(credentials), secret);
    put(node.config, withSigner(config, listen, spki));
    for (const path of [...held, node.keyPassword]) rmSync(path, { force: true });
    return { address: keys[0]!.address, spki };
  });
}

const keysOf = ({ signerKey, nextSignerKey }: HomePaths): string[] => [signerKey, nextSignerKey].filter(existsSync);

/** What the signer itself will say of its keys, the newest first. */
const credentialsOf = (
  network: { readonly chainId: number; readonly genesisHash: ReturnType<typeof genesisHash> },
  keys: readonly KeyPair[],
  provider: Awaited<ReturnType<typeof cryptoProvider>>,
  nodeSpki: string,
) =>
  createSigningDesk({
    ...network,
    store: {
      read: () => null,
      write: () => undefined,
      isSealed: () => false,
      unseal: () => undefined,
      close: () => undefined,
    },
    keys: () =>
      keys
        .map(({ address, publicKey, privateKey }) => ({
          address,
          publicKey,
          sign: (digest: Uint8Array) => provider.sign(digest, privateKey),
        }))
        .reverse(),
    provider,
  }).credentials(nodeSpki);

function refuseFilled(paths: HomePaths): void {
  if ([paths.signerConfig, paths.config, paths.signerKey, paths.signState].some(existsSync))
    throw notEmpty(`${paths.home} holds a signer or a node already: name another folder`, paths.home);
}

const makeKeysFolder = async ({ keys }: HomePaths): Promise<void> => {
  await mkdir(keys, { recursive: true, mode: 0o700 });
};

/** Everything but key and watermark. @returns the pin of the signer */
async function writeSignerHome(
  paths: HomePaths,
  { genesis, certificate, listen }: { readonly genesis: string; readonly certificate: string; readonly listen: string },
): Promise<string> {
  const tls = await generateTlsIdentity();
  await writeFile(paths.genesis, genesis);
  put(paths.tlsKey, tls.privateKeyPem, secret);
  put(paths.tlsCertificate, tls.certificatePem);
  put(paths.signerConfig, renderSignerConfig(listen, [{ name: 'validator', spki: spkiOf(certificate) }]));
  return tls.spki;
}

/** A configuration with another `[signer]` section; everything else stays as its operator wrote it. */
function withSigner(config: string, address: string, spki: string): string {
  const lines = config.split('\n');
  const start = lines.findIndex((line) => /^\s*\[signer\]/.test(line));
  const section = ['[signer]', `address = ${JSON.stringify(address)}`, `spki = ${JSON.stringify(spki)}`];
  if (start < 0) return `${config.trimEnd()}\n\n${section.join('\n')}\n`;
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const rest = next < 0 ? [] : lines.slice(next);
  return [...lines.slice(0, start), ...section, '', ...rest].join('\n');
}
