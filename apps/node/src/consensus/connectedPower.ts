import type { NetworkStatus } from '@prime/engine';
import type { Address } from '@prime/primitives';

/** Voting power as decimal strings. */
export interface ConnectedPower {
  /** Of the validators that are connected, or heard of through others; the own one included. */
  readonly connectedPower: string;
  readonly totalPower: string;
}

/** Counts each validator of the set once, however it is reached; whoever is outside of the set counts nothing. */
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

/** Validators of the set that are not among the signers, and their power as a decimal string. @param signers null where nobody is missed yet */
export function missingPower(
  { validators }: Pick<NetworkStatus, 'validators'>,
  signers: ReadonlySet<Address> | null,
): { readonly missing: readonly Address[]; readonly missingPower: string } {
  const missing = signers === null ? [] : validators.validators.filter(({ address }) => !signers.has(address));
  return {
    missing: missing.map(({ address }) => address),
    missingPower: missing.reduce((sum, { power }) => sum + power, 0n).toString(),
  };
}
