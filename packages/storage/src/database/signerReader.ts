import {
  type AccountRecord,
  accountRecordKey,
  agentRecordKey,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeSignerRecord,
  prefixedKey,
  signerRecordKey,
  statePrefix,
} from '@prime/codec';
import type { SignerReader } from '@prime/engine';
import type { StateDatabase } from '@prime/evm';
import type { Address } from '@prime/primitives';

/** The order book's records about signers, straight from the state database. */
export function createSignerReader(database: Pick<StateDatabase, 'getSync'>): SignerReader {
  const read = (key: Uint8Array): Uint8Array | undefined => database.getSync(prefixedKey(statePrefix.clobRecord, key));
  const accountOf = (address: Address): AccountRecord | null => {
    const record = read(accountRecordKey(address));
    return record === undefined ? null : decodeAccountRecord(record);
  };
  return {
    signerNonces(signer) {
      const record = read(signerRecordKey(signer));
      return record === undefined ? [] : decodeSignerRecord(record).nonces;
    },
    agent(account, agent) {
      const record = read(agentRecordKey(account, agent));
      return record === undefined ? null : decodeAgentRecord(record);
    },
    authority: (account) => accountOf(account)?.subAccount?.owner ?? account,
    isLocked: (account) => accountOf(account)?.locked ?? false,
    isKnown: (account) => read(accountRecordKey(account)) !== undefined,
  };
}
