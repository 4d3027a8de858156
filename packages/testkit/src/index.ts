export { createTestnet, run, type Testnet, type TestnetOptions, until } from './processes.ts';
