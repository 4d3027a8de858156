export { exitCode, exitCodeOf } from './exitCodes.ts';
export { NodeError, type NodeOptions, runNode } from './node.ts';
