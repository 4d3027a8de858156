import type { ChaosHomes } from '../run/homes.ts';
import type { ChaosNetwork } from '../run/network.ts';
import type { NodeProcess } from '../run/nodeProcess.ts';

/** What faults of processes and links need of a network: a chaos run has it, and so has `prime testnet up`. */
export interface FaultTarget extends Pick<ChaosNetwork, 'validators' | 'followers' | 'start' | 'untilClosed'> {
  readonly homes: Pick<ChaosHomes, 'mesh'>;
  node(index: number): Pick<NodeProcess, 'end' | 'pause' | 'resume'>;
}
