import type { JSX } from 'preact';

const paths = {
  search: 'M10.5 10.5 14 14M6.8 12a5.2 5.2 0 1 1 0-10.4 5.2 5.2 0 0 1 0 10.4Z',
  copy: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  done: 'm3 8.5 3.4 3.4L13 5',
  left: 'M10 3 5 8l5 5',
  right: 'm6 3 5 5-5 5',
  close: 'm3.5 3.5 9 9m0-9-9 9',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.500 9.800A6 6 0 0 1 6.200 2.500a6 6 0 1 0 7.300 7.300Z',
} as const;

/** A picture that the page has. */
export type IconName = keyof typeof paths;

/** A drawing of 16 pixels in the colour of the text around it; words for it stand beside or on the button. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): JSX.Element => (
  <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);
