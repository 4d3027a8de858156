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

/** Kinds whose code has other words (`CLOB_PRICE_OFF_TICK` is `tick`). */
const kindsOfCodes: Readonly<Record<string, string>> = {
  CLOB_PRICE_OFF_TICK: 'tick',
  CLOB_SIZE_OFF_LOT: 'lot',
  CLOB_POST_ONLY_WOULD_CROSS: 'post_only',
  CLOB_REDUCE_ONLY_WOULD_INCREASE: 'reduce_only',
};

/** The kind that is named, by itself or by its code; null for none. */
function kindNamed(words: string): string | null {
  const kind = kindsOfCodes[words.toUpperCase()] ?? words.toLowerCase().replace(/^(?:clob|staking)_/, '');
  return refusalMeaning(kind) === null ? null : kind;
}
