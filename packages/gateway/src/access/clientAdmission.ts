import {
  type Admission,
  type Client,
  type MethodDefinition,
  overloaded,
  type RequestContext,
  RpcError,
} from '@prime/rpc';
import type { ApiKeyGrant, ApiKeys } from './apiKeys.ts';
import type { Load } from './loadMonitor.ts';
import { type ClientLimits, TokenBucket } from './tokenBucket.ts';

/** How much each client may ask for, and less while the node is busy. */
export interface ClientAdmissionOptions {
  readonly keys: ApiKeys;
  readonly grants: readonly ApiKeyGrant[];
  /** Of callers without a key, each by itself. */
  readonly limits: ClientLimits;
  readonly load: Load;
  /** Clients that are remembered; the longest silent ones are forgotten first. */
  readonly clientsMax: number;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
}

/**
 * Lets calls in: the key's methods, then the load of the node, then the client's own rate and concurrency. The operator's surface
 * is for looking after a node in trouble, so neither load nor, without a key, rates hold there.
 */
export class ClientAdmission implements Admission {
  private readonly options: ClientAdmissionOptions;
  /** By client id, in the order of the last call. */
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly ofKeys: ReadonlyMap<string, ClientLimits>;
  private readonly unlimited: boolean;

  constructor(options: ClientAdmissionOptions) {
    const { limits, grants } = options;
    this.options = options;
    this.unlimited = isUnlimited(limits);
    this.ofKeys = new Map(grants.map((grant) => [grant.name, limitsOf(grant, limits)]));
  }

  enter(definition: MethodDefinition, request: RequestContext): void {
    const { surface, client } = request;
    const { keys, load, now } = this.options;
    const { apiKey } = client;
    if (apiKey !== null && !keys.permits(apiKey, definition.name))
      throw new RpcError(`API key ${apiKey} does not permit ${definition.name}`, {
        code: 'RPC_METHOD_NOT_PERMITTED',
        method: definition.name,
        apiKey,
      });
    if (surface === 'public' && definition.cost === 'heavy' && load.level() !== 'normal')
      throw overloaded('busyDelayMs', load.busyDelayMs, `${definition.name} is refused while the node is busy`);
    // Over HTTP such a request is refused before it is read.
    if (surface === 'public' && request.transport === 'webSocket' && load.level() === 'overloaded')
      throw overloaded('overloadDelayMs', load.overloadDelayMs, 'the node is overloaded');
    const refusal = this.isCounted(request) ? this.bucketOf(client).enter(now()) : null;
    if (refusal === null) return;
    const { limit, maximum } = refusal;
    const words = limit === 'concurrency' ? `${maximum} requests at once` : `${maximum} requests per second`;
    throw new RpcError(`limit exceeded: ${words} for this client`, { code: 'RPC_RATE_LIMITED', ...refusal });
  }

  leave(request: RequestContext): void {
    if (this.isCounted(request)) this.buckets.get(request.client.id)?.leave();
  }

  private isCounted({ surface, client }: RequestContext): boolean {
    return client.apiKey !== null || !(this.unlimited || surface === 'operator');
  }

  private bucketOf({ id, apiKey }: Client): TokenBucket {
    const { limits, now } = this.options;
    const known = this.buckets.get(id);
    const bucket = known ?? new TokenBucket(apiKey === null ? limits : (this.ofKeys.get(apiKey) ?? limits), now());
    if (known === undefined) this.forgetOne();
    else this.buckets.delete(id);
    this.buckets.set(id, bucket);
    return bucket;
  }

  /** Makes room among the longest silent: one that is idle if there is one near, else the very oldest. */
  private forgetOne(): void {
    const { clientsMax, now } = this.options;
    if (this.buckets.size < clientsMax) return;
    let oldest: string | null = null;
    let looked = 0;
    for (const [id, bucket] of this.buckets) {
      oldest ??= id;
      if (bucket.isIdle(now())) {
        oldest = id;
        break;
      }
      if (++looked >= lookedAtMax) break;
    }
    if (oldest !== null) this.buckets.delete(oldest);
  }
}

/** Clients that are looked at to find an idle one. */
const lookedAtMax = 16;

const isUnlimited = ({ requestsPerSecond, concurrency }: ClientLimits): boolean =>
  requestsPerSecond === 0 && concurrency === 0;

function limitsOf({ requestsPerSecond, concurrency }: ApiKeyGrant, others: ClientLimits): ClientLimits {
  return {
    requestsPerSecond: requestsPerSecond ?? others.requestsPerSecond,
    burst: requestsPerSecond === null ? others.burst : Math.max(1, requestsPerSecond),
    concurrency: concurrency ?? others.concurrency,
  };
}
