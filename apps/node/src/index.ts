export { NodeError, type NodeErrorDetail } from './errors.ts';
export { exitCode, exitCodeOf } from './exitCodes.ts';
export { metricReference } from './metrics.ts';
export { type NodeOptions, readHomeFile, runNode } from './node.ts';
export { restoreSnapshot } from './restore.ts';
export { createSnapshot } from './snapshots.ts';
export { runSigner } from './signerProcess.ts';
export { threadFaults } from './protocols.ts';
export { threadNames } from './topology.ts';
