import {
  type Block,
  type BlockCheck,
  bodyRoot,
  type CommitCertificate,
  type ConsensusParams,
  encodeEvidence,
  evidenceHash,
  type ExecutableBlock,
  type ExecutionStatus,
  type Header,
  lastCommitHash,
  type ProtocolRules,
  type ValidatorSet,
  validatorsHash,
  type VerifiedAction,
} from '@prime/codec';
import type { Address, Hash, TimestampMs } from '@prime/primitives';

/** Bytes of evidence in its canonical encoding, which count as bytes of the block. */
export const evidenceBytes = (evidence: Block['evidence']): number =>
  evidence.reduce((sum, piece) => sum + encodeEvidence(piece).length, 0);

/** What a height knows before its block: the parent and the validator sets. */
export interface HeightContext {
  readonly chainId: number;
  /** Of this height. */
  readonly rules: ProtocolRules;
  readonly head: ExecutionStatus;
  readonly parentTimestampMs: TimestampMs;
  readonly gasLimit: bigint;
  readonly params: ConsensusParams;
  /** Whether unsigned calls are taken, vouched for by a validator. */
  readonly openActions: boolean;
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
}

const accept: BlockCheck = { ok: true };
const refuse = (reason: string): BlockCheck => ({ ok: false, diverged: false, reason });

/**
 * Rules of a block that need neither execution nor signatures: the header fits the height and commits to its body, sizes are
 * within bounds. The certificate of the parent is verified by the caller; the rules of execution by the execution thread.
 */
export function checkBlockForm(executable: ExecutableBlock, context: HeightContext): BlockCheck {
  const { block } = executable;
  const { header } = block;
  const { head, params, rules } = context;
  if (header.version !== rules.version) return refuse(`version ${header.version} is not ${rules.version}`);
  if (header.chainId !== context.chainId) return refuse(`chain id ${header.chainId} is not ${context.chainId}`);
  if (header.height !== head.height + 1) return refuse(`height ${header.height} does not follow ${head.height}`);
  if (header.timestampMs <= context.parentTimestampMs)
    return refuse(`time ${header.timestampMs} is not after the parent's ${context.parentTimestampMs}`);
  if (!context.validators.validators.some(({ address }) => address === header.proposer))
    return refuse(`proposer ${header.proposer} is not in the validator set`);
  if (header.validatorsHash !== validatorsHash(context.validators.validators))
    return refuse('validators hash is wrong');
  if (header.nextValidatorsHash !== validatorsHash(context.nextValidators.validators))
    return refuse('next validators hash is wrong');
  const content = checkBlockContent(executable);
  if (!content.ok) return content;
  const weight = evidenceBytes(block.evidence);
  if (weight > rules.evidenceBytesMax)
    return refuse(`${weight} bytes of evidence, at most ${rules.evidenceBytesMax} are allowed`);
  if (block.actions.length > params.maxBlockActions)
    return refuse(`${block.actions.length} actions, at most ${params.maxBlockActions} are allowed`);
  const foreign = executable.actions.find((action) => !mayVouch(action, context));
  if (foreign !== undefined) return refuse(`action ${foreign.hash} is not vouched for by a validator`);
  const twice = reportsTwice(executable.actions);
  if (twice !== null) return refuse(`two price reports of ${twice}`);
  const bytes = bodyBytes(block) + weight;
  return bytes <= params.maxBlockBytes
    ? accept
    : refuse(`${bytes} bytes of body, at most ${params.maxBlockBytes} are allowed`);
}

/** Whether what comes with a header is what the header commits to. */
export function checkBlockContent({ block, transactions, actions }: ExecutableBlock): BlockCheck {
  const { header } = block;
  const hashesOf = (items: readonly { readonly hash: Hash }[]): Hash[] => items.map(({ hash }) => hash);
  if (header.bodyRoot !== bodyRoot(hashesOf(transactions), hashesOf(actions))) return refuse('body root is wrong');
  if (header.evidenceHash !== evidenceHash(block.evidence)) return refuse('evidence hash is wrong');
  return header.lastCommitHash === lastCommitHash(block.lastCommit) ? accept : refuse('last commit hash is wrong');
}

/** Whether an action is signed by its account, or by a validator where unsigned calls are taken. */
export const mayVouch = (
  { signer, transaction }: VerifiedAction,
  { openActions, validators }: Pick<HeightContext, 'openActions' | 'validators'>,
): boolean =>
  transaction.signatureKind !== 'gateway' ||
  (openActions && validators.validators.some((validator) => validator.signer === signer));

/** The first account with two price reports in a block, which may hold one of each validator; null where there is none. */
function reportsTwice(actions: readonly VerifiedAction[]): Address | null {
  let seen: Set<Address> | null = null;
  for (const { facts, transaction } of actions) {
    if (facts.type !== 'oracleReport') continue;
    seen ??= new Set();
    if (seen.has(transaction.account)) return transaction.account;
    seen.add(transaction.account);
  }
  return null;
}

/** Bytes of transactions and actions as they were sent; header, evidence and certificate are not counted. */
export function bodyBytes(block: Pick<Block, 'transactions' | 'actions'>): number {
  let bytes = 0;
  for (const raw of block.transactions) bytes += raw.length;
  for (const raw of block.actions) bytes += raw.length;
  return bytes;
}

/** All that a header is computed from, but for the signature of its proposal. */
export interface HeaderParts {
  readonly context: HeightContext;
  readonly proposer: Header['proposer'];
  readonly timestampMs: TimestampMs;
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
  readonly evidence: Block['evidence'];
  readonly lastCommit: CommitCertificate | null;
}

/** The header that goes with a body. */
export function makeHeader(parts: HeaderParts): Header {
  const { context } = parts;
  return {
    version: context.rules.version,
    chainId: context.chainId,
    height: (context.head.height + 1) as Header['height'],
    timestampMs: parts.timestampMs,
    parentHash: context.head.hash,
    proposer: parts.proposer,
    validatorsHash: validatorsHash(context.validators.validators),
    nextValidatorsHash: validatorsHash(context.nextValidators.validators),
    bodyRoot: bodyRoot(parts.transactionHashes, parts.actionHashes),
    lastCommitHash: lastCommitHash(parts.lastCommit),
    evidenceHash: evidenceHash(parts.evidence),
    gasLimit: context.gasLimit,
    baseFee: context.head.nextBaseFee,
    parentResults: context.head.roots,
  };
}
