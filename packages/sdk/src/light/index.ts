export {
  createLightClient,
  type LightClient,
  type LightClientParameters,
  type VerifyRecordOptions,
  type WaitOptions,
} from './createLightClient.ts';
export { isLightError, LightClientError, type LightErrorData, type LightErrorKind } from './errors.ts';
export { getLightBlock, type GetLightBlockParameters } from './getLightBlock.ts';
export { trustBlock, trustGenesis, type TrustGenesisOptions } from './trust.ts';
export type * from './types.ts';
export { verifyBlock, type VerifyBlockParameters } from './verifyBlock.ts';
export { verifyRecord, type VerifyRecordParameters } from './verifyRecord.ts';
