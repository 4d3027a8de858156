import {
  type ClobRecordKind,
  decodeAccountRecord,
  decodeAgentRecord,
  decodeClosedOrdersRecord,
  decodeGlobalRecord,
  decodeLevelRecord,
  decodeMarketRecord,
  decodeNonceRecord,
  decodeOrderRecord,
  decodeParametersRecord,
  decodeProposalRecord,
  decodeRefusedOrdersRecord,
  decodeReporterRecord,
  decodeScheduledCancelRecord,
  decodeSignerRecord,
  decodeTransferRecord,
  decodeTriggerRecord,
  encodeAccountRecord,
  encodeAgentRecord,
  encodeClosedOrdersRecord,
  encodeGlobalRecord,
  encodeLevelRecord,
  encodeMarketRecord,
  encodeNonceRecord,
  encodeOrderRecord,
  encodeParametersRecord,
  encodeProposalRecord,
  encodeRefusedOrdersRecord,
  encodeReporterRecord,
  encodeScheduledCancelRecord,
  encodeSignerRecord,
  encodeTransferRecord,
  encodeTriggerRecord,
  recordKind,
  type RecordWrite,
} from '@prime/codec';
import { assert, bytesEqual, bytesToHex } from '@prime/primitives';

const again: Readonly<Record<ClobRecordKind, (value: Uint8Array) => Uint8Array>> = {
  global: (value) => encodeGlobalRecord(decodeGlobalRecord(value)),
  market: (value) => encodeMarketRecord(decodeMarketRecord(value)),
  order: (value) => encodeOrderRecord(decodeOrderRecord(value)),
  account: (value) => encodeAccountRecord(decodeAccountRecord(value)),
  nonce: (value) => encodeNonceRecord(decodeNonceRecord(value)),
  agent: (value) => encodeAgentRecord(decodeAgentRecord(value)),
  signer: (value) => encodeSignerRecord(decodeSignerRecord(value)),
  transfer: (value) => encodeTransferRecord(decodeTransferRecord(value)),
  closedOrders: (value) => encodeClosedOrdersRecord(decodeClosedOrdersRecord(value)),
  refusedOrders: (value) => encodeRefusedOrdersRecord(decodeRefusedOrdersRecord(value)),
  reporter: (value) => encodeReporterRecord(decodeReporterRecord(value)),
  scheduledCancel: (value) => encodeScheduledCancelRecord(decodeScheduledCancelRecord(value)),
  proposal: (value) => encodeProposalRecord(decodeProposalRecord(value)),
  parameters: (value) => encodeParametersRecord(decodeParametersRecord(value)),
  trigger: (value) => encodeTriggerRecord(decodeTriggerRecord(value)),
  level: (value) => encodeLevelRecord(decodeLevelRecord(value)),
};

/** Reads a written record and writes it once more. @throws CodecError when it can not be read, InvariantError when it comes out otherwise */
export function checkDecodable({ key, value }: RecordWrite): void {
  if (value === null) return;
  assert(bytesEqual(again[recordKind(key)](value), value), `${bytesToHex(key)} is not in its one encoding`);
}
