import type { NodeConfig } from '@prime/config';
import { defaultLimits, type NetworkLimits } from '@prime/network';

/** Bounds of the transport as the configuration has them. */
export const networkLimits = ({ p2p }: NodeConfig): Partial<NetworkLimits> => ({
  inboundMax: p2p.inbound,
  inboundPerIpMax: p2p.inboundPerIp,
  inboundPerLoopbackMax: p2p.inboundPerLoopback,
  unauthenticatedMax: p2p.unauthenticated,
  handshakeTimeoutMs: p2p.handshakeMs,
  connectTimeoutMs: p2p.connectMs,
  pingIntervalMs: p2p.pingMs,
  deadAfterMs: p2p.deadMs,
  sendQueueBytesMax: p2p.sendQueueBytes,
  reconnectMinMs: p2p.reconnectMinMs,
  reconnectMaxMs: p2p.reconnectMaxMs,
  banMs: p2p.banMs,
  validatorBanMs: p2p.validatorBanMs,
  validatorBanMsMax: p2p.validatorBanMaxMs,
  rates: {
    // What an honest node sends there follows from the protocol.
    control: defaultLimits.rates.control,
    consensus: { framesPerSecond: p2p.consensusFrames, bytesPerSecond: p2p.consensusBytes },
    bodies: { framesPerSecond: p2p.bodiesFrames, bytesPerSecond: p2p.bodiesBytes },
    transactions: { framesPerSecond: p2p.transactionsFrames, bytesPerSecond: p2p.transactionsBytes },
    sync: { framesPerSecond: p2p.syncFrames, bytesPerSecond: p2p.syncBytes },
  },
});
