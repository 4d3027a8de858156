/**
 * Who may import whom: the drawing of ARCHITECTURE.md as one table, from the ground up. A workspace may import those of
 * its own row and nothing else, and each row names only workspaces of rows above it, so there can be no cycle.
 */

const pureGround = ['primitives', 'crypto', 'codec'] as const;
const ground = ['config', 'telemetry', 'bus'] as const;
const engines = ['consensus', 'mempool', 'clob', 'evm'] as const;
const assembly = ['chain', 'engine', 'rpc'] as const;
const edges = ['storage', 'network', 'gateway'] as const;

export interface Layer {
  readonly imports: readonly string[];
  /** Besides, what its tests and their helpers in src/testing may import. */
  readonly testing?: readonly string[];
  /** Runs anywhere: no Node modules, no clock, no randomness. */
  readonly pure?: true;
}

export const layers: Readonly<Record<string, Layer>> = {
  primitives: { imports: [], pure: true },
  testkit: { imports: [] },
  crypto: { imports: ['primitives'], pure: true },
  codec: { imports: ['primitives', 'crypto'], pure: true },
  // ground
  config: { imports: pureGround },
  telemetry: { imports: ['primitives'] },
  bus: { imports: ['primitives'] },
  // The Solidity package that dapps install: nothing of the node is in it.
  contracts: { imports: [], pure: true },
  // What the node knows of 0x…0100: its code, what its logs ask for, how its reads are answered.
  predeploy: { imports: pureGround, testing: ['contracts'], pure: true },
  // The order book's rules once more, to judge by: nothing that a node runs imports it.
  model: { imports: ['primitives', 'codec'], pure: true },
  // engines: they never import each other
  consensus: { imports: pureGround, pure: true },
  mempool: { imports: pureGround, pure: true },
  clob: { imports: pureGround, testing: ['model'], pure: true },
  evm: { imports: [...pureGround, 'predeploy'] },
  // assembly
  chain: { imports: [...pureGround, 'predeploy', 'evm', 'clob', 'consensus'] },
  engine: { imports: [...pureGround, 'consensus', 'mempool'], pure: true },
  rpc: { imports: pureGround },
  // What developers install: actions of viem's clients. Runs in browsers, so no other workspace but pure ones.
  sdk: { imports: [...pureGround, 'consensus'], testing: ['contracts', 'rpc'] },
  // Prime as a class of ccxt, of which it imports types only.
  ccxt: { imports: ['sdk'] },
  // edges
  storage: { imports: [...pureGround, 'consensus', 'engine', 'evm', 'chain'] },
  network: { imports: [...pureGround, 'engine'] },
  // The order book's rules of margin, so that what is shown is what actions are judged by.
  gateway: { imports: [...pureGround, 'clob', 'rpc', 'bus', 'telemetry'], testing: ['testkit'] },
  // Judges a network from outside: no storage, no engine, no EVM.
  audit: { imports: [...pureGround, 'config', 'predeploy', 'model'] },
  // What load generators are made of, what they send, and how it is judged.
  load: { imports: [...pureGround, 'telemetry', 'predeploy', 'audit'] },
  // Trading by a strategy: on a network over the SDK, on paper, and through recorded flow with the model as the book.
  bot: { imports: ['primitives', 'codec', 'telemetry', 'model', 'load', 'sdk'] },
  // Blocks into a bus, a database and files, over the SDK, and what was written there held against the chain.
  streams: { imports: ['primitives', 'codec', 'telemetry', 'sdk'] },
  // A page: nothing that does not run in a browser.
  explorer: { imports: ['primitives', 'codec', 'contracts', 'sdk'] },
  // programs
  node: {
    imports: [...pureGround, ...ground, ...engines, ...assembly, ...edges],
  },
  // Networks of real nodes that are hurt on purpose, and what is told of them to who judges. It knows the node's threads and exit codes.
  chaos: {
    imports: [...pureGround, 'config', 'engine', 'predeploy', 'storage', 'network', 'audit', 'load', 'sdk', 'node'],
  },
  cli: {
    imports: [
      ...pureGround,
      'config',
      'audit',
      'bot',
      'chaos',
      'consensus',
      'engine',
      'load',
      'network',
      'rpc',
      'sdk',
      'storage',
      'streams',
      'telemetry',
      'node',
    ],
  },
  examples: { imports: ['sdk'] },
  // Signatures and certificates of the peer that consensus is measured beside, and the HTTP library that the generator is.
  loadtest: {
    imports: ['primitives', 'telemetry', 'codec', 'crypto', 'sdk', 'load', 'network', 'gateway', 'testkit', 'examples'],
  },
};
