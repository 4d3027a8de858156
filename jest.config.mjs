/**
 * Tests run on the built files: no transform, no second compiler. Stack traces point at the TypeScript lines through the source maps.
 * A run needs `node --experimental-vm-modules`, because @noble is ESM only; `npm test` passes it.
 */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/dist/**/*.test.js'],
  transform: {},
  moduleNameMapper: { '^fast-check$': '<rootDir>/scripts/lib/fastCheck.mjs' },
  // Sources are not modules for jest, so that its file map does not meet two package.json of one name.
  modulePathIgnorePatterns: [
    '<rootDir>/.*/src/',
    '<rootDir>/.*/\\.prime/',
    '<rootDir>/test/(?:clients|ccxt|kubernetes)/',
    '<rootDir>/test/packages/projects/',
  ],
  watchPathIgnorePatterns: ['/src/', '/\\.prime/'],
  testSequencer: '<rootDir>/scripts/lib/sequencer.mjs',
  // Only against a test that hangs: none states a shorter one, and none may fail because its machine is slow.
  testTimeout: 900_000,
  // Two cores are what the slowest supported machine has; more workers only fight for them.
  maxWorkers: 2,
  // Each file leaves its module graph behind (jest, ESM); collecting what has grown to gigabytes takes longer than the tests.
  workerIdleMemoryLimit: '1GB',
  // A worker with nothing left open still frees the memory of a hundred test files, which takes longer than jest's half second
  // when the machine is busy. One that leaks does not end by itself and is told of all the same.
  workerGracefulExitTimeout: 10_000,
  globalTeardown: '<rootDir>/scripts/lib/openHandles.mjs',
  errorOnDeprecated: true,
  injectGlobals: false,
};
