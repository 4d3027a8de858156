import type { ApiKeyConfig, NodeConfig } from '@prime/config';
import { type ApiKeyGrant, defaultGatewayLimits, type GatewayLimits } from '@prime/gateway';
import { hexToBytes } from '@prime/primitives';

/** The limits of the gateway as a node's configuration sets them. */
export function gatewayLimits({ limits, rpc, ws }: NodeConfig): GatewayLimits {
  return {
    ...defaultGatewayLimits,
    bodyBytesMax: limits.bodyBytes,
    bodyTimeoutMs: limits.bodyMs,
    bodyStallMs: limits.bodyStallMs,
    idleMs: rpc.idleMs,
    bufferedBytesMax: limits.bufferedBytes,
    requestsMax: limits.httpRequests,
    batchItemsMax: limits.batchItems,
    responseLengthMax: limits.responseBytes,
    answerLengthMax: limits.answerBytes,
    nestingDepthMax: limits.nestingDepth,
    inFlightMax: limits.pendingRequests,
    answerCacheLengthMax: limits.answerCacheBytes,
    actionTimeoutMs: limits.actionMs,
    clientRequestsPerSecond: limits.clientRequestsPerSecond,
    clientBurst: limits.clientBurst,
    clientConcurrency: limits.clientConcurrency,
    consensusReadsMax: limits.consensusReads,
    busyDelayMs: limits.busyDelayMs,
    overloadDelayMs: limits.overloadDelayMs,
    filtersMax: limits.filters,
    filtersPerClientMax: limits.filtersPerClient,
    filterIdleMs: limits.filterIdleMs,
    pendingHashesMax: limits.pendingHashes,
    filterChangesMax: limits.logCount,
    filterBlocksMax: limits.logBlockRange,
    connectionsMax: ws.connections,
    connectionsPerClientMax: ws.connectionsPerClient,
    subscriptionsMax: ws.subscriptionsPerConnection,
    socketBufferedBytesMax: ws.bufferedBytes,
    socketWaitingMax: ws.waitingBytes,
    socketsBufferedBytesMax: ws.allBufferedBytes,
    socketRequestsMax: ws.requestsPerConnection,
    socketIdleMs: ws.idleMs,
  };
}

const hashScheme = 'sha256:';

/** API keys of the configuration as the gateway takes them. */
export const apiKeyGrants = ({ rpc }: NodeConfig): readonly ApiKeyGrant[] => rpc.apiKeys.map(grantOf);

function grantOf(key: ApiKeyConfig): ApiKeyGrant {
  const { name, hash, requestsPerSecond, concurrency, methods, operator } = key;
  return {
    name,
    hash: hexToBytes(`0x${hash.slice(hashScheme.length)}`),
    requestsPerSecond: requestsPerSecond ?? null,
    concurrency: concurrency ?? null,
    methods: methods ?? [],
    operator: operator ?? false,
  };
}
