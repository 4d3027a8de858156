import { type AgentRecord, decodeAgentRecord } from '@prime/codec';
import { type Address, bytesToHex } from '@prime/primitives';

const addressBytes = 20;

/** Agents of all accounts, live and revoked, by the records that blocks wrote. */
export class Agents {
  private readonly byAccount = new Map<Address, Map<Address, AgentRecord>>();

  /** @param key as `agentRecordKey` makes it */
  write(key: Uint8Array, value: Uint8Array | null): void {
    const account = bytesToHex(key.subarray(1, 1 + addressBytes)) as Address;
    const agent = bytesToHex(key.subarray(1 + addressBytes)) as Address;
    const agents = this.byAccount.get(account) ?? new Map<Address, AgentRecord>();
    this.byAccount.set(account, agents);
    if (value === null) agents.delete(agent);
    else agents.set(agent, decodeAgentRecord(value));
    if (agents.size === 0) this.byAccount.delete(account);
  }

  /** By address. */
  of(account: Address): readonly AgentRecord[] {
    return [...(this.byAccount.get(account)?.values() ?? [])].sort((a, b) => (a.agent < b.agent ? -1 : 1));
  }
}
