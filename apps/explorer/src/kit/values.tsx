import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { clock } from './clock.ts';
import { formatAge, formatChange, formatDecimal, formatMoment, formatWei, hueOf, shortHex } from './format.ts';
import { Icon } from './icons.tsx';
import { toast } from './toasts.tsx';

interface BadgeProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad' | 'accent' | 'buy' | 'sell';
  readonly title?: string;
  readonly children: ComponentChildren;
}

/** A word about a state. Its colour only underlines what the word says. */
export const Badge = ({ tone = 'plain', title, children }: BadgeProps): JSX.Element => (
  <span class={`badge ${tone}`} title={title}>
    {children}
  </span>
);

/** buy or sell in words, an arrow and a colour. */
export const SideBadge = ({ side }: { readonly side: 'buy' | 'sell' }): JSX.Element => (
  <span class={side}>
    <span aria-hidden="true">{side === 'buy' ? '▲' : '▼'}</span> {side}
  </span>
);

/** How a hash is shown. */
export interface HashProps {
  readonly value: string;
  /** Where it leads; without it is text only. */
  readonly href?: string | undefined;
  /** Whole where there is room for it. */
  readonly whole?: boolean;
  /** Shown in its place: a moniker, a name. */
  readonly name?: string | undefined;
  /** A colour by which the same one is known again: for accounts. */
  readonly chip?: boolean;
  readonly copy?: boolean;
}

/** A hash or an address: short, whole on pointing at it, copied with one click. */
export function Hash({ value, href, whole = false, name, chip = false, copy = true }: HashProps): JSX.Element {
  const text = name ?? (whole ? value : shortHex(value));
  const shown = <span class={name === undefined ? 'text' : 'text name'}>{text}</span>;
  return (
    <span class="hash" title={value}>
      {chip && <span class="chip" style={{ background: `hsl(${hueOf(value)} 62% 58%)` }} aria-hidden="true" />}
      {href === undefined ? shown : <a href={href}>{shown}</a>}
      {copy && <CopyButton value={value} />}
    </span>
  );
}

/** How long the mark of a copy stands, ms. */
const copiedMs = 1_200;

/** Copies the whole value, and shows for a moment that it did. */
export function CopyButton({ value }: { readonly value: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(value).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), copiedMs);
      },
      () => toast('The browser did not allow to copy.', 'bad'),
    );
  };
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${shortHex(value)}`} title="Copy">
      <Icon name={isCopied ? 'done' : 'copy'} size={13} />
    </button>
  );
}

interface AmountProps {
  readonly wei: bigint;
  readonly decimals?: number;
  readonly unit?: string | undefined;
  /** Digits behind the point that are shown; all of them on pointing at it. */
  readonly digitsMax?: number;
  /** Colour and sign by whether it is a gain. */
  readonly signed?: boolean;
}

/** An amount in whole units; the exact one with its wei on pointing at it. */
export function Amount({ wei, decimals = 18, unit, digitsMax = 4, signed = false }: AmountProps): JSX.Element {
  const exact = formatWei(wei, decimals);
  const text = formatDecimal(exact, { digitsMax }).replace('-', '−');
  const tone = !signed || wei === 0n ? '' : wei > 0n ? ' buy' : ' sell';
  return (
    <span class={`number${tone}`} title={`${exact}${unit === undefined ? '' : ` ${unit}`} (${wei} wei)`}>
      {signed && wei > 0n ? '+' : ''}
      {text}
      {unit !== undefined && <span class="faint"> {unit}</span>}
    </span>
  );
}

/** How long ago something was, always right; when exactly on pointing at it. */
export function Time({ timestampMs }: { readonly timestampMs: number }): JSX.Element {
  const moment = useRef(timestampMs);
  moment.current = timestampMs;
  const age = useComputed(() => formatAge(clock.value - moment.current));
  // A computed value follows signals only, and the time of this element is none.
  const text = formatAge(clock.peek() - timestampMs);
  return (
    <time class="number" dateTime={new Date(timestampMs).toISOString()} title={formatMoment(timestampMs)}>
      {age.value === text ? age : text}
    </time>
  );
}

/** How far a price moved, in the colour of the way. @param bps hundredths of a percent */
export const Change = ({ bps, digits }: { readonly bps: number; readonly digits?: number }): JSX.Element => (
  <span class={`number ${bps > 0 ? 'buy' : bps < 0 ? 'sell' : ''}`}>{formatChange(bps / 10_000, digits)}</span>
);

/** Until when something holds; 0 has no end. */
export const Until = ({ ms }: { readonly ms: number }): JSX.Element =>
  ms === 0 ? <span class="faint">for ever</span> : <span class="number">{formatMoment(ms)}</span>;

/** How long ago something was, and when exactly beside it. */
export const TimeAndMoment = ({ timestampMs }: { readonly timestampMs: number }): JSX.Element => (
  <>
    <Time timestampMs={timestampMs} /> <span class="faint number">{formatMoment(timestampMs)}</span>
  </>
);

interface FlashProps {
  /** What is compared. */
  readonly value: bigint | number | null;
  readonly children: ComponentChildren;
}

/** A value that lights up for a moment when it changes: up or down where it can be compared. */
export function Flash({ value, children }: FlashProps): JSX.Element {
  const before = useRef(value);
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const old = before.current;
    before.current = value;
    if (old === null || value === null || old === value || element.current === null) return;
    const name = value > old ? 'flash-up' : 'flash-down';
    const { classList } = element.current;
    classList.remove('flash-up', 'flash-down');
    // Reading the layout between the two makes the animation begin anew.
    void element.current.offsetWidth;
    classList.add(name);
  }, [value]);
  return (
    <span ref={element} class="number">
      {children}
    </span>
  );
}
