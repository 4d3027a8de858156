import {
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

/** The order book's records about signers, straight from the state database. */
export function createSignerReader(database: Pick<StateDatabase, 'getSync'>): SignerReader {
  const read = (key: Uint8Array): Uint8Array | undefined => database.getSync(prefixedKey(statePrefix.clobRecord, key));
  return {
    signerNonces(signer) {
      const record = read(signerRecordKey(signer));
      return record === undefined ? [] : decodeSignerRecord(record).nonces;
    },
    agent(account, agent) {
      const record = read(agentRecordKey(account, agent));
      return record === undefined ? null : decodeAgentRecord(record);
    },
    isLocked(account) {
      const record = read(accountRecordKey(account));
      return record !== undefined && decodeAccountRecord(record).locked;
    },
    isKnown: (account) => read(accountRecordKey(account)) !== undefined,
  };
}
