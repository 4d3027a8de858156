export {
  type BlockDatabase,
  blockStoreSeed,
  type BlockStoreOptions,
  createBlockStore,
  openBlockStore,
  seedBlockStore,
} from './database/blockStore.ts';
export { type DataDirLock, dataDirHolder, lockDataDir } from './lock/dataDirLock.ts';
export { openEvidenceFile } from './files/evidenceFile.ts';
export { StorageError, type StorageErrorDetail } from './errors.ts';
export {
  type FileLayer,
  type FileWatch,
  type StorageFile,
  damagedName,
  syncFolder,
  watchedFiles,
  writeFileDurably,
} from './files/files.ts';
export { acquireSystemLock, type SystemLock } from './lock/systemLock.ts';
export { checkDatabaseFiles } from './database/levelLog.ts';
export { shadowDatabase } from './database/shadow.ts';
export { makeSealedSignState, openSignState } from './files/signState.ts';
export { createSignerReader } from './database/signerReader.ts';
export { openSnapshotStore, type SnapshotStore } from './files/snapshotStore.ts';
export { openStateDatabase, type StateDatabaseOptions } from './database/stateDatabase.ts';
export { dumpWal, type WalDump } from './wal/dump.ts';
export { repairWal } from './wal/repair.ts';
export { openWal, type WalOptions } from './wal/open.ts';
