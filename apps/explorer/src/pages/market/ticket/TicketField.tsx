import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Typed } from './order.ts';

interface TicketFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly text: Signal<string>;
  readonly typed: Typed;
  /** What fills it in with one click. */
  readonly help: ComponentChildren;
  readonly hint: string;
}

/** A number with its unit. What is between two steps is never rounded for somebody: the valid ones beside it are offered. */
export function TicketField({ label, unit, text, typed, help, hint }: TicketFieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="ticket-field">
      <div class="ticket-label">
        <label for={id}>{label}</label>
        <span>{help}</span>
      </div>
      <div class="ticket-input">
        <input
          id={id}
          class="input"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          aria-invalid={typed.problem !== null}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <span class="unit" aria-hidden="true">
          {unit}
        </span>
      </div>
      <div id={`${id}-hint`} class={typed.problem === null ? 'hint' : 'hint bad'}>
        {typed.problem ?? hint}
        {typed.nearest.map((near) => (
          <button
            key={near}
            type="button"
            class="quick"
            onClick={() => {
              text.value = near;
            }}
          >
            {near}
          </button>
        ))}
      </div>
    </div>
  );
}
