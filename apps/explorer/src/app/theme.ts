import { signal } from '@preact/signals';

/** Colours of the page, as `data-theme` of the document names them. */
export type Theme = 'dark' | 'light';

const key = 'prime.theme';
const isTheme = (value: unknown): value is Theme => value === 'dark' || value === 'light';
/** null follows the system. */
const chosen = signal<Theme | null>(null);

/** What the system prefers, until somebody chooses. */
const preferred = (): Theme => (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');

/** What was chosen, else what the system prefers. Components that call it draw anew when it changes. */
export const currentTheme = (): Theme => chosen.value ?? preferred();

/** Takes the choice of an earlier visit. Before the first drawing, so that nothing flickers. */
export function restoreTheme(storage: Pick<Storage, 'getItem'>): void {
  const stored = storage.getItem(key);
  if (isTheme(stored)) apply(stored);
}

function apply(theme: Theme): void {
  chosen.value = theme;
  document.documentElement.dataset['theme'] = theme;
}

/** Changes the colours now, and remembers the choice for later visits. */
export function toggleTheme(storage: Pick<Storage, 'setItem'>): void {
  const next = currentTheme() === 'dark' ? 'light' : 'dark';
  apply(next);
  storage.setItem(key, next);
}
