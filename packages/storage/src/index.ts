export {
  type BlockDatabase,
  blockStoreSeed,
  type BlockStoreOptions,
  createBlockStore,
  openBlockStore,
  seedBlockStore,
} from './blockStore.ts';
export { type DataDirLock, dataDirHolder, lockDataDir } from './dataDirLock.ts';
export { openEvidenceFile } from './evidenceFile.ts';
export { StorageError, type StorageErrorDetail } from './errors.ts';
export {
  type FileLayer,
  type FileWatch,
  type StorageFile,
  damagedName,
  syncFolder,
  watchedFiles,
  writeFileDurably,
} from './files.ts';
export { acquireSystemLock, type SystemLock } from './systemLock.ts';
export { checkDatabaseFiles } from './levelLog.ts';
export { shadowDatabase } from './shadow.ts';
export { makeSealedSignState, openSignState } from './signState.ts';
export { createSignerReader } from './signerReader.ts';
export { openSnapshotStore, type SnapshotStore } from './snapshotStore.ts';
export { openStateDatabase, type StateDatabaseOptions } from './stateDatabase.ts';
export { dumpWal, type WalDump } from './wal/dump.ts';
export { repairWal } from './wal/repair.ts';
export { openWal, type WalOptions } from './wal/open.ts';
