/** Colours of the page's style sheet for what is drawn on canvases, which no style sheet reaches. */
export interface Theme {
  readonly text: string;
  readonly faint: string;
  readonly grid: string;
  readonly surface: string;
  readonly stage: string;
  readonly fault: string;
  readonly recovery: string;
  readonly range: string;
  readonly series: readonly string[];
}

/** Colours as they are now, from the custom properties of the page; read again when the theme changes. */
export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: read('text'),
    faint: read('faint'),
    grid: read('grid'),
    surface: read('surface'),
    stage: read('stage'),
    fault: read('fault'),
    recovery: read('recovery'),
    range: read('range'),
    series: Array.from({ length: 8 }, (_, index) => read(`series-${index}`)),
  };
}

/** By the colour's number, so that lines differ without their colours too. Lengths in CSS pixels. */
export const dashes: readonly (readonly number[])[] = [[2, 4], [], [9, 4], [], [2, 2], [12, 3, 3, 3], [5, 2], [1, 3]];
