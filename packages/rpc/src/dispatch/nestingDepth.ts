const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Levels of nested arrays and objects in a JSON text, without parsing it: recursive consumers of a parsed value (validators,
 * serializers) overflow the stack on a few kilobytes of brackets. Stops counting above the limit.
 *
 * @returns the depth, or `limit + 1` when it is deeper than the limit; some number for what is not JSON
 */
export function nestingDepth(text: string, limit: number): number {
  // As many brackets as characters is the deepest there is.
  if (text.length <= limit) return text.length;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === backslash) index++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBracket || code === openBrace) {
      depth++;
      if (depth > deepest) deepest = depth;
      if (deepest > limit) return deepest;
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return deepest;
}

/** Whether a parsed JSON value is nested deeper than the limit. Looks at no more levels than that. */
export function isNestedDeeper(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (isNestedDeeper(value[index], limit - 1)) return true;
    return false;
  }
  // The values of parsed JSON have no properties but their own.
  for (const key in value) if (isNestedDeeper((value as Record<string, unknown>)[key], limit - 1)) return true;
  return false;
}
