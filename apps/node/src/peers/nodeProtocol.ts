import type { Genesis, ProtocolSchedule } from '@prime/codec';
import { type NodeConfig, protocolSchedule } from '@prime/config';

/** Which protocol version this node has in force at which height. @throws ConfigError `CONFIG_INVALID_VALUE` */
export function nodeProtocol(data: { readonly config: NodeConfig; readonly genesis: Genesis }): ProtocolSchedule {
  const { schedule, versionMax } = data.config.upgrades;
  return protocolSchedule(data.genesis, { schedule, versionMax });
}
