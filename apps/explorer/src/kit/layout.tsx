import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';

interface CardProps {
  readonly title?: ComponentChildren | undefined;
  /** Beside the title: a badge, a button, a link. */
  readonly aside?: ComponentChildren;
  /** Without space around it: for tables and lists. */
  readonly flush?: boolean;
  readonly children?: ComponentChildren;
}

/** A part of a page with a title. */
export const Card = ({ title, aside, flush = false, children }: CardProps): JSX.Element => (
  <section class="card">
    {title !== undefined && (
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
    )}
    <div class={flush ? 'body flush' : 'body'}>{children}</div>
  </section>
);

interface PageHeadProps {
  /** What the page shows, as text: heading, title of the window, and what a screen reader says on arrival. */
  readonly title: string;
  /** What kind of thing it is, above the title. */
  readonly kind?: string;
  /** In place of the title's text, for what is more than text. */
  readonly shown?: ComponentChildren;
  /** Beside the title. */
  readonly children?: ComponentChildren;
}

/** First element of every page: it names the page. */
export function PageHead({ title, kind, shown, children }: PageHeadProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Prime`;
  }, [title]);
  return (
    <div class="page-head">
      <div>
        {kind !== undefined && <p class="kind">{kind}</p>}
        {/* Where the focus goes when the page comes by a link. */}
        <h1 tabIndex={-1} data-page-title>
          {shown ?? title}
        </h1>
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}

interface FactProps {
  readonly name: string;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

/** A name and its value, for a list of them that a page draws in a way of its own. */
export const Fact = ({ name, class: more, children }: FactProps): JSX.Element => (
  <div class={more}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** One row of {@link KeyValue}. */
export interface KeyEntry {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Leaves the row out. */
  readonly absent?: boolean;
}

/** Names and values below each other. */
export const KeyValue = ({ entries }: { readonly entries: readonly KeyEntry[] }): JSX.Element => (
  <dl class="keys">
    {entries
      .filter(({ absent }) => absent !== true)
      .map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

interface KeyCardProps extends CardProps {
  readonly entries: readonly KeyEntry[];
}

/** A part of a page that is names and values. */
export const KeyCard = ({ entries, ...card }: KeyCardProps): JSX.Element => (
  <Card {...card} flush>
    <KeyValue entries={entries} />
  </Card>
);

interface StatProps {
  readonly label: string;
  /** null while it is not known. */
  readonly value: ComponentChildren;
  readonly unit?: string | undefined;
  readonly note?: ComponentChildren;
}

/** One number that matters, with its name and a word about it. */
export const Stat = ({ label, value, unit, note }: StatProps): JSX.Element => (
  <div class="stat">
    <div class="label">{label}</div>
    <div class="value">
      {value ?? <Skeleton width="4ch" />}
      {unit !== undefined && value !== null && <span class="unit"> {unit}</span>}
    </div>
    <div class="note">{note}</div>
  </div>
);

/** Numbers in one row, which breaks where there is no room. */
export const Stats = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <section class="card">
    <div class="stats">{children}</div>
  </section>
);

/** The place of what is still being read. */
export const Skeleton = ({ width = '100%' }: { readonly width?: string }): JSX.Element => (
  <span class="skeleton" style={{ width }} aria-hidden="true" />
);

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ComponentChildren;
}

/** There is nothing to show, and that is no failure. */
export const Empty = ({ title, children }: EmptyProps): JSX.Element => (
  <div class="empty">
    <strong>{title}</strong>
    {children !== undefined && <p>{children}</p>}
  </div>
);

/** Something as the node wrote it, to be read and copied. */
export const Raw = ({ label, value }: { readonly label: string; readonly value: unknown }): JSX.Element => (
  // Focus lets the keyboard scroll it.
  <pre class="raw" role="region" aria-label={label} tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
