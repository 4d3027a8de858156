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
export { type HomePaths, homePaths, ownerKeyPath, passwordName, relativeHomePaths } from './home.ts';
export {
  generateKeyPair,
  type KeyKind,
  keyKinds,
  type KeyPair,
  keyPair,
  passwordNames,
  passwordVariables,
  type RandomBytes,
} from './keys.ts';
export {
  formatKeystore,
  isLightKdf,
  type Keystore,
  parseKeystore,
  parsePlainKeyFile,
  requireKind,
  scryptCosts,
  unlockKeystore,
} from './keystore.ts';
export { parseUnlockedAccounts } from './unlockedAccounts.ts';
export { formatListenAddress, type ListenAddress, parseListenAddress } from './listenAddress.ts';
export { type ConfigInput, type ConfigKey, configKeys, type LoadedConfig, loadConfig, testSwitches } from './load.ts';
export {
  faucetAddress,
  presetBlockIntervalMs,
  presetConfig,
  presetDecimals,
  presetGenesis,
  presetMarkets,
  type PresetName,
  presetNames,
  validatorStake,
} from './presets.ts';
export { type ConfigValues, describeConfig, parseConfigToml, renderConfigToml, renderTable } from './render.ts';
export type { ApiKeyConfig, NodeConfig, PeerConfig } from './schema.ts';
export { protocolSchedule, type UpgradesConfig } from './upgrades.ts';
export {
  createTestnet,
  generatePassword,
  defaultPlace,
  followerName,
  type GenesisOfItsOwn,
  meshWiring,
  type NodeWiring,
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
