import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createPoll, type Resource, resourceOf } from '../live/poll.ts';
import type { ExplorerNode } from '../node/node.ts';
import { mayPass } from '../node/rpcClient.ts';
import { useHeld, useNode } from './context.ts';

/** Between an attempt that failed and the next, ms. */
const againMs = 1_500;

/**
 * Reads something of the node: when the component comes, when `key` changes, and again as long as the node is away or has no time.
 *
 * @param key names what is read; another key forgets the value
 * @param load never called for a key that is not the newest any more to any effect
 */
export function useResource<T>(key: string, load: (node: ExplorerNode) => Promise<T>): Resource<T> {
  const node = useNode();
  const [state, setState] = useState<{ key: string; value: T | null; error: unknown }>({
    key,
    value: null,
    error: null,
  });
  const newest = useRef(key);
  newest.current = key;
  const loader = useRef(load);
  loader.current = load;
  const reload = useCallback(() => {
    const isCurrent = (): boolean => newest.current === key;
    loader.current(node).then(
      (value) => void (isCurrent() && setState({ key, value, error: null })),
      (error: unknown) =>
        void (isCurrent() && setState((old) => ({ key, value: old.key === key ? old.value : null, error }))),
    );
  }, [key, node]);
  useEffect(reload, [reload]);
  useEffect(() => {
    if (!mayPass(state.error)) return;
    const timer = setTimeout(reload, againMs);
    return () => clearTimeout(timer);
  }, [state, reload]);
  const isOfKey = state.key === key;
  return { value: isOfKey ? state.value : null, error: isOfKey ? state.error : null, reload };
}

/**
 * Reads something of the node again and again while the component is there.
 *
 * @param key names what is read; another key forgets the value
 * @param everyMs between an answer and the next question
 */
export function usePoll<T>(key: string, load: (node: ExplorerNode) => Promise<T>, everyMs: number): Resource<T> {
  const node = useNode();
  const poll = useMemo(() => createPoll(() => load(node), everyMs), [node, key]);
  useHeld(poll);
  return resourceOf(poll);
}
