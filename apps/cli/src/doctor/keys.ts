import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Genesis } from '@prime/codec';
import { type HomePaths, isLightKdf, type NodeConfig, parseKeystore } from '@prime/config';
import { publicKeyToAddress } from '@prime/crypto';
import { decodeWalEntry, type SignStateRecord } from '@prime/engine';
import { checkKeyFiles, readOwnValidator } from '@prime/node';
import type { Address } from '@prime/primitives';
import { dumpWal } from '@prime/storage';
import { withSignState } from '../home/openHome.ts';
import { attempt, type Check, fail, ok, warn } from './check.ts';

/** That the key files are there, and nobody else may read them. */
export const keyFileCheck = (paths: HomePaths, config: NodeConfig | null): Promise<Check> =>
  attempt(
    'keys',
    {
      why: 'whoever reads the signer key may sign twice in the name of this validator, which costs it its stake',
      advice: 'key files belong to the user of the node, with mode 0600',
    },
    () => {
      if (config === null) return 'not looked at without settings';
      checkKeyFiles(paths, config);
      for (const path of keystoresIn(paths)) parseKeystore(readFileSync(path, 'utf8'), path);
      return 'there, encrypted, and nobody else may read them';
    },
  );

const keystoresIn = ({ signerKey, nextSignerKey }: HomePaths): string[] =>
  [signerKey, nextSignerKey].filter(existsSync);

/** Whether what a copy of the home holds can be read by whoever has it. On test networks it may. */
export function protectionChecks(paths: HomePaths): Check[] {
  const name = 'key passwords';
  const why = 'whoever has a copy of the home can sign in the name of this validator';
  if (existsSync(paths.keyPassword))
    return [
      warn(name, `the password of the keys lies beside them: ${paths.keyPassword}`, {
        why,
        advice: 'give it in another way (docs/operate/keys.md), and remove the file',
      }),
    ];
  const light = keystoresIn(paths).find((path) => isLightKdf(parseKeystore(readFileSync(path, 'utf8'), path).kdf));
  if (light === undefined) return [ok(name, 'elsewhere; a guess costs what it does with geth')];
  return [
    warn(name, `${light} has light parameters, which are for passwords that nobody can guess`, {
      why,
      advice: `if somebody chose it, encrypt the key anew: prime key import ${light}`,
    }),
  ];
}

/**
 * Whose hot key a home holds, as its keystore says it without the password; null where another program wrote it without.
 *
 * @throws ConfigError where it is no keystore
 */
const hotKeyAddress = ({ signerKey }: HomePaths): Address | null =>
  parseKeystore(readFileSync(signerKey, 'utf8'), signerKey).address;

const declaredFor = ({ validators }: Genesis, signer: Address | null): Address | null =>
  validators.find(({ publicKey }) => publicKeyToAddress(publicKey) === signer)?.address ?? null;

/** Whether key, certificate and network belong together. */
export async function keyUseCheck(paths: HomePaths, config: NodeConfig, genesis: Genesis): Promise<Check> {
  const certificate = certificateCheck(paths);
  if (certificate !== null) return certificate;
  if (config.signer.address !== null) return ok('key use', 'the hot key is in a remote signer');
  if (config.node.role !== 'validator') return ok('key use', `a ${config.node.role} node votes for nobody`);
  let signer: Address | null;
  try {
    signer = hotKeyAddress(paths);
  } catch (error) {
    return fail('key use', (error as Error).message, {
      why: 'a node does not start without its hot key',
      advice: 'restore the file from a backup; never from one of another validator',
    });
  }
  if (signer === null) return ok('key use', 'the keystore does not say whose key it holds');
  const noted = readOwnValidator(paths.validator);
  const owner = noted?.signer === signer ? noted.address : declaredFor(genesis, signer);
  if (owner !== null) return ok('key use', `${signer} votes for ${owner}`);
  return warn('key use', `${signer} is the key of no validator that genesis or the chain told this home of`, {
    why: 'the node follows and does not vote until its key is registered',
    advice: 'prime validator join registers it, prime validator rotate-signer exchanges it; else set node.role to full',
  });
}

/** null where certificate and key of connections belong together, or are not there, which another check tells. */
function certificateCheck(paths: HomePaths): Check | null {
  if (!existsSync(paths.tlsCertificate) || !existsSync(paths.tlsKey)) return null;
  try {
    const certificate = new X509Certificate(readFileSync(paths.tlsCertificate));
    if (certificate.checkPrivateKey(createPrivateKey(readFileSync(paths.tlsKey)))) return null;
  } catch {
    // Neither can be used then.
  }
  return fail('key use', `${paths.tlsCertificate} is not the certificate of ${paths.tlsKey}`, {
    why: 'peers pin the key of the connections: none of them would talk to this node',
    advice: 'restore both from one backup; peers list the hash that prime node show prints',
  });
}

const signStateAdvice = {
  why: 'it is what keeps a restarted validator from signing twice, which costs its stake',
  advice: 'see docs/operate/never-sign-twice.md; never remove it, and never restore an older one',
};

/** What a stopped validator signed last, and whether its log knows of more. */
export async function signStateCheck(paths: HomePaths, genesis: Genesis): Promise<Check> {
  const name = 'sign state';
  const logged = newestOwnInLog(paths, ownerOf(paths, genesis));
  if (!existsSync(paths.signState))
    return logged === null
      ? ok(name, 'nothing was signed')
      : warn(name, `it is not there, and the log has own signatures of height ${logged}`, signStateAdvice);
  let state: { readonly newest: SignStateRecord | null; readonly isSealed: boolean };
  try {
    state = withSignState(paths.signState, genesis, (store) => ({ newest: store.read(), isSealed: store.isSealed() }));
  } catch (error) {
    return fail(name, (error as Error).message, signStateAdvice);
  }
  const { newest, isSealed } = state;
  const height = newest?.height ?? 0;
  // The log is ahead by what was logged and not yet signed when the process ended.
  if (logged !== null && logged > height + 1)
    return warn(
      name,
      `it ends at height ${height}, and the log has own signatures of height ${logged}: an older one took its place`,
      signStateAdvice,
    );
  const words = newest === null ? 'nothing was signed' : `signed up to height ${height}, round ${newest.round}`;
  return ok(name, isSealed ? `restored from a backup: signs once others have decided some blocks; ${words}` : words);
}

/** Whom the keys of a home vote for; null where neither genesis nor the chain said so. */
function ownerOf(paths: HomePaths, genesis: Genesis): Address | null {
  const noted = readOwnValidator(paths.validator)?.address ?? null;
  if (noted !== null || !existsSync(paths.signerKey)) return noted;
  try {
    return declaredFor(genesis, hotKeyAddress(paths));
  } catch {
    // The check of the keys tells of it.
    return null;
  }
}

/** Greatest height of an own message in the log; null for none. A log that can not be read is for `prime wal dump` to tell of. */
function newestOwnInLog({ wal }: HomePaths, owner: Address | null): number | null {
  if (owner === null || !existsSync(wal)) return null;
  try {
    const entries = dumpWal(wal).flatMap((dump) => dump.entries.map((bytes) => decodeWalEntry(bytes)));
    return entries.reduce<number | null>((most, entry) => {
      const height = ownHeight(entry, owner);
      return height === null ? most : Math.max(most ?? 0, height);
    }, null);
  } catch {
    return null;
  }
}

function ownHeight(entry: ReturnType<typeof decodeWalEntry>, owner: Address): number | null {
  if (entry.kind === 'proposal') return entry.proposal.proposer === owner ? entry.proposal.height : null;
  const votes = entry.kind === 'vote' ? [entry.vote] : entry.kind === 'votes' ? entry.votes : [];
  const own = votes.filter(({ validator }) => validator === owner).map(({ height }) => height);
  return own.length === 0 ? null : Math.max(...own);
}
