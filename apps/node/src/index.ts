export { NodeError, type NodeErrorDetail } from './errors.ts';
export { exitCode, exitCodeOf } from './exitCodes.ts';
export { type NodeOptions, runNode } from './node.ts';
