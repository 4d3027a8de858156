import { basename, dirname, join, resolve } from 'node:path';

/** Name of a file with the password of the keystores beside it. */
export const passwordName = 'password';

/** Names in the home folder of a node; no others are ever used there. */
const names = {
  config: 'config.toml',
  /** Configuration of a remote signer, in the home of one. */
  signerConfig: 'signer.toml',
  genesis: 'genesis.json',
  /** What a validator of a genesis to come said of itself, signed. Public; see genesisDeclaration.ts. */
  declaration: 'declaration.json',
  keys: 'keys',
  /** Where versions before keystores kept the key of the owner: a node does not start with it there, see {@link ownerKeyPath}. */
  ownerKeyInside: 'keys/owner.json',
  /** Password of the keystores in this folder, where nothing else gives it: generated, for test networks. */
  keyPassword: `keys/${passwordName}`,
  /** Hot key: signs proposals and votes. */
  signerKey: 'keys/signer.json',
  /** Hot key that signs next; there only while signers are exchanged. */
  nextSignerKey: 'keys/signer.next.json',
  /** Who signs for a node whose hot key is elsewhere: nothing secret. */
  remoteSigner: 'keys/remote-signer.json',
  /** Whom the hot key votes for, as the chain last said; a home that begins anew does not know it from genesis. */
  validator: 'validator.json',
  tlsKey: 'keys/tls.key.pem',
  tlsCertificate: 'keys/tls.cert.pem',
  /** Accounts that the node signs for in eth_sendTransaction; only on local test networks. */
  unlockedAccounts: 'keys/unlocked.json',
  signState: 'sign-state.bin',
  /** Evidence that waits for a block. */
  evidence: 'evidence.bin',
  wal: 'wal',
  blocks: 'blocks',
  state: 'state',
  snapshots: 'snapshots',
  /** A snapshot for a backup of the running node: `prime backup create` takes it away. */
  backupSnapshot: 'backup-snapshot',
  /** The decided block that this program could not execute, and why; there only until one could. */
  failedBlock: 'failed-block.json',
  /** Peers that are not talked to, and until when. */
  bans: 'bans.json',
  /** Secret of the running process: who may read it may tell the node's admin endpoint to change something. */
  adminToken: 'admin.token',
  /** Held by the running process, so that no second one starts on the same home. */
  lock: 'LOCK',
  /** Folder of the lock of the system that a running node or signer holds. */
  systemLock: 'lock.db',
  /** Process id of the running node or signer, for whoever sends it a signal. */
  pid: 'node.pid',
};

/** Places of these names, and the folder itself. */
export type HomePaths = { readonly [Place in keyof typeof names]: string } & { readonly home: string };

/** Folder for the keys of owners beside the homes of a network. */
const ownersFolder = 'owners';

/** The cold key that owns the stake of a validator, unless its owner names another file: beside the home and not in it, because the node needs none of it. */
export function ownerKeyPath(home: string): string {
  const folder = resolve(home);
  return join(dirname(folder), ownersFolder, `${basename(folder)}.json`);
}

/** Places only: nothing is looked up or made. @param home any path; what is returned is as absolute as it is */
export function homePaths(home: string): HomePaths {
  const places = Object.entries(names).map(([place, name]) => [place, join(home, name)] as const);
  return { home, ...Object.fromEntries(places) } as HomePaths;
}

/** The same places below an empty home: paths relative to it, with forward or backward slashes as the system has them. */
export const relativeHomePaths: HomePaths = homePaths('');
