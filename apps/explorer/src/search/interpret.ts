import { isAddress, isBlockNumber, isHash, marketSlug, type Route } from '../router/routes.ts';

/** Something that a text may mean. */
export interface Suggestion {
  /** What kind of thing: Block, Market, … */
  readonly kind: string;
  readonly text: string;
  readonly route: Route;
}

/** What is known without asking the node. */
export interface SearchKnowledge {
  readonly markets: readonly { readonly symbol: string }[];
  readonly validators: readonly { readonly address: string; readonly moniker: string }[];
}

/** What a text in the search box means: things to open, a hash that the node has to be asked about, or nothing, with a word of help. */
export interface Interpretation {
  readonly suggestions: readonly Suggestion[];
  /** A hash of 32 bytes: of a block or of a transaction. */
  readonly hash: `0x${string}` | null;
  /** null where there are suggestions, and for an empty text. */
  readonly help: string | null;
}

const suggestionsMax = 8;
const nothing: Interpretation = { suggestions: [], hash: null, help: null };

/** Numbers as people copy them: `1,204,331`, `#42`. */
const plainNumber = (text: string): string => text.replace(/^#/, '').replace(/(?<=\d)[,_ ](?=\d)/g, '');

function ofHex(text: string, { validators }: SearchKnowledge): Interpretation | null {
  if (isHash(text)) return { ...nothing, hash: text };
  if (isAddress(text)) {
    const validator = validators.find(({ address }) => address === text);
    const account = { kind: 'Account', text, route: { page: 'address', address: text } } as const;
    return validator === undefined
      ? { ...nothing, suggestions: [account] }
      : {
          ...nothing,
          suggestions: [
            { kind: 'Validator', text: validator.moniker, route: { page: 'validator', address: text } },
            account,
          ],
        };
  }
  if (!/^0x[0-9a-f]*$/.test(text)) return null;
  const digits = text.length - 2;
  return { ...nothing, help: `An address has 40 hex digits and a hash 64; this has ${digits}.` };
}

/** What an input may mean, without asking a node: blocks, accounts, validators, markets, or a hash to ask for. */
export function interpret(input: string, known: SearchKnowledge): Interpretation {
  const text = input.trim().toLowerCase();
  if (text === '') return nothing;
  const hex = ofHex(/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(text) ? `0x${text}` : text, known);
  if (hex !== null) return hex;
  const number = plainNumber(text);
  const blocks: Suggestion[] = isBlockNumber(number)
    ? [{ kind: 'Block', text: number, route: { page: 'block', block: number } }]
    : [];
  const slug = text.replace(/[\s/_-]+/g, '');
  const markets = known.markets
    .filter(({ symbol }) =>
      symbol
        .toLowerCase()
        .replace(/[/_-]+/g, '')
        .includes(slug),
    )
    .map(
      ({ symbol }): Suggestion => ({
        kind: 'Market',
        text: symbol,
        route: { page: 'market', market: marketSlug(symbol) },
      }),
    );
  const validators = known.validators
    .filter(({ moniker }) => moniker.toLowerCase().includes(text))
    .map(
      ({ moniker, address }): Suggestion => ({
        kind: 'Validator',
        text: moniker,
        route: { page: 'validator', address: address as `0x${string}` },
      }),
    );
  const suggestions = [...blocks, ...markets, ...validators].slice(0, suggestionsMax);
  const help =
    suggestions.length > 0 ? null : 'Nothing is called so. Try a block, a transaction, an address or a market.';
  return { suggestions, hash: null, help };
}
