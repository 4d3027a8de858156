import { createHash, timingSafeEqual } from 'node:crypto';

/** An API key as the node knows it: never the key, only its hash. */
export interface ApiKeyGrant {
  readonly name: string;
  /** SHA-256 of the key's text, 32 bytes. Keys are 256 random bits, so that a slow hash would protect nothing more. */
  readonly hash: Uint8Array;
  /** Calls per second; null is what callers without a key have, 0 no limit. */
  readonly requestsPerSecond: number | null;
  /** Calls in work at once; null is what callers without a key have, 0 no limit. */
  readonly concurrency: number | null;
  /** Names, or beginnings of names with a `*` behind them; empty allows every method. */
  readonly methods: readonly string[];
  /** Whether it opens the operator's surface from other machines. */
  readonly operator: boolean;
}

/** Keys and what they grant. */
export class ApiKeys {
  private readonly grants: readonly ApiKeyGrant[];
  private readonly permissions: ReadonlyMap<string, (method: string) => boolean>;

  constructor(grants: readonly ApiKeyGrant[]) {
    this.grants = grants;
    this.permissions = new Map(grants.map(({ name, methods }) => [name, permissionOf(methods)]));
  }

  /** The grant of a key, or null. Looks at every grant, so that its time tells nothing about which one matched. */
  find(key: string): ApiKeyGrant | null {
    const digest = createHash('sha256').update(key).digest();
    let found: ApiKeyGrant | null = null;
    for (const grant of this.grants) if (timingSafeEqual(digest, grant.hash)) found = grant;
    return found;
  }

  /** Whether the key of that name may call the method. */
  permits(name: string, method: string): boolean {
    return this.permissions.get(name)?.(method) ?? false;
  }
}

function permissionOf(patterns: readonly string[]): (method: string) => boolean {
  if (patterns.length === 0) return () => true;
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (method) => names.has(method) || beginnings.some((beginning) => method.startsWith(beginning));
}
