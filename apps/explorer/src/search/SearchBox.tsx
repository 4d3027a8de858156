import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useExplorer, useHeld } from '../app/context.ts';
import { shortHex } from '../kit/format.ts';
import { Icon } from '../kit/icons.tsx';
import { isUnreachable } from '../node/rpcClient.ts';
import { findHash } from './findHash.ts';
import { interpret, type Suggestion } from './interpret.ts';

/** What is known of a hash: nothing yet, what it is of, or why that cannot be told. */
interface HashFindings {
  readonly hash: string;
  readonly suggestions: readonly Suggestion[];
  readonly said: string | null;
}

const isTyping = (element: Element | null): boolean =>
  element instanceof HTMLElement && (element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName));

interface Search {
  readonly found: readonly Suggestion[];
  /** What there is to say in place of suggestions; null where there is nothing. */
  readonly said: string | null;
}

/** What the text means, with what the node says of a hash. */
function useSearch(text: string): Search {
  const { node } = useExplorer();
  const [findings, setFindings] = useState<HashFindings | null>(null);
  const { suggestions, hash, help } = interpret(text, {
    markets: node.markets.value.value ?? [],
    validators: node.validators.value.value ?? [],
  });
  useEffect(() => {
    if (hash === null) return;
    let isWanted = true;
    const tell = (found: readonly Suggestion[], said: string | null): void => {
      if (isWanted) setFindings({ hash, suggestions: found, said });
    };
    findHash(node.client, hash).then(
      (found) => tell(found, found.length === 0 ? 'The node knows no block and no transaction with this hash.' : null),
      (error: unknown) => tell([], isUnreachable(error) ? 'The node does not answer.' : 'The node could not tell.'),
    );
    return () => {
      isWanted = false;
    };
  }, [hash, node]);
  if (hash === null) return { found: suggestions, said: help };
  return findings?.hash === hash
    ? { found: findings.suggestions, said: findings.said }
    : { found: [], said: 'Asking the node …' };
}

/** One box for everything that has a page. `/` takes the keyboard there from anywhere. */
export function SearchBox(): JSX.Element {
  const { router, node } = useExplorer();
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [selected, setSelected] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { found, said } = useSearch(text);
  useSlashKey(input);
  // Names are known where somebody searches.
  useHeld(...(isOpen ? [node.markets, node.validators] : []));
  const open = (suggestion: Suggestion | undefined): void => {
    if (suggestion === undefined) return;
    setText('');
    setOpen(false);
    input.current?.blur();
    router.go(suggestion.route);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setSelected((selected + step + found.length) % found.length);
    } else if (event.key === 'Escape') {
      setText('');
      input.current?.blur();
    }
  };
  const onInput = (event: { readonly currentTarget: HTMLInputElement }): void => {
    setText(event.currentTarget.value);
    setSelected(0);
    setOpen(true);
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    open(found[selected] ?? found[0]);
  };
  const isShown = isOpen && (found.length > 0 || said !== null);
  const active = isShown && found.length > 0 ? { 'aria-activedescendant': `${id}-${selected}` } : {};
  return (
    <div class="search" role="search">
      <form onSubmit={onSubmit}>
        <Icon name="search" />
        <input
          {...{ ...inputProps, ...active, value: text, onInput, onKeyDown }}
          ref={input}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <div class="found" hidden={!isShown}>
        <Suggestions {...{ id, found, selected }} onSelect={setSelected} onOpen={open} />
        <p class="said" role="status" hidden={said === null}>
          {said}
        </p>
      </div>
    </div>
  );
}

const inputProps = {
  class: 'input',
  type: 'text',
  role: 'combobox',
  'aria-label': 'Search blocks, transactions, addresses, markets and validators',
  placeholder: 'Block, hash, address, market',
  autocomplete: 'off',
  spellcheck: false,
} as const;

interface SuggestionsProps {
  /** Of the search box: the list is `ID-list`, its entries are `ID-0` and so on. */
  readonly id: string;
  readonly found: readonly Suggestion[];
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (suggestion: Suggestion) => void;
}

/** Longest text that is shown whole. */
const lettersMax = 42;

const Suggestions = ({ id, found, selected, onSelect, onOpen }: SuggestionsProps): JSX.Element => (
  <ul id={`${id}-list`} role="listbox" aria-label="What it may mean">
    {found.map((suggestion, index) => (
      <li
        key={`${suggestion.kind} ${suggestion.text} ${index}`}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === selected}
        onPointerMove={() => onSelect(index)}
        onPointerDown={(event) => {
          // Keeps the focus in the input until the page is there.
          event.preventDefault();
          onOpen(suggestion);
        }}
      >
        <span class="text">
          {suggestion.text.length > lettersMax ? shortHex(suggestion.text, 14, 10) : suggestion.text}
        </span>
        <span class="kind">{suggestion.kind}</span>
      </li>
    ))}
  </ul>
);

function useSlashKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '/' || !isPlain || isTyping(document.activeElement)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
