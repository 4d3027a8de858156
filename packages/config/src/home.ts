import { basename, dirname, join, resolve } from 'node:path';

/** Places in the home folder of a node. Only these names are ever used below it. */
export interface HomePaths {
  readonly home: string;
  readonly config: string;
  /** Configuration of a remote signer, in the home of one. */
  readonly signerConfig: string;
  readonly genesis: string;
  /** What a validator of a genesis to come said of itself, signed. Public; see genesisDeclaration.ts. */
  readonly declaration: string;
  readonly keys: string;
  /** Where versions before keystores kept the key of the owner: a node does not start with it there, see {@link ownerKeyPath}. */
  readonly ownerKeyInside: string;
  /** Password of the keystores in this folder, where nothing else gives it: generated, for test networks. */
  readonly keyPassword: string;
  /** Hot key: signs proposals and votes. */
  readonly signerKey: string;
  /** Hot key that signs next; there only while signers are exchanged. */
  readonly nextSignerKey: string;
  /** Who signs for a node whose hot key is elsewhere: nothing secret. */
  readonly remoteSigner: string;
  /** Whom the hot key votes for, as the chain last said; a home that begins anew does not know it from genesis. */
  readonly validator: string;
  readonly tlsKey: string;
  readonly tlsCertificate: string;
  /** Accounts that the node signs for in eth_sendTransaction; only on local test networks. */
  readonly unlockedAccounts: string;
  readonly signState: string;
  /** Evidence that waits for a block. */
  readonly evidence: string;
  readonly wal: string;
  readonly blocks: string;
  readonly state: string;
  readonly snapshots: string;
  /** A snapshot for a backup of the running node: `prime backup create` takes it away. */
  readonly backupSnapshot: string;
  /** The decided block that this program could not execute, and why; there only until one could. */
  readonly failedBlock: string;
  /** Peers that are not talked to, and until when. */
  readonly bans: string;
  /** Secret of the running process: who may read it may tell the node's admin endpoint to change something. */
  readonly adminToken: string;
  /** Held by the running process, so that no second one starts on the same home. */
  readonly lock: string;
  /** Folder of the lock of the system that a running node or signer holds. */
  readonly systemLock: string;
  /** Process id of the running node or signer, for whoever sends it a signal. */
  readonly pid: string;
}

/** Name of a file with the password of the keystores beside it. */
export const passwordName = 'password';

/** Folder for the keys of owners beside the homes of a network. */
const ownersFolder = 'owners';

/** The cold key that owns the stake of a validator, unless its owner names another file: beside the home and not in it, because the node needs none of it. */
export function ownerKeyPath(home: string): string {
  const folder = resolve(home);
  return join(dirname(folder), ownersFolder, `${basename(folder)}.json`);
}

/** Places only: nothing is looked up or made. @param home any path; what is returned is as absolute as it is */
export function homePaths(home: string): HomePaths {
  const keys = join(home, 'keys');
  return {
    home,
    config: join(home, 'config.toml'),
    signerConfig: join(home, 'signer.toml'),
    genesis: join(home, 'genesis.json'),
    declaration: join(home, 'declaration.json'),
    keys,
    ownerKeyInside: join(keys, 'owner.json'),
    keyPassword: join(keys, passwordName),
    signerKey: join(keys, 'signer.json'),
    nextSignerKey: join(keys, 'signer.next.json'),
    remoteSigner: join(keys, 'remote-signer.json'),
    validator: join(home, 'validator.json'),
    tlsKey: join(keys, 'tls.key.pem'),
    tlsCertificate: join(keys, 'tls.cert.pem'),
    unlockedAccounts: join(keys, 'unlocked.json'),
    signState: join(home, 'sign-state.bin'),
    evidence: join(home, 'evidence.bin'),
    wal: join(home, 'wal'),
    blocks: join(home, 'blocks'),
    state: join(home, 'state'),
    snapshots: join(home, 'snapshots'),
    backupSnapshot: join(home, 'backup-snapshot'),
    failedBlock: join(home, 'failed-block.json'),
    bans: join(home, 'bans.json'),
    adminToken: join(home, 'admin.token'),
    lock: join(home, 'LOCK'),
    systemLock: join(home, 'lock.db'),
    pid: join(home, 'node.pid'),
  };
}

/** The same places below an empty home: paths relative to it, with forward or backward slashes as the system has them. */
export const relativeHomePaths: HomePaths = homePaths('');
