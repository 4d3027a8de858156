import { type Coding, codings } from './site.ts';

/** What a request asks for, read from its text. */

/**
 * The path of a request as text, or null for one that no browser sends: not from `/` on, bad escapes, an escaped slash, backslash, escape or
 * control character, and segments that are empty or go up.
 */
export function readPath(target: string): string | null {
  const [raw = ''] = target.split('?', 1);
  // An escaped escape would mean something else to whoever reads it twice.
  if (!raw.startsWith('/') || /%(?:2f|5c|25)/i.test(raw)) return null;
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return null;
  }
  if (/[\p{Cc}\\]/u.test(path)) return null;
  const segments = path.slice(1).split('/');
  const isOdd = segments.some(
    (segment, index) => segment === '.' || segment === '..' || (segment === '' && index < segments.length - 1),
  );
  return isOdd ? null : path;
}

/** Whether a path names a file, and no place inside of the pages. */
export const namesFile = (path: string): boolean => path.includes('.');

/** The codings that a client takes, in our order (RFC 9110, section 12.5.3); it always takes bytes as they are. */
export function acceptedCodings(header: string | undefined): readonly Coding[] {
  const weights = new Map(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
        return [name, parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter)) ? 0 : 1] as const;
      }),
  );
  return codings.filter((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}

/** Whether a client has the bytes that a tag names: the weak comparison of `If-None-Match` (RFC 9110, section 13.1.2). */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const text = part.trim();
    return text === '*' || text.replace(/^W\//, '') === tag;
  });
}
