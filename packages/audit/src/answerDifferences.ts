const shownMax = 300;

/** What differs between two answers, by place; in which order the fields of an object stand means nothing. */
export function answerDifferences(found: unknown, right: unknown): string[] {
  if (!isComposed(found) || !isComposed(right) || Array.isArray(found) !== Array.isArray(right)) {
    const [text, expected] = [JSON.stringify(found), JSON.stringify(right)];
    return text === expected ? [] : [`: ${text.slice(0, shownMax)} instead of ${expected.slice(0, shownMax)}`];
  }
  return [...new Set([...Object.keys(found), ...Object.keys(right)])]
    .filter((field) => !localFields.has(field))
    .flatMap((field) =>
      answerDifferences(found[field] ?? null, right[field] ?? null).map((words) => ` .${field}${words}`),
    );
}

/** Which precommits make up a certificate is every validator's own. */
const localFields: ReadonlySet<string> = new Set(['commit']);

const isComposed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
