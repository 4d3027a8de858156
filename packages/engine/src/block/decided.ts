import {
  type BlockCheck,
  type CommitCertificate,
  type CommitOutcome,
  type ExecutableBlock,
  headerHash,
  type ProtocolSchedule,
} from '@prime/codec';
import { createProposerSchedule, verifyCommitCertificate } from '@prime/consensus';
import type { CryptoProvider } from '@prime/crypto';
import { checkBlockContent, checkBlockForm, type HeightContext } from './blockRules.ts';
import { verifyWholeBlock } from './candidates.ts';
import type { Round } from '@prime/primitives';
import { EngineError, isForgotten } from '../errors.ts';
import type { Execution, StoredBlock, Verifier } from '../ports.ts';
import { versionProblem } from '../chain/protocol.ts';
import type { SigningDomain } from '../signing/signing.ts';

/** What a block that was decided elsewhere is verified and executed with. */
export interface DecidedContext {
  readonly height: HeightContext;
  readonly protocol: ProtocolSchedule;
  readonly domain: SigningDomain;
  readonly provider: CryptoProvider;
  readonly checkLastCommit: (certificate: CommitCertificate | null) => BlockCheck;
  readonly execution: Execution;
  readonly verifier: Verifier;
}

/**
 * Verifies a block that was decided elsewhere, up to the point where it only has to be committed.
 *
 * @param proof `proven` when it is known already that the header was decided: certificates are not looked at then
 * @throws EngineError `ENGINE_UNCERTIFIED_BLOCK` when the certificate does not prove that this very block was decided: the source
 *   lies. `ENGINE_DIVERGED`, `ENGINE_INVALID_DECISION`, `ENGINE_UPGRADE_NEEDED`, `ENGINE_VERSION_MISMATCH` when it does, and this node
 *   can not follow: it must stop.
 */
export async function applyDecided(
  stored: StoredBlock,
  context: DecidedContext,
  proof: 'verify' | 'proven' = 'verify',
): Promise<ExecutableBlock> {
  const { block, certificate } = stored;
  const { height } = block.header;
  const hash = headerHash(block.header);
  const lie = (reason: string): EngineError =>
    new EngineError(`block ${height} from elsewhere: ${reason}`, { code: 'ENGINE_UNCERTIFIED_BLOCK', height, reason });
  if (certificate.height !== height || certificate.blockHash !== hash)
    throw lie('the certificate is for another block');
  const { domain, provider } = context;
  if (proof === 'verify') {
    const verdict = verifyCommitCertificate(certificate, context.height.validators, { provider, ...domain });
    if (!verdict.ok) throw lie(verdict.refusal.code);
  }
  const otherVersion = versionProblem(block.header, context.protocol);
  if (otherVersion !== null) throw otherVersion;
  const whole = await verifyWholeBlock(context.verifier, block);
  if (whole.kind !== 'block') throw lie('a transaction in it is invalid');
  const { executable } = whole;
  // What does not belong to the header is the sender's doing; anything else was signed by the validators.
  const content = checkBlockContent(executable);
  if (!content.ok) throw lie(content.reason);
  const form = checkBlockForm(executable, context.height);
  if (!form.ok) throw invalid(stored, form.reason);
  // Only the proposer itself can have its block decided in round 0. Priorities are in no hash: this is where wrong ones show.
  const first = createProposerSchedule(context.height.validators).proposer(0 as Round);
  if (certificate.round === 0 && block.header.proposer !== first)
    throw invalid(
      stored,
      `decided in round 0, whose proposer is ${first} here, but proposed by ${block.header.proposer}`,
    );
  const certified = proof === 'verify' ? context.checkLastCommit(block.lastCommit) : ({ ok: true } as const);
  if (!certified.ok) throw invalid(stored, certified.reason);
  const check = await context.execution.check(executable, 'keep');
  if (check.ok) return executable;
  if (check.diverged)
    throw new EngineError(`own state differs from what was decided: ${check.reason}`, {
      code: 'ENGINE_DIVERGED',
      height,
      reason: check.reason,
    });
  throw invalid(stored, check.reason);
}

/** More than 2/3 decided a block of this height that was refused here when it was proposed: the node must stop. */
export function refusedDecision({ hash, block }: ExecutableBlock, protocol: ProtocolSchedule): EngineError {
  const { height } = block.header;
  const reason = 'the block was refused when it was proposed';
  const words = 'more than 2/3 decided a block that is invalid here';
  return (
    versionProblem(block.header, protocol) ??
    new EngineError(words, { code: 'ENGINE_INVALID_DECISION', height, hash, reason })
  );
}

/** Executes a decided block for good; one whose check execution has forgotten, as many were proposed at its height, is checked again. */
export async function commitDecided(
  execution: Pick<Execution, 'check' | 'commit'>,
  { hash, certificate }: StoredBlock,
  executable: ExecutableBlock,
  behind: number,
): Promise<CommitOutcome> {
  try {
    return await execution.commit(hash, certificate, behind);
  } catch (error) {
    if (!isForgotten(error)) throw error;
    await execution.check(executable, 'keep');
    return execution.commit(hash, certificate, behind);
  }
}

const invalid = ({ block, hash }: StoredBlock, reason: string): EngineError =>
  new EngineError(`more than 2/3 decided a block that breaks the rules: ${reason}`, {
    code: 'ENGINE_INVALID_DECISION',
    height: block.header.height,
    hash,
    reason,
  });
