import { escapeHtml } from '@prime/primitives';

/** HTML that is safe to send, told apart from text that is not. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, null and false leave nothing, a list is joined. */
export type HtmlPart = Html | string | number | null | false | readonly HtmlPart[];

/** Fills a template; whatever is put in is text, unless it is {@link Html} already. Nodes write error messages, so nothing of a report is trusted. */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(strings.reduce((text, string, index) => text + rendered(parts[index - 1] ?? null) + string));

function rendered(part: HtmlPart): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return escapeHtml(String(part));
}

/**
 * JSON for a script element: no text in it can end the element or begin a comment, and none is a line end for a reader that takes it for JavaScript.
 */
export const embeddedJson = (value: unknown): Html =>
  new Html(
    JSON.stringify(value).replace(
      /[<>&\u2028\u2029]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
