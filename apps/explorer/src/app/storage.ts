/** The part of `localStorage` that is used. A browser that forbids it to a page has one that forgets. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** `localStorage`, or where the browser forbids it what lasts until the page is closed. */
export function openMemory(): Memory {
  try {
    localStorage.getItem('');
    return localStorage;
  } catch {
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    };
  }
}
