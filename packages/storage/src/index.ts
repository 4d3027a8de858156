export { type BlockStoreOptions, openBlockStore } from './blockStore.ts';
export { acquireDataDirLock, type DataDirLock } from './dataDirLock.ts';
export { StorageError, type StorageErrorDetail } from './errors.ts';
export { type FileLayer, type StorageFile, writeFileDurably } from './files.ts';
export { openSignState } from './signState.ts';
export { openStateDatabase, type StateDatabaseOptions } from './stateDatabase.ts';
export { dumpWal, type WalDump } from './wal/dump.ts';
export { repairWal } from './wal/repair.ts';
export { openWal, type WalOptions } from './wal/open.ts';
