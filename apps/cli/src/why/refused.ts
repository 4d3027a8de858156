import { kindOfCode } from '@prime/codec';
import { admissionCodes, admissionMeaning, admissionOf, explainedRefusals, refusalMeaning } from '@prime/sdk/explain';
import { usageError } from '../errors.ts';
import type { Answer } from './tell.ts';

/** What a code, a kind or the words of a refusal mean; no node is asked. @throws CliError `CLI_USAGE` with what is allowed */
export function whyRefused(words: string): Answer {
  const kind = kindNamed(words);
  const code = admissionMeaning(words.toUpperCase()) === null ? admissionOf(words) : words.toUpperCase();
  const meaning = kind === null ? admissionMeaning(code ?? '') : refusalMeaning(kind);
  if (meaning === null)
    throw usageError(
      `nothing is known of "${words}": give a kind (${explainedRefusals.slice(0, 3).join(', ')} …), a code (${admissionCodes.slice(0, 2).join(', ')} …) or how the node's words begin`,
      'WORDS',
    );
  const named = kind ?? code ?? words;
  return {
    explanation: { tone: 'warn', title: named, text: meaning },
    figures: [],
    facts: { code: named },
  };
}

/** The kind that is named, by itself or by its code; null for none. */
function kindNamed(words: string): string | null {
  const kind = kindOfCode(words.toUpperCase());
  return refusalMeaning(kind) === null ? null : kind;
}
