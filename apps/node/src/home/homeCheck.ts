import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectBlocks, inspectResults, inspectState } from '@prime/chain';
import { type Genesis, genesisHash } from '@prime/codec';
import { type HomePaths, homePaths } from '@prime/config';
import { cryptoProvider, type CryptoProvider } from '@prime/crypto';
import { type BlockStore, decodeWalEntry } from '@prime/engine';
import type { StateDatabase } from '@prime/evm';
import { type Height, isPrimeError } from '@prime/primitives';
import {
  checkDatabaseFiles,
  openBlockStore,
  openSignState,
  openStateDatabase,
  openWal,
  shadowDatabase,
} from '@prime/storage';
import { exitCode, exitCodeOf } from '../exitCodes.ts';
import { whileLocked } from './homeLock.ts';

/** A part of a home, and what is wrong with it. */
export interface HomePart {
  readonly name: 'sign state' | 'log' | 'blocks' | 'state';
  /** What is there, in words. */
  readonly summary: string;
  /** No damage, and worth knowing. */
  readonly remarks: readonly string[];
  readonly faults: readonly string[];
  /** What to do about the faults. */
  readonly cure: Cure;
}

/** How a damaged part becomes whole again. */
interface Cure {
  readonly words: string;
  /** Folders that are removed for it, and made anew. Empty: nothing that can be made anew. */
  readonly anew: readonly ('blocks' | 'state')[];
}

/** How much of a home is looked at. */
export interface HomeCheckOptions {
  /** How many of the newest blocks are looked at; null is all. */
  readonly newestBlocks: number | null;
}

/**
 * Checks all that a node which does not run keeps: each part by itself, and whether they fit together. Not a byte of it is written: databases are looked at
 * in a folder of the system for temporary files, with links to what is large.
 *
 * @throws StorageError `DATA_DIR_LOCKED` while the node runs, and what reading throws when the disk fails
 */
export function checkHome(
  home: HomePaths,
  genesis: Genesis,
  { newestBlocks }: HomeCheckOptions,
): Promise<readonly HomePart[]> {
  return whileLocked(home, () => lookAt(home, genesis, { newestBlocks }));
}

/** The same for who holds the lock of the home. */
export async function lookAt(
  home: HomePaths,
  genesis: Genesis,
  { newestBlocks }: HomeCheckOptions,
): Promise<readonly HomePart[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'prime-check-'));
  try {
    const context = { home, shadow: homePaths(scratch), genesis, provider: await cryptoProvider(), newestBlocks };
    const parts = await checkParts(context);
    const named = (text: string): string => text.replaceAll(scratch, home.home);
    return parts.map((part) => ({ ...part, faults: part.faults.map(named) }));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface CheckContext extends HomeCheckOptions {
  readonly home: HomePaths;
  /** The same places in a folder that is thrown away. */
  readonly shadow: HomePaths;
  readonly genesis: Genesis;
  readonly provider: CryptoProvider;
}

const cures = {
  signState: {
    words:
      'do not start this validator and do not remove the file: only a newer watermark of the same key (prime watermark import) or a new key (prime validator rotate-signer) makes signing safe',
    anew: [],
  },
  log: { words: 'prime wal repair sets it aside; the sign state must be whole', anew: [] },
  blocks: {
    words:
      'prime db repair sets blocks/ and state/ aside: the node fetches both from its peers. Never remove sign-state.bin',
    anew: ['blocks', 'state'],
  },
  stateFromBlocks: { words: 'prime db repair sets state/ aside: the node executes its blocks again', anew: ['state'] },
  stateFromPeers: {
    words:
      'prime db repair sets state/ and blocks/ aside, from which it can not be made again: the node fetches both, or begins with a snapshot. Never remove sign-state.bin',
    anew: ['state', 'blocks'],
  },
} as const satisfies Readonly<Record<string, Cure>>;

async function checkParts(context: CheckContext): Promise<readonly HomePart[]> {
  const signState = await checkSignState(context);
  const log = await checkLog(context);
  const blocks = await opened(context, 'blocks', (dir) => openBlockStore(dir, { readonly: true }));
  const state = await opened(context, 'state', (dir) => openStateDatabase(dir));
  try {
    const ownBlocks = await checkBlocks(context, blocks);
    const ownState = await checkState(context, state, blocks.value, ownBlocks.part.faults.length === 0);
    return [signState.part, log.part, ...fitted(ownBlocks, ownState, { signed: signState.height, logged: log.height })];
  } finally {
    await Promise.all([blocks.value?.close(), state.value?.close()]);
  }
}

function checkSignState({ home, shadow, genesis }: CheckContext): Promise<Checked> {
  return attempted({ name: 'sign state', cure: cures.signState }, () => {
    if (!existsSync(home.signState)) return { summary: 'absent', height: null };
    cpSync(home.signState, shadow.signState);
    const store = openSignState(shadow.signState, genesisHash(genesis));
    const newest = store.read();
    store.close();
    if (newest === null) return { summary: 'nothing was signed', height: null };
    const { height, round, step } = newest;
    return { summary: `newest signature: height ${height}, round ${round}, step ${step}`, height };
  });
}

function checkLog({ home, shadow, genesis }: CheckContext): Promise<Checked> {
  return attempted({ name: 'log', cure: cures.log }, () => {
    if (!existsSync(home.wal)) return { summary: 'absent', height: null };
    cpSync(home.wal, shadow.wal, { recursive: true });
    const wal = openWal(shadow.wal, { genesisHash: genesisHash(genesis) });
    const log = wal.replay();
    wal.close();
    if (log === null) return { summary: 'empty', height: null };
    const { length } = log.entries.map((entry) => decodeWalEntry(entry));
    return { summary: `height ${log.height}, ${length} entries`, height: log.height };
  });
}

async function attempted(
  { name, cure }: Pick<HomePart, 'name' | 'cure'>,
  look: () => { readonly summary: string; readonly height: number | null },
): Promise<Checked> {
  const { value, faults } = await faultless(look);
  return { part: { name, cure, summary: value?.summary ?? '', remarks: [], faults }, height: value?.height ?? null };
}

/** What was found, or why it can not be read. */
interface Found<T> {
  readonly value: T | null;
  readonly faults: readonly string[];
}

/** What can not be read is a fault; a disk that fails is none. */
async function faultless<T>(work: () => T | Promise<T>): Promise<Found<T>> {
  try {
    return { value: await work(), faults: [] };
  } catch (error) {
    if (!isPrimeError(error) || exitCodeOf(error.code) === exitCode.io) throw error;
    return { value: null, faults: [error.message] };
  }
}

/** A database as it is. */
function opened<T>(
  { home, shadow }: CheckContext,
  name: 'blocks' | 'state',
  open: (dir: string) => Promise<T>,
): Promise<Found<T>> {
  shadowDatabase(home[name], shadow[name]);
  return faultless(() => {
    checkDatabaseFiles(shadow[name]);
    return open(shadow[name]);
  });
}

/** A checked part, and up to which height it is. */
interface Checked {
  readonly part: HomePart;
  /** null where that can not be read. */
  readonly height: number | null;
}

async function checkBlocks(context: CheckContext, { value: blocks, faults }: Found<BlockStore>): Promise<Checked> {
  const part = { name: 'blocks', cure: cures.blocks, remarks: [] } as const;
  if (blocks === null) return { part: { ...part, summary: '', faults }, height: null };
  const found = await inspectBlocks(blocks, context, context.newestBlocks);
  const summary = found.to < found.from ? 'none' : `${found.from} to ${found.to}`;
  return { part: { ...part, summary, faults: found.faults }, height: found.faults.length === 0 ? found.to : null };
}

async function checkState(
  context: CheckContext,
  { value: database, faults }: Found<StateDatabase>,
  blocks: BlockStore | null,
  areBlocksWhole: boolean,
): Promise<Checked> {
  const base = await faultless(() => blocks?.base());
  const cure = areBlocksWhole && base.value === 1 ? cures.stateFromBlocks : cures.stateFromPeers;
  const part = { name: 'state', cure, remarks: [] } as const;
  if (database === null) return { part: { ...part, summary: '', faults }, height: null };
  const { height, accounts, slots, faults: own } = await inspectState({ ...context, database });
  if (height === null) {
    const summary = own.length > 0 ? '' : 'none: it is made of the blocks at the next start';
    return { part: { ...part, summary, faults: own }, height };
  }
  const { newestBlocks } = context;
  const from = Math.max(1, newestBlocks === null ? 1 : height - newestBlocks + 1) as Height;
  const results = blocks === null || !areBlocksWhole ? [] : await inspectResults(database, blocks, from, height);
  const summary = `block ${height}: ${accounts} accounts, ${slots} slots`;
  return { part: { ...part, summary, faults: [...own, ...results] }, height };
}

/** What shows only when the parts are held against each other. */
function fitted(
  { part: blocks, height: head }: Checked,
  { part: state, height }: Checked,
  { signed, logged }: { readonly signed: number | null; readonly logged: number | null },
): HomePart[] {
  if (head === null) return [blocks, state];
  const remarks: string[] = [];
  const faults: string[] = [];
  if (height !== null && height > head) faults.push(`they end at ${head}, and the state is of block ${height}`);
  if (height !== null && height < head) remarks.push(`${head - height} of them are executed at the next start`);
  if (signed !== null && signed > head + 1)
    remarks.push(
      `they end before the newest signature, of height ${signed}: the node signs nothing until it is past it`,
    );
  if (logged !== null && logged > head + 1) remarks.push(`they end before the log, which is of height ${logged}`);
  return [{ ...blocks, remarks, faults: [...blocks.faults, ...faults] }, state];
}
