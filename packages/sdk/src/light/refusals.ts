import type { LightRefusal, LightStep } from '@prime/consensus';
import { LightClientError } from './errors.ts';
import type { LightTrust } from './types.ts';

type Refusal = (LightStep & { readonly kind: 'refused' })['refusal'];

/** Why a block is not believed, as an error. @param height of the block */
export function errorOfRefusal(refusal: Refusal, height: number, { chainId }: LightTrust): LightClientError {
  const blockNumber = BigInt(height);
  const wrong = (kind: 'wrong_block' | 'wrong_validators', words: string): LightClientError =>
    new LightClientError(kind, `Block ${height}: ${words}.`, { blockNumber });
  const wrongTime = (words: string, timestampMs: number): LightClientError =>
    new LightClientError('wrong_time', `Block ${height}: its time ${words}.`, { blockNumber, timestampMs });
  switch (refusal.code) {
    case 'otherChain':
      return new LightClientError('wrong_network', `Block ${height} is of chain ${refusal.chainId}, not ${chainId}.`, {
        expected: chainId,
        actual: refusal.chainId,
      });
    case 'otherHeight':
      return new LightClientError('wrong_block', `Block ${refusal.height} was sent in place of ${height}.`, {
        blockNumber,
      });
    case 'otherBlock':
      return wrong('wrong_block', 'the certificate is for another block than the header');
    case 'otherValidators':
      return wrong('wrong_validators', 'the header names other validators than those that came with it');
    case 'otherNextValidators':
      return wrong('wrong_validators', 'the header names other validators than the block before it says');
    case 'notLater':
      return wrongTime('is not after that of the trusted block', refusal.timestampMs);
    case 'fromTheFuture':
      return wrongTime('lies in the future', refusal.timestampMs);
    case 'certificate':
      return errorOfCertificate(refusal.refusal, blockNumber);
    case 'notTrusted': {
      const { power, total, level } = refusal;
      return notEnoughPower({ blockNumber, power, total, needed: level === 'third' ? '1/3' : '2/3', of: 'trust' });
    }
    case 'tooManyBlocks':
      return new LightClientError('too_many_blocks', `More than ${refusal.limit} blocks in between are needed.`, {
        limit: refusal.limit,
      });
  }
}

type CertificateRefusal = Extract<LightRefusal, { readonly code: 'certificate' }>['refusal'];

function errorOfCertificate(refusal: CertificateRefusal, blockNumber: bigint): LightClientError {
  if (refusal.code === 'notEnoughPower')
    return notEnoughPower({ blockNumber, power: refusal.power, total: refusal.total, needed: '2/3', of: 'block' });
  if (refusal.code === 'otherBlock')
    return new LightClientError('wrong_block', `Block ${blockNumber}: the certificate is for another one.`, {
      blockNumber,
    });
  const validator = 'validator' in refusal ? refusal.validator : null;
  return new LightClientError('wrong_signature', `Block ${blockNumber}: ${certificateWords[refusal.code]}.`, {
    blockNumber,
    validator,
  });
}

const certificateWords = {
  malformedRound: 'the round of its certificate is none',
  unknownValidator: 'somebody signed who is no validator of it',
  notInOrder: 'the signatures are not in the order of the validators, or one is there twice',
  invalidSignature: 'a signature is not by its validator, for this block of this network',
} as const;

const notEnoughPower = (data: LightClientError<'not_enough_power'>['data']): LightClientError =>
  new LightClientError(
    'not_enough_power',
    `Block ${data.blockNumber}: ${data.power} of ${data.total} voting power ${data.of === 'trust' ? 'known before ' : ''}signed it, more than ${data.needed} is needed.`,
    data,
  );
