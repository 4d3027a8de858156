import { defaultClobParams, type Genesis, genesisFormatVersion } from '@prime/codec';
import { publicKeyToAddress } from '@prime/crypto';
import type { TimestampMs } from '@prime/primitives';
import type { EngineMetrics } from '../metrics.ts';
import type { EngineStages } from '../stages.ts';

/** Where nobody counts. */
export const silentMetrics: EngineMetrics = {
  committed: () => undefined,
  executed: () => undefined,
  round: () => undefined,
  voted: () => undefined,
  lateVote: () => undefined,
  recovered: () => undefined,
};

/** Where nobody listens. */
export const silentStages: EngineStages = {
  pooled: () => undefined,
  proposed: () => undefined,
  received: () => undefined,
  polka: () => undefined,
  decided: () => undefined,
  durable: () => undefined,
};

/** Genesis of a simulated network: validators of equal power, nothing else. @param publicKeys 33 bytes each */
export function simulatedGenesis(publicKeys: readonly Uint8Array[]): Genesis {
  return {
    formatVersion: genesisFormatVersion,
    chainId: 7919,
    networkName: 'simulated',
    testNetwork: true,
    timestampMs: 1_600_000_000_000 as TimestampMs,
    actions: 'open',
    faucet: null,
    privacyForkBlock: null,
    consensus: {
      minBlockIntervalMs: 50,
      emptyBlockIntervalMs: 1000,
      precisionMs: 500,
      messageDelayMs: 2000,
      maxBlockBytes: 512 * 1024,
      maxBlockActions: 5000,
    },
    evm: { gasLimit: 30_000_000n, initialBaseFee: 1_000_000_000n },
    clob: defaultClobParams,
    alloc: [],
    validators: publicKeys.map((publicKey, index) => ({
      address: publicKeyToAddress(publicKey),
      publicKey,
      stake: 10n ** 18n,
      moniker: `validator${index}`,
    })),
    markets: [],
  };
}
