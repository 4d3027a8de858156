import { useEffect, useState } from 'preact/hooks';
import { currentTheme } from '../../../app/theme.ts';

/** Colours of the design as a canvas takes them. */
export interface ChartColours {
  readonly buy: string;
  readonly sell: string;
  readonly text: string;
  readonly line: string;
  readonly faint: string;
  readonly accent: string;
  readonly warn: string;
  readonly surface: string;
}

/** Values of the design's custom properties, which name one colour for dark and one for light. */
function readColours(): ChartColours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    buy: colour('buy'),
    sell: colour('sell'),
    text: colour('muted'),
    line: colour('line'),
    faint: colour('line-strong'),
    accent: colour('accent'),
    warn: colour('warn'),
    surface: colour('surface'),
  };
  probe.remove();
  return colours;
}

/** A colour of {@link ChartColours}, more transparent. @param colour as browsers compute it: `rgb(r, g, b)` */
export const faded = (colour: string, alpha: number): string =>
  colour.replace(/^rgb\((.*)\)$/, (_, parts: string) => `rgba(${parts}, ${alpha})`);

/** The colours now; others when the theme is another one, by a button or by the system. */
export function useColours(): ChartColours {
  const theme = currentTheme();
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    setColours(readColours());
    const system = matchMedia('(prefers-color-scheme: light)');
    const reread = (): void => setColours(readColours());
    system.addEventListener('change', reread);
    return () => system.removeEventListener('change', reread);
  }, [theme]);
  return colours;
}
