export { allocatorEnvironment } from './allocatorEnvironment.ts';
export { devMnemonic, devPrivateKeys } from './keys/devAccounts.ts';
export { ConfigError, type ConfigErrorDetail, type ConfigSource, type ConfigSourceKind } from './errors.ts';
export {
  checkDeclaration,
  collectGenesis,
  formatDeclaration,
  type GenesisBase,
  parseDeclaration,
  parseDeclarations,
  type ReadDeclaration,
} from './genesis/genesisDeclaration.ts';
export { formatGenesis, parseGenesis } from './genesis/genesisFile.ts';
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
} from './keys/keys.ts';
export {
  formatKeystore,
  isLightKdf,
  type Keystore,
  parseKeystore,
  parsePlainKeyFile,
  requireKind,
  scryptCosts,
  unlockKeystore,
} from './keys/keystore.ts';
export { parseUnlockedAccounts } from './keys/unlockedAccounts.ts';
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
  presetPrices,
  validatorStake,
} from './testnet/presets.ts';
export { type ConfigValues, describeConfig, parseConfigToml, renderConfigToml, renderTable } from './render.ts';
export type { ApiKeyConfig, NodeConfig, PeerConfig } from './schema/schema.ts';
export { protocolSchedule, type UpgradesConfig } from './genesis/upgrades.ts';
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
} from './testnet/testnet.ts';
export { formatRemoteSigner, parseRemoteSigner, type RemoteSignerKey } from './signer/remoteSignerFile.ts';
export { parseSignerConfig, renderSignerConfig, type SignerConfig } from './signer/signerConfig.ts';
export { isWebAddress } from './webAddress.ts';
