export { createTestnet, type Exit, run, type Testnet, type TestnetOptions, until } from './processes.ts';
