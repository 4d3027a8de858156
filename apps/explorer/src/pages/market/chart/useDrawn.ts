import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A chart in its place. */
export interface Drawn<chart> {
  /** Where it is drawn. */
  readonly place: RefObject<HTMLDivElement | null>;
  /** null until what draws it is loaded. */
  readonly chart: Signal<chart | null>;
  /** Whether that could not be loaded. */
  readonly failed: boolean;
}

/**
 * Draws a chart while the component is there.
 *
 * @param load loads what draws it, and draws it
 * @param of where one of these changes, it is drawn anew
 */
export function useDrawn<chart extends { close(): void }>(
  load: () => Promise<(element: HTMLElement) => chart>,
  of: readonly unknown[],
): Drawn<chart> {
  const place = useRef<HTMLDivElement>(null);
  const chart = useSignal<chart | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isOver = false;
    load().then(
      (draw) => {
        if (!isOver && place.current !== null) chart.value = draw(place.current);
      },
      () => setFailed(true),
    );
    return () => {
      isOver = true;
      chart.peek()?.close();
      chart.value = null;
    };
  }, of);
  return { place, chart, failed };
}
