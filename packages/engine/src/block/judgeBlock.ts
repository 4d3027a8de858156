import type { BlockCheck, CommitCertificate, ExecutableBlock } from '@prime/codec';
import { checkBlockForm, type HeightContext } from './blockRules.ts';
import type { AfterCheck, Execution } from '../ports.ts';

/** What a proposed block is judged with: the height, the certificate of its parent, and its execution. */
export interface BlockJudges {
  readonly context: HeightContext;
  readonly checkLastCommit: (certificate: CommitCertificate | null) => BlockCheck;
  readonly execution: Pick<Execution, 'check'>;
}

/** Whether a block may be decided at its height: its form, the certificate of its parent, and what execution says of it. */
export async function judgeBlock(
  executable: ExecutableBlock,
  { context, checkLastCommit, execution }: BlockJudges,
  next: AfterCheck,
): Promise<BlockCheck> {
  const form = checkBlockForm(executable, context);
  if (!form.ok) return form;
  const certified = checkLastCommit(executable.block.lastCommit);
  return certified.ok ? execution.check(executable, next) : certified;
}
