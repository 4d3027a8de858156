import type { NetworkStatus } from '@prime/engine';

/** Voting power as decimal strings. */
export interface ConnectedPower {
  /** Of the validators that are connected, or heard of through others; the own one included. */
  readonly connectedPower: string;
  readonly totalPower: string;
}

export function connectedPower({
  validators,
  reachable,
  self,
}: Pick<NetworkStatus, 'validators' | 'reachable' | 'self'>): ConnectedPower {
  const counted = new Set(self === null ? reachable : [...reachable, self]);
  let connected = 0n;
  let total = 0n;
  for (const { address, power } of validators.validators) {
    total += power;
    if (counted.has(address)) connected += power;
  }
  return { connectedPower: connected.toString(), totalPower: total.toString() };
}
