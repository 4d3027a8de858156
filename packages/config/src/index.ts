export { allocatorEnvironment } from './allocatorEnvironment.ts';
export { devMnemonic, devPrivateKeys } from './devAccounts.ts';
export { ConfigError, type ConfigErrorDetail, type ConfigSource, type ConfigSourceKind } from './errors.ts';
export {
  checkDeclaration,
  collectGenesis,
  formatDeclaration,
  type GenesisBase,
  parseDeclaration,
  parseDeclarations,
  type ReadDeclaration,
} from './genesisDeclaration.ts';
export { formatGenesis, parseGenesis } from './genesisFile.ts';
export { type HomePaths, homePaths } from './home.ts';
export {
  formatKeyFile,
  formatUnlockedAccounts,
  generateKeyPair,
  type KeyKind,
  type KeyPair,
  keyPair,
  parseKeyFile,
  parseUnlockedAccounts,
  type RandomBytes,
} from './keyFile.ts';
export { formatListenAddress, type ListenAddress, parseListenAddress } from './listenAddress.ts';
export { type ConfigInput, type ConfigKey, configKeys, type LoadedConfig, loadConfig, testSwitches } from './load.ts';
export {
  faucetAddress,
  presetBlockIntervalMs,
  presetConfig,
  presetGenesis,
  type PresetName,
  presetNames,
  validatorStake,
} from './presets.ts';
export { type ConfigValues, describeConfig, renderConfigToml, renderTable } from './render.ts';
export type { ApiKeyConfig, NodeConfig, PeerConfig } from './schema.ts';
export { protocolSchedule, type UpgradesConfig } from './upgrades.ts';
export {
  createTestnet,
  defaultPlace,
  followerName,
  placeFrom,
  placeOn,
  type Testnet,
  type TestnetFile,
  type TestnetInput,
  type TestnetPlace,
  type TlsIdentityFiles,
  validatorName,
} from './testnet.ts';
export { formatRemoteSigner, parseRemoteSigner, type RemoteSignerKey } from './remoteSignerFile.ts';
export { parseSignerConfig, renderSignerConfig, type SignerConfig } from './signerConfig.ts';
export { isWebAddress } from './webAddress.ts';
