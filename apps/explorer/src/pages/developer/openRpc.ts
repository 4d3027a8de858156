/** The parts of the node's OpenRPC document that are shown. Everything of it is foreign: text that is only ever shown as text. */

/** One method as the list and the request form show it. */
export interface MethodEntry {
  readonly name: string;
  readonly summary: string;
  readonly params: readonly { readonly name: string; readonly description: string; readonly isRequired: boolean }[];
  readonly examples: readonly MethodExample[];
}

interface MethodExample {
  readonly name: string;
  /** Parameters as JSON text, laid out to be edited. */
  readonly params: string;
}

type Json = Readonly<Record<string, unknown>>;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => typeof item === 'object' && item !== null) : [];

/** Methods by name, those without a name left out. */
export function methodsOf(document: { readonly methods: readonly unknown[] }): readonly MethodEntry[] {
  return listOf(document.methods)
    .filter(({ name }) => typeof name === 'string' && name !== '')
    .map(
      (method): MethodEntry => ({
        name: textOf(method['name']),
        summary: textOf(method['summary']),
        params: listOf(method['params']).map((param) => ({
          name: textOf(param['name']),
          description: textOf(param['description']),
          isRequired: param['required'] === true,
        })),
        examples: listOf(method['examples']).map((example, index) => ({
          name: textOf(example['name']) || `Example ${index + 1}`,
          params: JSON.stringify(
            listOf(example['params']).map((param) => param['value'] ?? null),
            null,
            2,
          ),
        })),
      }),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Methods whose name or summary has all of the words. */
export function findMethods(methods: readonly MethodEntry[], text: string): readonly MethodEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return methods.filter(({ name, summary }) => {
    const within = `${name} ${summary}`.toLowerCase();
    return words.every((word) => within.includes(word));
  });
}

/** The list in a text; a message where it is none. */
export function parseParams(text: string): readonly unknown[] | string {
  if (text.trim() === '') return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : 'Parameters are a list: [ … ].';
  } catch {
    return 'This is not JSON.';
  }
}

/** The call as a line of a shell. Quotes within are closed, escaped and opened again. */
export function curlOf(url: string, method: string, params: readonly unknown[]): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  return `curl ${quoted(url)} -H 'content-type: application/json' -d ${quoted(body)}`;
}
