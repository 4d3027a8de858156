import type { Address } from '@prime/sdk';
import type { Memory } from '../app/storage.ts';
import type { NetworkFacts } from '../node/network.ts';
import { isAddress, isHash } from '../router/routes.ts';
import type { AnnouncedWallet } from './providers.ts';

/** Who somebody trades as, and what signs for it. */
export type Identity =
  /** An account of a network that takes everybody at their word. */
  | { readonly kind: 'test'; readonly address: Address }
  /** The wallet asks for each order. */
  | { readonly kind: 'wallet'; readonly address: Address; readonly wallet: AnnouncedWallet }
  /** A key that this page keeps signs for the account of a wallet. */
  | { readonly kind: 'agent'; readonly address: Address; readonly agent: StoredAgent };

/** A key that may trade for an account and never move its money. */
export interface StoredAgent {
  readonly owner: Address;
  readonly address: Address;
  readonly privateKey: `0x${string}`;
  /** Block time until which it may sign, ms. */
  readonly validUntilMs: number;
}

/** What is remembered of an identity: never more than who it was. */
export type Remembered =
  | { readonly kind: 'test'; readonly address: Address }
  | { readonly kind: 'wallet'; readonly address: Address; readonly rdns: string }
  | { readonly kind: 'agent' };

/** Networks of tests share chain ids, and another beginning is another network. */
const scopeOf = ({ chainId, name, startedMs }: NetworkFacts): string => `${chainId}.${name}.${startedMs}`;
const identityKey = (network: NetworkFacts): string => `prime.identity.${scopeOf(network)}`;
const agentKey = (network: NetworkFacts): string => `prime.agent.${scopeOf(network)}`;

function parse(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Who somebody was on this network when they left; null where nobody was, or what is kept is not readable. */
export function recall(memory: Memory, network: NetworkFacts): Remembered | null {
  const { kind, address, rdns } = parse(memory.getItem(identityKey(network)));
  if (kind === 'agent') return { kind };
  if (!isAddress(address)) return null;
  if (kind === 'test') return { kind, address };
  return kind === 'wallet' && typeof rdns === 'string' ? { kind, address, rdns } : null;
}

/** Keeps who trades on this network for later visits, null for nobody. Keys are not kept with it. */
export function remember(memory: Memory, network: NetworkFacts, identity: Identity | null): void {
  const key = identityKey(network);
  if (identity === null) return memory.removeItem(key);
  const kept: Remembered =
    identity.kind === 'wallet'
      ? { kind: 'wallet', address: identity.address, rdns: identity.wallet.rdns }
      : identity.kind === 'test'
        ? { kind: 'test', address: identity.address }
        : { kind: 'agent' };
  memory.setItem(key, JSON.stringify(kept));
}

/** The agent key that the page keeps for this network; null where it has none. */
export function storedAgent(memory: Memory, network: NetworkFacts): StoredAgent | null {
  const { owner, address, privateKey, validUntilMs } = parse(memory.getItem(agentKey(network)));
  // A key has as many digits as a hash.
  const isWhole = isAddress(owner) && isAddress(address) && isHash(privateKey);
  return isWhole && typeof validUntilMs === 'number' ? { owner, address, privateKey, validUntilMs } : null;
}

/** Keeps an agent's key in this browser, for this network only. */
export const storeAgent = (memory: Memory, network: NetworkFacts, agent: StoredAgent): void =>
  memory.setItem(agentKey(network), JSON.stringify(agent));

/** Removes the agent's key from this browser; the approval on the chain stays. */
export const forgetAgent = (memory: Memory, network: NetworkFacts): void => memory.removeItem(agentKey(network));
