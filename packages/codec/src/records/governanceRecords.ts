import { address, flag, hash, listOf, struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { decoder, encoder } from '../encoding/messages.ts';
import { proposalFields } from '../genesis/changes.ts';
import { clobCodec, type ClobParams } from '../genesis/genesis.ts';

/** What the order book knows of changes of its parameters: those in force, and those that are proposed. */

/** What a validator's owner said last. */
const voteCodec = struct({ validator: address, yes: flag });

const proposalCodec = struct({
  proposal: hash,
  proposer: address,
  ...proposalFields,
  /** Whether it was decided, by votes or by the admin, and waits for its height. */
  isPassed: flag,
  /** By validator ascending, each once. */
  votes: listOf(voteCodec),
});
/** An open proposal, or a change that waits for its height; key: kind, hash. */
export interface ProposalRecord extends ValueOf<typeof proposalCodec> {}

/** Value under a proposal's key. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeProposalRecord = encoder<ProposalRecord>(proposalCodec, 'proposal record');
/** Undoes {@link encodeProposalRecord}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeProposalRecord = decoder<ProposalRecord>(proposalCodec, 'proposal record');
/** Parameters of the order book since the first change; before it there is no record, and those of genesis hold. @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeParametersRecord = encoder<ClobParams>(clobCodec, 'parameters record');
/** Undoes {@link encodeParametersRecord}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeParametersRecord = decoder<ClobParams>(clobCodec, 'parameters record');
