import { signal } from '@preact/signals';
import type { JSX } from 'preact';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad';
}

const shown = signal<readonly Toast[]>([]);
const toastsMax = 4;
const toastMs = 6_000;
let nextId = 0;

/** Says something for a few seconds: that an order was sent, that a copy failed. What has to be read stands on the page instead. */
export function toast(text: string, tone: Toast['tone'] = 'plain'): void {
  const id = nextId++;
  shown.value = [...shown.value, { id, text, tone }].slice(-toastsMax);
  setTimeout(() => {
    shown.value = shown.value.filter((one) => one.id !== id);
  }, toastMs);
}

/** Place of messages that go away by themselves; screen readers read them out. */
export const Toasts = (): JSX.Element => (
  <div class="toasts" role="status" aria-live="polite">
    {shown.value.map(({ id, text, tone }) => (
      <div key={id} class={`toast ${tone}`}>
        {text}
      </div>
    ))}
  </div>
);
